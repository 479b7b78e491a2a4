# Without a scheduler that answers it is said how to have one
cluster
$ basalt explain pod p
! basalt: error: no scheduler answers questions: there is no Secret volcano-system/basalt-query. Start "basalt scheduler" with --query-address, or name its namespace with --scheduler-namespace
= 1
$ basalt podgroup list
! basalt: error: no scheduler answers questions: there is no Secret volcano-system/basalt-query. Start "basalt scheduler" with --query-address, or name its namespace with --scheduler-namespace
= 1
$ basalt status
! basalt: error: no scheduler answers questions: there is no Secret volcano-system/basalt-query. Start "basalt scheduler" with --query-address, or name its namespace with --scheduler-namespace
= 1
$ basalt explain queue q --scheduler-namespace elsewhere
! basalt: error: no scheduler answers questions: there is no Secret elsewhere/basalt-query. Start "basalt scheduler" with --query-address, or name its namespace with --scheduler-namespace
= 1

# What cannot be explained is told with what can
$ basalt explain pdo p
! basalt: error: explain: "pdo" cannot be explained; pod, podgroup, job, queue, reservation, scale, deployment, replicaset, statefulset, daemonset can. Did you mean pod?
= 2
$ basalt explain service s
! basalt: error: explain: "service" cannot be explained; pod, podgroup, job, queue, reservation, scale, deployment, replicaset, statefulset, daemonset can.
= 2
$ basalt explain pod
! basalt: error: explain: pod needs its NAME, or --label-selector
= 2
$ basalt explain pod/a b
! basalt: error: explain: two names are given: b
= 2
$ basalt explain pod a -l app=web
! basalt: error: explain: either a NAME, or --label-selector and --all-namespaces
= 2
$ basalt explain pod a -A
! basalt: error: explain: either a NAME, or --label-selector and --all-namespaces
= 2
$ basalt explain pod a --queue q
! basalt: error: explain: --queue is for explain scale
= 2
$ basalt explain scale web
! basalt: error: explain: scale takes no NAME; --queue and --namespace choose pods
= 2
$ basalt explain scale -l app=web
! basalt: error: explain: scale takes no labels; --queue and --namespace choose pods
= 2
$ basalt explain
! basalt: error: basalt explain needs a KIND: pod, podgroup, job, queue, reservation, scale, deployment, replicaset, statefulset, daemonset. See "basalt help explain".
= 2

# A pod that waits is explained for people and for programs
cluster
scheduler answers GET /v1/explain/pod/default/p
| {"kind": "pod", "namespace": "default", "name": "p", "stage": "node", "reason": "Unschedulable",
|  "message": "0/3 nodes are available", "nodes": [{"count": 2, "reason": "Insufficient cpu"}, {"count": 1, "reason": "had taints"}],
|  "until": "a node has 2 cpu", "change": "add a node with 2 cpu"}
$ basalt explain pod p
  pod default/p
  Stage:   node
  Reason:  Unschedulable
  Message: 0/3 nodes are available
  Nodes:
         2  Insufficient cpu
         1  had taints
  Until:   a node has 2 cpu
  Change:  add a node with 2 cpu
$ basalt explain po/p
  pod default/p
  Stage:   node
  Reason:  Unschedulable
  Message: 0/3 nodes are available
  Nodes:
         2  Insufficient cpu
         1  had taints
  Until:   a node has 2 cpu
  Change:  add a node with 2 cpu
$ basalt explain pods p -o json
  {"kind":"pod","namespace":"default","name":"p","stage":"node","reason":"Unschedulable","message":"0/3 nodes are available","nodes":[{"count":2,"reason":"Insufficient cpu"},{"count":1,"reason":"had taints"}],"until":"a node has 2 cpu","change":"add a node with 2 cpu"}
$ basalt explain pod p -o yaml
  kind: pod
  namespace: default
  name: p
  stage: node
  reason: Unschedulable
  message: "0/3 nodes are available"
  nodes:
  - count: 2
    reason: "Insufficient cpu"
  - count: 1
    reason: "had taints"
  until: "a node has 2 cpu"
  change: "add a node with 2 cpu"
$ basalt explain pod p -o name
  pod/p
$ basalt explain pod q
! basalt: error: GET /v1/explain/pod/default/q: unknown here
= 1

# A queue that is short names who holds what it lacks
cluster
scheduler answers GET /v1/explain/podgroup/team/g
| {"kind": "podgroup", "namespace": "team", "name": "g", "stage": "queue", "reason": "QueueFull", "message": "queue q is full",
|  "queue": {"name": "q", "resource": "cpu", "holders": [
|    {"amount": "2", "kind": "podgroup", "namespace": "team", "name": "h", "queue": "q"},
|    {"amount": "1500m", "kind": "pod", "namespace": "other", "name": "p", "queue": "r", "claimedSince": "10:00"}]}}
$ basalt explain pg g -n team
  podgroup team/g
  Stage:   queue
  Reason:  QueueFull
  Message: queue q is full
  Queue:   q is short of cpu
           2  podgroup team/h (queue q)
       1500m  pod other/p (queue r, admitted 10:00, no node)
$ basalt explain podgroup/g --namespace team -o name
  podgroup/g

# A queue is explained with the groups that wait in it
cluster
scheduler answers GET /v1/explain/queue/q
| {"kind": "queue", "name": "q", "stage": "queue", "reason": "Closed", "message": "queue q is closed", "waitingTotal": 3,
|  "waiting": [{"namespace": "a", "name": "g", "stage": "gang", "message": "1 of 2"}, {"namespace": "b", "name": "h", "stage": "enqueue", "message": "not let in"}]}
$ basalt explain q q
  queue q
  Stage:   queue
  Reason:  Closed
  Message: queue q is closed
  Waiting: 3 group(s)
    a/g  gang: 1 of 2
    b/h  enqueue: not let in
$ basalt explain queue q -n team
  queue q
  Stage:   queue
  Reason:  Closed
  Message: queue q is closed
  Waiting: 3 group(s)
    a/g  gang: 1 of 2
    b/h  enqueue: not let in

# The pods of a workload are explained together
cluster
given
| apiVersion: apps/v1
| kind: Deployment
| metadata: {name: web}
| spec:
|   replicas: 2
|   selector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: NotIn, values: [x, y]}, {key: gone, operator: DoesNotExist}, {key: app, operator: Exists}, {key: app, operator: In, values: [web, www]}]}
|   template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: web-1, labels: {app: web}}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: web-2, labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: web-3, labels: {app: web, tier: x}}, spec: {containers: [{name: c, image: i}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: web-4, labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
scheduler answers GET /v1/explain/pod/default/web-2
| {"kind": "pod", "namespace": "default", "name": "web-2", "stage": "node", "reason": "Unschedulable", "message": "no room"}
$ basalt explain deploy web
  1 of 3 pods has a node.
  ~
  pod default/web-2
  Stage:   node
  Reason:  Unschedulable
  Message: no room
  ~
  and 1 more without a node
$ basalt explain deployment/web -o json
  {"pods":3,"placed":1,"items":[{"kind":"pod","namespace":"default","name":"web-2","stage":"node","reason":"Unschedulable","message":"no room"}]}
$ basalt explain pod -l app=web
  1 of 4 pods has a node.
  ~
  pod default/web-2
  Stage:   node
  Reason:  Unschedulable
  Message: no room
  ~
  and 2 more without a node
$ basalt explain pod -l app=nothing
! basalt: error: the selector app=nothing has no pods in namespace default
= 1
$ basalt explain pod -A -l app=web -o json
  {"pods":4,"placed":1,"items":[{"kind":"pod","namespace":"default","name":"web-2","stage":"node","reason":"Unschedulable","message":"no room"}]}
$ basalt explain deployment api
! basalt: error: deployments.apps "api" not found
= 1
$ basalt explain replicaset -l app=web
! basalt: error: no replicaset has these labels
= 1
$ basalt explain deployments -l app!=x
  1 of 3 pods has a node.
  ~
  pod default/web-2
  Stage:   node
  Reason:  Unschedulable
  Message: no room
  ~
  and 1 more without a node

# What autoscalers make of pods is a line for each
cluster
scheduler answers GET /v1/explain/scale
| {"message": "2 pods without a node", "items": [
|   {"namespace": "a", "name": "p", "queue": "q", "clusterAutoscaler": {"sight": "seen", "why": "Unschedulable"}, "karpenter": {"sight": "placed", "why": "nominated to n1"}},
|   {"namespace": "a", "name": "r", "queue": "q"}]}
scheduler answers GET /v1/explain/scale/team?queue=q%2Fx
| {"message": "no pod without a node", "items": []}
$ basalt explain scale
  2 pods without a node
  NAMESPACE   NAME   QUEUE   CLUSTER AUTOSCALER    KARPENTER
  a           p      q       seen: Unschedulable   nominated to n1
  a           r      q
$ basalt explain scale -n team --queue q/x
  no pod without a node

# Groups are listed with those that exist in the scheduler alone
cluster
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g, labels: {team: blue}}, spec: {minMember: 2}}
scheduler answers GET /v1/podgroups
| {"items": [{"namespace": "default", "name": "g", "queue": "q", "phase": "Running", "minMember": 2, "pods": 3, "pending": 1, "running": 2, "pipelined": 0, "succeeded": 4, "failed": 5, "created": "now"},
|            {"namespace": "default", "name": "podgroup-1", "queue": "q", "phase": "Pending", "minMember": 1, "pods": 1, "pending": 1, "running": 0, "shadow": true, "pod": "p"}]}
scheduler answers GET /v1/podgroups/default
| {"items": []}
$ basalt podgroup list
  NAMESPACE   NAME         QUEUE   PHASE     MINMEMBER   PODS   PENDING   RUNNING   KIND
  default     g            q       Running   2           3      1         2         PodGroup
  default     podgroup-1   q       Pending   1           1      1         0         shadow of pod p
$ basalt podgroup list -o wide
  NAMESPACE   NAME         QUEUE   PHASE     MINMEMBER   PODS   PENDING   RUNNING   KIND              PIPELINED   SUCCEEDED   FAILED   CREATED
  default     g            q       Running   2           3      1         2         PodGroup          0           4           5        now
  default     podgroup-1   q       Pending   1           1      1         0         shadow of pod p   -           -           -        -
$ basalt podgroup list -o name
  podgroup.scheduling.volcano.sh/g
  podgroup.scheduling.volcano.sh/podgroup-1
$ basalt podgroup list -l team=blue -o name
  podgroup.scheduling.volcano.sh/g
$ basalt podgroup list -l team=red
  No PodGroups.
$ basalt podgroup list -n default
  No PodGroups.
$ basalt podgroup list -n default -A -o name
  podgroup.scheduling.volcano.sh/g
  podgroup.scheduling.volcano.sh/podgroup-1

# Health is one screen
cluster
given
| {apiVersion: v1, kind: Namespace, metadata: {name: volcano-system}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q, labels: {team: blue}}, spec: {weight: 1}}
scheduler answers GET /v1/status
| {"nodes": {"total": 3, "ready": 2, "cordoned": 1, "allocatable": {"cpu": "12", "memory": "24Gi"}, "used": {"cpu": "9", "memory": "24Gi"}}, "runningPods": 1,
|  "queues": [{"name": "root", "state": "Open"}, {"name": "q", "state": "Open", "allocated": {"cpu": "9"}, "capability": {"cpu": "10"}, "running": 1, "inqueue": 2, "pending": 3, "waitingPods": 4},
|             {"name": "r", "state": "Closed", "allocated": {"memory": "6Gi"}}],
|  "waiting": [{"pods": 3, "reason": "Unschedulable"}, {"pods": 1, "reason": "WaitingForQueue"}],
|  "claims": {"withoutNode": 2, "promised": 1}, "reservations": {"Available": 1, "Pending": 0}, "fragmentation": {"cpu": 0.25},
|  "activity": {"leadsSince": "then", "evictionsLastHour": 7, "lastCycle": {"number": 42, "at": "2099-01-01T00:00:00Z", "milliseconds": 1.25, "jobsPutOff": 1},
|               "lastDecision": {"at": "2099-01-01T00:00:00Z", "binds": 1, "promises": 0, "evictions": 2}}}
$ basalt status
  basalt VERSION on https://HOST:PORT, TIME
  ~
  Leaders        no leases: each role runs alone; the scheduler works since then
  ~
  Last cycle     number 42, 0s ago, took 1.2 ms, left 1 job to the next; last decision 0s ago: 1 bind, 0 promises, 2 evictions
  Nodes          2 of 3 ready, 1 cordoned; 1 pod on them
    cpu          ███████▌··  75%  9 of 12
    memory       ██████████ 100%  24Gi of 24Gi
  ~
  QUEUE   STATE    FULL               OF                                   RUNNING   INQUEUE   PENDING   PODS WAITING
  q       Open     █████████·   90%   cpu 9 of 10                          1         2         3         4
  r       Closed   ██▌·······   25%   memory 6Gi of 24Gi (the cluster's)   0         0         0         0
  ~
  Waiting        4 pods: 3 Unschedulable, 1 WaitingForQueue
  Claims         2 admitted without a node, 1 promised one
  Evictions      7 in the last hour
  Reservations   1 Available
  Fragmentation  of the free room cpu 25% is beside pods
$ basalt status -l team=blue -o yaml
  nodes:
    total: 3
    ready: 2
    cordoned: 1
    allocatable:
      cpu: "12"
      memory: "24Gi"
    used:
      cpu: "9"
      memory: "24Gi"
  runningPods: 1
  queues:
  - name: q
    state: Open
    allocated:
      cpu: "9"
    capability:
      cpu: "10"
    running: 1
    inqueue: 2
    pending: 3
    waitingPods: 4
  waiting:
  - pods: 3
    reason: Unschedulable
  - pods: 1
    reason: WaitingForQueue
  claims:
    withoutNode: 2
    promised: 1
  reservations:
    Available: 1
    Pending: 0
  fragmentation:
    cpu: 0.25
  activity:
    leadsSince: then
    evictionsLastHour: 7
    lastCycle:
      number: 42
      at: "TIME"
      milliseconds: 1.25
      jobsPutOff: 1
    lastDecision:
      at: "TIME"
      binds: 1
      promises: 0
      evictions: 2
  leases: []
$ basalt status -o name
  status/https://HOST:PORT
$ basalt status -A -l team=red -o json
  {"nodes":{"total":3,"ready":2,"cordoned":1,"allocatable":{"cpu":"12","memory":"24Gi"},"used":{"cpu":"9","memory":"24Gi"}},"runningPods":1,"queues":[],"waiting":[{"pods":3,"reason":"Unschedulable"},{"pods":1,"reason":"WaitingForQueue"}],"claims":{"withoutNode":2,"promised":1},"reservations":{"Available":1,"Pending":0},"fragmentation":{"cpu":0.25},"activity":{"leadsSince":"then","evictionsLastHour":7,"lastCycle":{"number":42,"at":"TIME","milliseconds":1.25,"jobsPutOff":1},"lastDecision":{"at":"TIME","binds":1,"promises":0,"evictions":2}},"leases":[]}

# Health of a cluster in which nothing has happened yet
cluster
scheduler answers GET /v1/status
| {}
$ basalt status
  basalt VERSION on https://HOST:PORT, TIME
  ~
  Leaders        no leases: each role runs alone; the scheduler works since -
  ~
  Last cycle     none yet
  Nodes          0 of 0 ready; 0 pods on them
  ~
  QUEUE   STATE   FULL      OF   RUNNING   INQUEUE   PENDING   PODS WAITING
  ~
  Waiting        nothing waits
  Claims         0 admitted without a node, 0 promised one
  Evictions      0 in the last hour
  Reservations   none
  Fragmentation  no free room to speak of

# Who holds which lease is part of health
cluster
scheduler answers GET /v1/status
| {"activity": {}}
given
| {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: basalt-controller, namespace: volcano-system}, spec: {holderIdentity: host-1, leaseDurationSeconds: 15}}
| ---
| {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: volcano, namespace: volcano-system}, spec: {leaseDurationSeconds: 15}}
$ basalt status
  basalt VERSION on https://HOST:PORT, TIME
  ~
  LEASE               HELD BY   RENEWED
  basalt-controller   host-1
  volcano             nobody
  ~
  Last cycle     none yet
  Nodes          0 of 0 ready; 0 pods on them
  ~
  QUEUE   STATE   FULL      OF   RUNNING   INQUEUE   PENDING   PODS WAITING
  ~
  Waiting        nothing waits
  Claims         0 admitted without a node, 0 promised one
  Evictions      0 in the last hour
  Reservations   none
  Fragmentation  no free room to speak of
$ basalt status -o json
  {"activity":{},"leases":[{"name":"basalt-controller","holder":"host-1","renewTime":""},{"name":"volcano","holder":"","renewTime":""}]}

# A scheduler that refuses or breaks is quoted
cluster
scheduler answers GET /v1/explain/pod/default/a 500
| {"message": "out of order"}
scheduler answers GET /v1/explain/pod/default/b 503
| busy
scheduler answers GET /v1/explain/pod/default/c 401
| {}
scheduler answers GET /v1/explain/pod/default/d
| no JSON
$ basalt explain pod a
! basalt: error: out of order
= 1
$ basalt explain pod b
! basalt: error: the scheduler answers 503
= 1
$ basalt explain pod c
! basalt: error: the scheduler at HOST:PORT does not take the token of Secret volcano-system/basalt-query: another one is taking over; try again
= 1
$ basalt explain pod d
! basalt: error: the scheduler answers 200, and not in JSON
= 1

# A Secret that does not say where the scheduler is, is named
cluster
given
| {apiVersion: v1, kind: Namespace, metadata: {name: volcano-system}}
| ---
| {apiVersion: v1, kind: Secret, metadata: {name: basalt-query, namespace: volcano-system}, stringData: {address: "127.0.0.1:1"}}
$ basalt explain pod p
! basalt: error: Secret basalt-query has no usable ca.crt
= 1
$ basalt status
! basalt: error: Secret basalt-query has no usable ca.crt
= 1

# A Job is explained by what is known of it, and else as one of Kubernetes
cluster
given
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Job
| metadata: {name: train}
| spec: {minAvailable: 1, queue: q, schedulerName: volcano, tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}
| status: {state: {phase: Pending}}
| ---
| apiVersion: batch/v1
| kind: Job
| metadata: {name: plain}
| spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
$ basalt explain job train
  Job default/train
  Stage:   queue
  Reason:  QueueMissing
  Message: there is no queue "q"
  Change:  create it: basalt queue create --name q
$ basalt explain vcjob/train -o json
  {"kind":"Job","namespace":"default","name":"train","stage":"queue","reason":"QueueMissing","message":"there is no queue \"q\"","change":"create it: basalt queue create --name q"}
$ basalt explain job plain
! basalt: error: Job plain has no pods in namespace default
= 1
$ basalt explain job nothing
! basalt: error: jobs.batch.volcano.sh "nothing" not found
= 1
$ basalt explain job -A
  Job default/train
  Stage:   queue
  Reason:  QueueMissing
  Message: there is no queue "q"
  Change:  create it: basalt queue create --name q

# A reservation and the pods of each workload are explained by the same words
cluster
given
| apiVersion: apps/v1
| kind: StatefulSet
| metadata: {name: db}
| spec: {serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}]}}}
| ---
| apiVersion: apps/v1
| kind: DaemonSet
| metadata: {name: agent}
| spec: {selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: c, image: i}]}}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: db-0, labels: {app: db}}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}
scheduler answers GET /v1/explain/reservation/default/r
| {"kind": "reservation", "namespace": "default", "name": "r", "stage": "node", "reason": "Unschedulable", "message": "no node has room"}
$ basalt explain rsv r
  reservation default/r
  Stage:   node
  Reason:  Unschedulable
  Message: no node has room
$ basalt explain sts db
  1 of 1 pods has a node.
$ basalt explain ds/agent
! basalt: error: DaemonSet agent has no pods in namespace default
= 1
$ basalt explain rs web
! basalt: error: replicasets.apps "web" not found
= 1
$ basalt explain reservation -l a=b
! basalt: error: no reservation has these labels
= 1

# A question about several pods ends with the first that cannot be answered
cluster
given
| {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
scheduler answers GET /v1/explain/pod/default/a 500
| {"message": "out of order"}
$ basalt explain pod -l app=web
! basalt: error: out of order
= 1
$ basalt explain pod -l "app in (web"
! basalt: error: unable to parse requirement: found '', expected: ',' or ')'
= 1
