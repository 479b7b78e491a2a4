# What a job leaves out is filled in
queue default {"status":{"state":"Open"}}
namespace default {}
create /jobs/mutate
| {metadata: {name: train}, spec: {tasks: [{replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}, {name: w, replicas: 3, minAvailable: 1, template: {spec: {hostNetwork: true}}}]}}
=> add /spec/queue "default"
=> add /spec/schedulerName "volcano"
=> add /spec/maxRetry 3
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/tasks/1/template/spec/dnsPolicy "ClusterFirstWithHostNet"
=> add /spec/minAvailable 3
with /spec/queue="q" /spec/schedulerName="s" /spec/maxRetry=1 /spec/minAvailable=1
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/tasks/1/template/spec/dnsPolicy "ClusterFirstWithHostNet"
with /spec/tasks/1/partitionPolicy={"totalPartitions":3,"partitionSize":1,"minPartitions":2} /spec/tasks/1/minAvailable=0
=> add /spec/queue "default"
=> add /spec/schedulerName "volcano"
=> add /spec/maxRetry 3
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/tasks/1/template/spec/dnsPolicy "ClusterFirstWithHostNet"
=> add /spec/minAvailable 2
with /spec/plugins={"mpi":[]}
=> add /spec/queue "default"
=> add /spec/schedulerName "volcano"
=> add /spec/maxRetry 3
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/tasks/1/template/spec/dnsPolicy "ClusterFirstWithHostNet"
=> add /spec/minAvailable 3
=> add /spec/plugins/svc []
=> add /spec/plugins/ssh []
with /spec/plugins={"tensorflow":[],"svc":["--x"]}
=> add /spec/queue "default"
=> add /spec/schedulerName "volcano"
=> add /spec/maxRetry 3
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/tasks/1/template/spec/dnsPolicy "ClusterFirstWithHostNet"
=> add /spec/minAvailable 3
with /spec/plugins={"pytorch":[]}
=> add /spec/queue "default"
=> add /spec/schedulerName "volcano"
=> add /spec/maxRetry 3
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/tasks/1/template/spec/dnsPolicy "ClusterFirstWithHostNet"
=> add /spec/minAvailable 3
=> add /spec/plugins/svc []
with /spec/plugins={"ray":[]}
=> add /spec/queue "default"
=> add /spec/schedulerName "volcano"
=> add /spec/maxRetry 3
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/tasks/1/template/spec/dnsPolicy "ClusterFirstWithHostNet"
=> add /spec/minAvailable 3
=> add /spec/plugins/svc []
with /spec/plugins={"env":[]}
=> add /spec/queue "default"
=> add /spec/schedulerName "volcano"
=> add /spec/maxRetry 3
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/tasks/1/template/spec/dnsPolicy "ClusterFirstWithHostNet"
=> add /spec/minAvailable 3
with /spec/tasks/1/template/spec/dnsPolicy="None"
=> add /spec/queue "default"
=> add /spec/schedulerName "volcano"
=> add /spec/maxRetry 3
=> add /spec/tasks/0/name "default0"
=> add /spec/tasks/0/minAvailable 2
=> add /spec/tasks/0/maxRetry 3
=> add /spec/tasks/1/maxRetry 3
=> add /spec/minAvailable 3
without /spec
=> allowed

# A job of a namespace that names a queue goes there
queue team {"status":{"state":"Open"}}
namespace default {"metadata":{"annotations":{"scheduling.volcano.sh/queue-name":"team"}}}
create /jobs/mutate
| {metadata: {name: train}, spec: {schedulerName: volcano, maxRetry: 3, minAvailable: 1, tasks: [{name: t, replicas: 1, minAvailable: 1, maxRetry: 3, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> add /spec/queue "team"
with /spec/queue="default"
=> add /spec/queue "team"
with /spec/queue="other"
=> allowed

# Everything that is wrong with a job is told at once
queue default {"status":{"state":"Open"}}
create /jobs/validate
| {metadata: {name: train}, spec: {minAvailable: -1, maxRetry: -2, minSuccess: 0, tasks: [{name: T, replicas: -1, template: {spec: {}}}], policies: [{action: Explode}], volumes: [{}], plugins: {magic: []}}}
=> refused 422: spec.minAvailable: -1: must not be negative; spec.maxRetry: -2: must not be negative; spec.minSuccess: 0: must be at least 1; spec.tasks[0].name: "T": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'); spec.tasks[0].replicas: -1: must not be negative; spec.tasks[0].minAvailable: -1: must not be negative; spec.tasks[0].template.spec.containers: at least one is needed; spec.policies[0]: want event, events or exitCode; spec.policies[0].action: "Explode": want AbortJob, RestartJob, RestartTask, RestartPod, RestartPartition, TerminateJob, CompleteJob, ResumeJob; spec.volumes[0].mountPath: missing; spec.volumes[0]: want volumeClaimName or volumeClaim; spec.plugins: "magic": there is no such plugin; want env, svc, ssh, pytorch, tensorflow, mpi, ray or hcclrank

# The template of a job's pods is held to what Kubernetes allows
queue default {"status":{"state":"Open"}}
create /jobs/validate
| {metadata: {name: train}, spec: {tasks: [{name: t, replicas: 1, template: {spec: {volumes: [{name: v, emptyDir: {}}], containers: [{name: c, image: i}]}}}]}}
=> allowed
with /spec/tasks/0/template/spec/volumes/-={"name":"v"}
=> refused 422: spec.tasks[0].template.spec.volumes[1].name: "v": another volume has this name
with /spec/tasks/0/template/spec/volumes/-={"name":"V"}
=> refused 422: spec.tasks[0].template.spec.volumes[1].name: "V": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
with /spec/tasks/0/template/spec/volumes/-={"name":"w","persistentVolumeClaim":{}}
=> refused 422: spec.tasks[0].template.spec.volumes[1].persistentVolumeClaim.claimName: missing
with /spec/tasks/0/template/spec/volumes/-={"name":"w","persistentVolumeClaim":{"claimName":"c"}}
=> allowed
with /spec/tasks/0/template/spec/initContainers=[{"name":"c","image":"i"}]
=> refused 422: spec.tasks[0].template.spec.containers[0].name: "c": another container has this name
with /spec/tasks/0/template/spec/initContainers=[{"name":"d","image":"i"}]
=> allowed
with /spec/tasks/0/template/spec/initContainers=[{"name":"d"}]
=> refused 422: spec.tasks[0].template.spec.initContainers[0].image: missing
with /spec/tasks/0/template/spec/containers/0/imagePullPolicy="Sometimes"
=> refused 422: spec.tasks[0].template.spec.containers[0].imagePullPolicy: "Sometimes": want Always, IfNotPresent, Never
with /spec/tasks/0/template/spec/containers/0/imagePullPolicy="IfNotPresent"
=> allowed
with /spec/tasks/0/template/spec/dnsPolicy="Mine"
=> refused 422: spec.tasks[0].template.spec.dnsPolicy: "Mine": want ClusterFirst, ClusterFirstWithHostNet, Default, None
with /spec/tasks/0/template/spec/dnsPolicy="Default"
=> allowed
with /spec/tasks/0/template/spec/preemptionPolicy="Always"
=> refused 422: spec.tasks[0].template.spec.preemptionPolicy: "Always": want Never, PreemptLowerPriority
with /spec/tasks/0/template/spec/preemptionPolicy="Never"
=> allowed
with /spec/tasks/0/template/spec/terminationGracePeriodSeconds=-1
=> refused 422: spec.tasks[0].template.spec.terminationGracePeriodSeconds: -1: must not be negative
with /spec/tasks/0/template/spec/terminationGracePeriodSeconds=0
=> allowed
with /spec/tasks/0/template/spec/activeDeadlineSeconds=1
=> allowed
with /spec/tasks/0/template/spec/priorityClassName="High!"
=> refused 422: spec.tasks[0].template.spec.priorityClassName: "High!": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
with /spec/tasks/0/template/spec/serviceAccountName="My Account"
=> refused 422: spec.tasks[0].template.spec.serviceAccountName: "My Account": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
with /spec/tasks/0/template/spec/schedulerName="a.b"
=> allowed
with /spec/tasks/0/template/spec/hostname="a.b"
=> refused 422: spec.tasks[0].template.spec.hostname: "a.b": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
with /spec/tasks/0/template/spec/subdomain="A"
=> refused 422: spec.tasks[0].template.spec.subdomain: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
with /spec/tasks/0/template/spec/hostname="a"
=> allowed
with /spec/tasks/0/template/metadata={"annotations":{"a/b/c":"x"}}
=> refused 422: spec.tasks[0].template.metadata.annotations: "a/b/c": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')
with /spec/tasks/0/template/metadata={"annotations":{"a/b":"any thing"}}
=> allowed
with /spec/tasks/0/template/spec/nodeSelector={"a":"b"}
=> allowed
with /spec/tasks/0/template/spec/containers/0/env=[{"name":""}]
=> refused 422: spec.tasks[0].template.spec.containers[0].env[0].name: missing
with /spec/tasks/0/template/spec/containers/0/env=[{"name":"A","value":"b","valueFrom":{}}]
=> refused 422: spec.tasks[0].template.spec.containers[0].env[0]: value and valueFrom of A exclude each other
with /spec/tasks/0/template/spec/containers/0/env=[{"name":"A","valueFrom":{}}]
=> allowed
with /spec/tasks/0/template/spec/containers/0/volumeMounts=[{"name":"v","mountPath":""}]
=> refused 422: spec.tasks[0].template.spec.containers[0].volumeMounts[0].mountPath: missing
with /spec/tasks/0/template/spec/containers/0/volumeMounts=[{"name":"v","mountPath":"/a"},{"name":"v","mountPath":"/a"}]
=> refused 422: spec.tasks[0].template.spec.containers[0].volumeMounts[1].mountPath: "/a": another volume is mounted there
with /spec/tasks/0/template/spec/containers/0/volumeMounts=[{"name":"v","mountPath":"/a"},{"name":"v","mountPath":"/b"}]
=> allowed
with /spec/tasks/0/template/spec/containers/0/ports=[{"containerPort":0}]
=> refused 422: spec.tasks[0].template.spec.containers[0].ports[0].containerPort: 0: want a number from 1 to 65535
with /spec/tasks/0/template/spec/containers/0/ports=[{"containerPort":65535}]
=> allowed
with /spec/tasks/0/template/spec/containers/0/ports=[{"containerPort":80,"protocol":"ICMP"}]
=> refused 422: spec.tasks[0].template.spec.containers[0].ports[0].protocol: "ICMP": want TCP, UDP, SCTP
with /spec/tasks/0/template/spec/containers/0/ports=[{"containerPort":80,"hostPort":70000}]
=> refused 422: spec.tasks[0].template.spec.containers[0].ports[0].hostPort: 70000: want a number from 1 to 65535
with /spec/tasks/0/template/spec/containers/0/resources={"requests":{"cpu":"1"},"limits":{"cpu":"1"}}
=> allowed
with /spec/tasks/0/template/spec/containers/0/resources={"requests":{"nvidia.com/gpu":"1"}}
=> allowed
with /spec/tasks/0/template/spec/containers/0/resources={"requests":{"cpu":0.5}}
=> allowed
with /spec/tasks/0/template/spec/tolerations=[{"operator":"Exists"}]
=> allowed
with /spec/tasks/0/template/spec/tolerations=[{"key":"a","operator":"Exists","value":"b"}]
=> refused 422: spec.tasks[0].template.spec.tolerations[0].value: "b": must be empty where operator is Exists
with /spec/tasks/0/template/spec/tolerations=[{"key":"a","operator":"Near"}]
=> refused 422: spec.tasks[0].template.spec.tolerations[0].operator: "Near": want Exists, Equal, Lt, Gt
with /spec/tasks/0/template/spec/tolerations=[{"key":"a","effect":"Sometimes"}]
=> refused 422: spec.tasks[0].template.spec.tolerations[0].effect: "Sometimes": want NoSchedule, PreferNoSchedule, NoExecute
with /spec/tasks/0/template/spec/tolerations=[{"key":"a","value":"b","effect":"NoExecute"}]
=> allowed

# Names of jobs and tasks fit into the names of pods
queue default {"status":{"state":"Open"}}
create /jobs/validate
| {metadata: {name: train}, spec: {tasks: [{name: t, replicas: 11, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> allowed
with /metadata/name="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
=> allowed
with /metadata/name="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
=> refused 422: spec.tasks[0].name: its pods' names, such as "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-t-10", have more than 63 characters; choose a shorter name for the task or the job
with /metadata/name="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" /spec/tasks/0/replicas=1
=> allowed
with /metadata/name="a_b"
=> allowed
with /metadata/name="a/"
=> refused 422: metadata.name: "a/": name part must be non-empty
without /metadata/name
=> allowed

# Policies say one thing each
queue default {"status":{"state":"Open"}}
create /jobs/validate
| {metadata: {name: train}, spec: {policies: [{event: PodFailed, action: RestartJob, timeout: 10m}], tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> allowed
with /spec/policies/0/timeout="-1s"
=> refused 422: spec.policies[0].timeout: "-1s": want a duration such as 90s or 10m
with /spec/policies/0/timeout="0s"
=> allowed
with /spec/policies/0/events=["PodEvicted","TaskFailed"]
=> allowed
with /spec/policies/0/events=["PodFailed"]
=> refused 422: spec.policies[0].event: "PodFailed": another policy of the list is for it
with /spec/policies/-={"exitCode":-1,"action":"AbortJob"}
=> allowed
with /spec/policies/0/exitCode=null
=> allowed
with /spec/policies/0/event="Unknown"
=> allowed
with /spec/policies/0/event="JobUpdated"
=> allowed
with /spec/policies/0/event="podfailed"
=> refused 422: spec.policies[0].event: "podfailed": want *, PodFailed, PodEvicted, PodPending, TaskCompleted, TaskFailed, Unknown, JobUpdated
with /spec/tasks/0/policies=[{"event":"PodFailed","action":"RestartTask"}]
=> allowed
with /spec/tasks/0/policies=[{"event":"*","action":"ResumeJob"},{"exitCode":1,"action":"RestartPartition"}]
=> allowed
with /spec/tasks/0/policies=[{}]
=> refused 422: spec.tasks[0].policies[0]: want event, events or exitCode; spec.tasks[0].policies[0].action: "": want AbortJob, RestartJob, RestartTask, RestartPod, RestartPartition, TerminateJob, CompleteJob, ResumeJob

# Of a job only its size and its importance change
queue default {"status":{"state":"Open"}}
update /jobs/validate
| {metadata: {name: train}, spec: {minAvailable: 2, queue: default, plugins: {svc: []}, volumes: [{mountPath: /a, volumeClaim: {accessModes: [ReadWriteOnce]}}], tasks: [{name: t, replicas: 2, minAvailable: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> allowed
with /spec/minAvailable=1
=> allowed
with /spec/minAvailable=3
=> refused 422: spec.minAvailable: 3: must not exceed the 2 replicas of all tasks
with /spec/tasks/0/replicas=5
=> allowed
with /spec/tasks/0/replicas=1
=> refused 422: spec.tasks[0].minAvailable: 2: must not exceed its replicas, which are 1; spec.minAvailable: 2: must not exceed the 1 replicas of all tasks
with /spec/tasks/0/replicas=1 /spec/tasks/0/minAvailable=1 /spec/minAvailable=1
=> allowed
with /spec/priorityClassName="high"
=> allowed
with /spec/priorityClassName="High!"
=> allowed
with /spec/queue="other"
=> refused 422: spec.queue: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/schedulerName="volcano"
=> allowed
with /spec/schedulerName="other"
=> refused 422: spec.schedulerName: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/maxRetry=3
=> allowed
with /spec/maxRetry=4
=> refused 422: spec.maxRetry: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/plugins={}
=> refused 422: spec.plugins: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/policies=[{"event":"PodFailed","action":"AbortJob"}]
=> refused 422: spec.policies: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/tasks/0/name="u"
=> refused 422: spec.tasks[0].name: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/tasks/0/template/spec/containers/0/image="j"
=> refused 422: spec.tasks[0].template: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/tasks/-={"name":"u","replicas":1,"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}
=> refused 422: spec.tasks: 2 instead of 1: tasks cannot be added or removed
with /spec/tasks=[]
=> refused 422: spec.tasks: 0 instead of 1: tasks cannot be added or removed
with /spec/volumes/0/volumeClaimName="made-by-the-controller"
=> allowed
with /spec/volumes/0/mountPath="/b"
=> refused 422: spec.volumes[0].mountPath: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/volumes=[]
=> refused 422: spec.volumes: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /spec/ttlSecondsAfterFinished=null
=> allowed
with /spec/ttlSecondsAfterFinished=10
=> refused 422: spec.ttlSecondsAfterFinished: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can
with /metadata/labels={"a":"b"}
=> allowed
without /spec/plugins
=> refused 422: spec.plugins: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and tasks[].minAvailable can

# A job of a queue that has closed since may still change
queue shut {"status":{"state":"Closed"}}
update /jobs/validate
| {metadata: {name: train}, spec: {queue: shut, minAvailable: 1, tasks: [{name: t, replicas: 2, minAvailable: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> allowed
with /spec/tasks/0/replicas=3
=> allowed

# A template of jobs is held to the same rules, and to no queue
create /jobtemplates/validate
| {metadata: {name: t}, spec: {queue: nowhere, tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> allowed
with /spec/tasks/0/replicas=-1
=> refused 422: spec.tasks[0].replicas: -1: must not be negative; spec.tasks[0].minAvailable: -1: must not be negative
with /spec/tasks=[]
=> refused 422: spec.tasks: at least one is needed
with /spec/plugins={"mpi":[]}
=> refused 422: spec.plugins.mpi: there is no task "master" to be its master
with /spec/plugins={"mpi":["--master=t"]}
=> allowed
with /spec/plugins={"mpi":["master=t"]}
=> refused 422: spec.plugins.mpi: there is no task "master" to be its master
with /spec/plugins={"mpi":["--master"]}
=> refused 422: spec.plugins.mpi: there is no task "master" to be its master
with /spec/plugins={"mpi":[7,"--master","t"]}
=> allowed

# A flow's steps need steps of the same flow, and no circle
create /jobflows/validate
| {metadata: {name: f}, spec: {flows: [{name: a}, {name: b, dependsOn: {targets: [a]}}]}}
=> allowed
with /spec/flows/0/dependsOn={"targets":["b"]}
=> refused 422: spec.flows: dependsOn goes in a circle: a, b, a
with /spec/flows/0/dependsOn={"targets":["a"]}
=> refused 422: spec.flows[0].dependsOn.targets: "a": a flow cannot wait for itself
with /spec/flows/0/dependsOn={"targets":["z"]}
=> refused 422: spec.flows[0].dependsOn.targets: "z": there is no such flow here
with /spec/flows=[]
=> allowed
with /spec/jobRetainPolicy="delete"
=> allowed
with /spec/jobRetainPolicy="burn"
=> refused 422: spec.jobRetainPolicy: "burn": want retain or delete
