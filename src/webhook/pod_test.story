# A pod that opts in is held at the gate until its queue has room
namespace default {}
create /pods/mutate
| {metadata: {name: p, annotations: {scheduling.volcano.sh/queue-allocation-gate: "true"}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}
=> add /spec/schedulingGates [{"name":"scheduling.volcano.sh/queue-allocation-gate"}]
with /spec/schedulerName="other"
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/queue-allocation-gate":"false"}
=> allowed
with /spec/schedulingGates=[{"name":"mine"}]
=> add /spec/schedulingGates/- {"name":"scheduling.volcano.sh/queue-allocation-gate"}
with /spec/schedulingGates=[{"name":"scheduling.volcano.sh/queue-allocation-gate"}]
=> allowed
with /spec/nodeName="n1"
=> allowed

# A pod of a gang names its group
namespace default {}
create /pods/mutate
| {metadata: {name: p, annotations: {scheduling.volcano.sh/group-min-member: "2"}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u1, controller: true}]}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}
=> add /metadata/annotations/scheduling.k8s.io~1group-name "podgroup-u1"
with /metadata/ownerReferences/0/controller=false
=> add /metadata/annotations/scheduling.k8s.io~1group-name "podgroup-u1"
with /metadata/annotations={"scheduling.volcano.sh/group-min-member":"2","scheduling.k8s.io/group-name":"g"}
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/group-min-member":"2","scheduling.volcano.sh/group-name":"g"}
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/group-min-resources":"{\"cpu\":\"2\"}"}
=> add /metadata/annotations/scheduling.k8s.io~1group-name "podgroup-u1"
with /spec/schedulerName="default-scheduler"
=> allowed
without /metadata/ownerReferences
=> allowed

# What a pod's annotations ask for is understood
create /pods/validate
| {metadata: {name: p}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}
=> allowed
with /metadata/annotations={"volcano.sh/jdb-min-available":"50%"}
=> allowed
with /metadata/annotations={"volcano.sh/jdb-min-available":"0"}
=> refused 422: metadata.annotations[volcano.sh/jdb-min-available]: "0": want a positive integer or a percentage from 1% to 99%
with /metadata/annotations={"volcano.sh/jdb-min-available":"101%"}
=> refused 422: metadata.annotations[volcano.sh/jdb-min-available]: "101%": want a positive integer or a percentage from 1% to 99%
with /metadata/annotations={"volcano.sh/jdb-max-unavailable":"half"}
=> refused 422: metadata.annotations[volcano.sh/jdb-max-unavailable]: "half": want a positive integer or a percentage from 1% to 99%
with /metadata/annotations={"volcano.sh/jdb-max-unavailable":"-1"}
=> refused 422: metadata.annotations[volcano.sh/jdb-max-unavailable]: "-1": want a positive integer or a percentage from 1% to 99%
with /metadata/annotations={"volcano.sh/jdb-min-available":"1","volcano.sh/jdb-max-unavailable":"1"}
=> refused 422: metadata.annotations: volcano.sh/jdb-min-available and volcano.sh/jdb-max-unavailable exclude each other; remove one
with /metadata/annotations={"scheduling.volcano.sh/group-min-member":"0"}
=> allowed
=> warns annotation scheduling.volcano.sh/group-min-member: "0" is no positive integer; the pod waits until its workload is corrected
with /metadata/annotations={"scheduling.volcano.sh/group-min-member":"two"}
=> allowed
=> warns annotation scheduling.volcano.sh/group-min-member: "two" is no positive integer; the pod waits until its workload is corrected
with /metadata/annotations={"scheduling.volcano.sh/group-min-member":"3"}
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/group-min-resources":"plenty"}
=> allowed
=> warns the annotation scheduling.volcano.sh/group-min-resources is "plenty": it is no JSON; it must be an object of amounts such as {"cpu":"4","memory":"8Gi"}; the pod waits until its workload is corrected
with /metadata/annotations={"scheduling.volcano.sh/group-min-resources":"{\"cpu\":\"4\"}"}
=> allowed
with /metadata/annotations={"sla-waiting-time":"1h"}
=> allowed
with /metadata/annotations={"sla-waiting-time":"later"}
=> allowed
with /metadata/annotations={"volcano.sh/cooldown-time":"5m"}
=> allowed
with /metadata/annotations={"volcano.sh/cooldown-time":"-5m"}
=> allowed
=> warns annotation volcano.sh/cooldown-time: "-5m" is no positive duration such as "10m"; it is ignored
with /metadata/annotations={"volcano.sh/cooldown-time":"never"} /spec/schedulerName="other"
=> allowed

# What counts for a pod that runs stays as it is
update /pods/validate
| {metadata: {name: p, annotations: {scheduling.volcano.sh/queue-name: q, scheduling.k8s.io/group-name: g, mine: x}}, spec: {schedulerName: volcano, nodeName: n1, containers: [{name: c, image: i}]}}
=> allowed
with /metadata/annotations/mine="y"
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/queue-name":"r","scheduling.k8s.io/group-name":"g"}
=> refused 422: metadata.annotations[scheduling.volcano.sh/queue-name]: "r": the pod has a node and stays in the queue in which it was bound; make a new pod for another queue
with /metadata/annotations={"scheduling.volcano.sh/queue-name":"q","scheduling.k8s.io/group-name":"h"}
=> allowed
with /metadata/annotations={}
=> refused 422: metadata.annotations[scheduling.volcano.sh/queue-name]: "": the pod has a node and stays in the queue in which it was bound; make a new pod for another queue

# What a workload asks for goes to its template where its pods are ours
create /deployments/mutate
| {metadata: {name: web, annotations: {scheduling.volcano.sh/group-min-member: "2"}}, spec: {replicas: 2, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/group-min-member":"many"}
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/group-min-resources":"{\"cpu\":\"2\"}"}
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/group-min-resources":"much"}
=> allowed
with /spec/template/spec/schedulerName="volcano"
=> add /spec/template/metadata/annotations {"scheduling.volcano.sh/group-min-member":"2"}
with /spec/template/spec/schedulerName="other"
=> allowed
with /spec/template/metadata={"annotations":{"scheduling.volcano.sh/group-min-member":"3"}}
=> allowed
without /spec/template/metadata
=> allowed

# A job that another object makes is a gang too
create /batchjobs/mutate
| {metadata: {name: nightly-1, annotations: {scheduling.volcano.sh/group-min-member: "2"}, ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: nightly, uid: u1, controller: true}]}, spec: {template: {metadata: {labels: {app: a}}, spec: {schedulerName: volcano, restartPolicy: Never, containers: [{name: c, image: i}]}}}}
=> add /spec/template/metadata/annotations {"scheduling.volcano.sh/group-min-member":"2"}

# A set that an operator makes is a gang too
create /statefulsets/mutate
| {metadata: {name: db, annotations: {scheduling.volcano.sh/group-min-member: "2"}, ownerReferences: [{apiVersion: example.com/v1, kind: Database, name: db, uid: u1, controller: true}]}, spec: {template: {metadata: {labels: {app: a}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}}}
=> add /spec/template/metadata/annotations {"scheduling.volcano.sh/group-min-member":"2"}

# A ReplicaSet keeps the template by which its maker knows it
create /replicasets/mutate
| {metadata: {name: web-1, annotations: {scheduling.volcano.sh/group-min-member: "2"}, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u1, controller: true}]}, spec: {template: {metadata: {labels: {app: a}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}}}
=> allowed
with /metadata/ownerReferences/0={"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","name":"web","uid":"u1","controller":true}
=> allowed
without /metadata/ownerReferences
=> add /spec/template/metadata/annotations {"scheduling.volcano.sh/group-min-member":"2"}

# A change of what a workload asks for reaches its template
update /statefulsets/mutate
| {metadata: {name: db, annotations: {scheduling.volcano.sh/group-min-member: "2"}}, spec: {replicas: 2, template: {metadata: {annotations: {scheduling.volcano.sh/group-min-member: "2"}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}}}
=> allowed
with /metadata/annotations={"scheduling.volcano.sh/group-min-member":"3"}
=> add /spec/template/metadata/annotations/scheduling.volcano.sh~1group-min-member "3"
with /metadata/annotations={}
=> remove /spec/template/metadata/annotations/scheduling.volcano.sh~1group-min-member 
with /spec/replicas=5
=> allowed

# Groups get a queue and a size, and go to queues that are open
queue default {}
queue team {"status":{"state":"Open"}}
queue shut {"status":{"state":"Closed"}}
namespace default {"metadata":{"annotations":{"scheduling.volcano.sh/queue-name":"team"}}}
create /podgroups/mutate
| {metadata: {name: g}, spec: {}}
=> add /spec/queue "team"
=> add /spec/minMember 1
with /spec/minMember=3
=> add /spec/queue "team"
with /spec/queue="other"
=> add /spec/minMember 1
create /podgroups/validate
| {metadata: {name: g}, spec: {queue: team, minMember: 2}}
=> allowed
with /spec/queue="shut"
=> refused 422: spec.queue: queue "shut" is Closed and takes nothing new; open it, or choose an open one
with /spec/queue="nowhere"
=> refused 422: spec.queue: there is no queue "nowhere"; create it first
with /spec/minMember=-1
=> refused 422: spec.minMember: -1: must be positive
with /spec/minTaskMember={"a":-1}
=> refused 422: spec.minTaskMember[a]: -1: must not be negative
with /spec/minResources={"cpu":"-1"}
=> refused 422: spec.minResources[cpu]: -1: must not be negative
with /spec/networkTopology={"mode":"hard","highestTierAllowed":1,"highestTierName":"x"}
=> refused 422: spec.networkTopology: highestTierAllowed and highestTierName exclude each other; remove one

# A cron job has a schedule in a time zone
create /cronjobs/validate
| {metadata: {name: nightly}, spec: {schedule: "0 2 * * *", jobTemplate: {spec: {tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}}}
=> allowed
with /spec/schedule="@daily"
=> allowed
with /spec/schedule="@sometimes"
=> refused 422: spec.schedule "@sometimes": want @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly or @every DURATION
with /spec/schedule="* * * *"
=> refused 422: spec.schedule "* * * *": has 4 fields; want five: minute, hour, day of month, month, day of week
with /spec/schedule="61 * * * *"
=> refused 422: spec.schedule "61 * * * *": minute: "61": want numbers from 0 to 59
with /spec/timeZone="Europe/Berlin"
=> allowed
with /spec/timeZone="../../etc/passwd"
=> refused 422: spec.timeZone: unknown time zone "../../etc/passwd"; want a name such as Europe/Berlin
with /spec/concurrencyPolicy="Replace"
=> allowed
with /spec/startingDeadlineSeconds=0
=> allowed
with /spec/jobTemplate={}
=> refused 422: spec.jobTemplate.spec.tasks: at least one is needed

# A hypernode says who belongs to it
create /hypernodes/validate
| {metadata: {name: h}, spec: {tier: 1, members: [{type: Node, selector: {exactMatch: {name: n}}}]}}
=> allowed
with /spec/members/0/type="Pod"
=> refused 422: spec.members[0].type: "Pod": want Node or HyperNode
with /spec/members/0/selector={"regexMatch":{"pattern":"["}}
=> refused 422: spec.members[0].selector.regexMatch.pattern: "[": is no regular expression
with /spec/members/0/selector={"labelMatch":{}}
=> allowed
with /spec/members/0/selector={"exactMatch":{"name":"n"},"regexMatch":{"pattern":"n"}}
=> refused 422: spec.members[0].selector: has 2 of exactMatch, regexMatch and labelMatch; want one of them
with /spec/members/-={"type":"HyperNode","selector":{}}
=> refused 422: spec.members[1].selector: has 0 of exactMatch, regexMatch and labelMatch; want one of them

# A reservation says how much is held, for whom and how long
queue default {}
create /reservations/validate
| {metadata: {name: r}, spec: {queue: default, tasks: [{name: t, replicas: 2, template: {spec: {containers: [{name: c, resources: {requests: {cpu: "1"}}}]}}}]}}
=> allowed
with /spec/minAvailable=2
=> allowed
with /spec/minAvailable=3
=> refused 422: spec.minAvailable: 3: must not exceed the 2 replicas of all tasks
with /spec/ttl="5m"
=> allowed
with /spec/ttl="soon"
=> refused 400: request.object: spec.ttl: time: invalid duration "soon"
with /spec/owners=[{}]
=> refused 422: spec.owners[0]: want object, labelSelector or both
with /spec/tasks/0/reservationNodeNames=[""]
=> refused 422: spec.tasks[0].reservationNodeNames: an empty name
with /spec/tasks/0/template/spec/containers/0/name=""
=> refused 422: spec.tasks[0].template.spec.containers[0].name: missing
with /spec/tasks/0/template/spec/overhead={"cpu":"-1"}
=> refused 422: spec.tasks[0].template.spec.overhead[cpu]: -1: must not be negative
with /spec/tasks/0/template/spec/resources={"limits":{"memory":"-1"}}
=> refused 422: spec.tasks[0].template.spec.resources.limits[memory]: -1: must not be negative

# A pod that opts in goes to the queue of its namespace where it names none
namespace default {"metadata":{"annotations":{"scheduling.volcano.sh/queue-name":"team"}}}
create /pods/mutate
| {metadata: {name: p, annotations: {scheduling.volcano.sh/queue-allocation-gate: "true"}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}
=> add /metadata/annotations/scheduling.volcano.sh~1queue-name "team"
=> add /spec/schedulingGates [{"name":"scheduling.volcano.sh/queue-allocation-gate"}]
with /metadata/annotations={"scheduling.volcano.sh/queue-allocation-gate":"true","scheduling.volcano.sh/queue-name":"mine"}
=> add /spec/schedulingGates [{"name":"scheduling.volcano.sh/queue-allocation-gate"}]
with /metadata/annotations={"scheduling.volcano.sh/queue-allocation-gate":"true","scheduling.k8s.io/group-name":"g"}
=> add /spec/schedulingGates [{"name":"scheduling.volcano.sh/queue-allocation-gate"}]
without /metadata/annotations
=> allowed

# What a reservation leaves out is filled in
queue team {"status":{"state":"Open"}}
namespace default {"metadata":{"annotations":{"scheduling.volcano.sh/queue-name":"team"}}}
create /reservations/mutate
| {metadata: {name: r}, spec: {tasks: [{name: a, replicas: 2, template: {spec: {containers: [{name: c}]}}}, {name: b, replicas: 3, template: {spec: {schedulerName: other, containers: [{name: c}]}}}]}}
=> add /spec/schedulerName "volcano"
=> add /spec/tasks/0/template/spec/schedulerName "volcano"
=> add /spec/queue "team"
=> add /spec/minAvailable 5
with /spec/minAvailable=1 /spec/queue="mine" /spec/schedulerName="own"
=> add /spec/tasks/0/template/spec/schedulerName "own"
with /spec/minAvailable=0
=> add /spec/schedulerName "volcano"
=> add /spec/tasks/0/template/spec/schedulerName "volcano"
=> add /spec/queue "team"
=> add /spec/minAvailable 5
with /spec/tasks=[]
=> add /spec/schedulerName "volcano"
=> add /spec/queue "team"

# A reservation that cannot be held is refused
queue default {}
queue shut {"status":{"state":"Closed"}}
create /reservations/validate
| {metadata: {name: r}, spec: {queue: default, tasks: [{name: t, replicas: 2, template: {spec: {containers: [{name: c}]}}}]}}
=> allowed
with /spec/queue="shut"
=> refused 422: spec.queue: queue "shut" is Closed and takes nothing new; open it, or choose an open one
with /spec/tasks=[]
=> refused 422: spec.tasks: at least one is needed
with /spec/tasks/0/replicas=0
=> refused 422: spec.tasks[0].replicas: 0: must be positive
with /spec/tasks/0/replicas=10000
=> allowed
with /spec/tasks/0/replicas=10001
=> refused 422: spec.tasks: 10001 replicas are more than the 10000 of a reservation; make several
with /spec/tasks/-={"name":"t","replicas":1,"template":{"spec":{"containers":[{"name":"c"}]}}}
=> refused 422: spec.tasks[1].name: "t": another task has this name
with /spec/tasks/0/name="T"
=> refused 422: spec.tasks[0].name: "T": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
with /spec/tasks/0/template/spec/containers=[]
=> refused 422: spec.tasks[0].template.spec.containers: at least one is needed: it says how much to reserve
with /spec/tasks/0/template/spec/containers/0/resources={"requests":{"cpu":"-1"}}
=> refused 422: spec.tasks[0].template.spec.containers[0].resources.requests[cpu]: -1: must not be negative
with /spec/tasks/0/template/spec/initContainers=[{"name":"i","resources":{"limits":{"cpu":"-1"}}}]
=> refused 422: spec.tasks[0].template.spec.initContainers[0].resources.limits[cpu]: -1: must not be negative
with /spec/tasks/0/reservationNodePolicy="Required"
=> refused 422: spec.tasks[0].reservationNodeNames: the policy Required needs at least one; name the nodes, or use Preferred
with /spec/tasks/0/reservationNodePolicy="Required" /spec/tasks/0/reservationNodeNames=["n1"]
=> allowed
with /spec/minAvailable=-1
=> refused 422: spec.minAvailable: -1: must be positive
with /spec/ttl="-5m"
=> refused 422: spec.ttl: -5m0s: must not be negative; 0s never expires
with /spec/ttl="0s"
=> allowed

# Of a reservation its owners and its end may change
queue default {}
update /reservations/validate
| {metadata: {name: r}, spec: {queue: default, minAvailable: 2, schedulerName: volcano, tasks: [{name: t, replicas: 2, template: {spec: {containers: [{name: c}]}}}]}}
=> allowed
with /spec/ttl="5m" /spec/expires="2030-01-01T00:00:00Z" /spec/owners=[{"labelSelector":{"matchLabels":{"app":"web"}}}]
=> allowed
with /spec/owners=[{}]
=> refused 422: spec.owners[0]: want object, labelSelector or both
with /spec/queue="other"
=> refused 422: spec.queue: cannot be changed; delete the reservation and create another
with /spec/minAvailable=1
=> refused 422: spec.minAvailable: cannot be changed; delete the reservation and create another
with /spec/schedulerName="other"
=> refused 422: spec.schedulerName: cannot be changed; delete the reservation and create another; spec.tasks: cannot be changed; delete the reservation and create another
with /spec/tasks/0/replicas=3
=> refused 422: spec.tasks: cannot be changed; delete the reservation and create another
with /spec/tasks/0/template/spec/schedulerName="volcano"
=> allowed
with /spec/tasks/0/template/spec/containers/0/image="i"
=> refused 422: spec.tasks: cannot be changed; delete the reservation and create another
