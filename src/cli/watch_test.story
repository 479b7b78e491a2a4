# Queues are watched: the table once, then the lines that change
cluster
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 1}}
$ basalt queue list -w &
sees a
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  a      1                -        0         0         0         0         0
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: bee}, spec: {weight: 2}}
sees bee
  bee    2                -        0         0         0         0         0
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 1}, status: {state: Closed}}
sees Closed
  a      1        Closed   -        0         0         0         0         0
stop

# A watch of what is not there yet says so, and goes on
cluster
$ basalt job list -w -n default &
sees No jobs.
  No jobs.
given
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Job
| metadata: {name: train}
| spec: {minAvailable: 1, tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}
sees train
  Name    Creation     Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount
  train   YYYY-MM-DD           Batch     1          1     0         0         0           0        0         0
stop

# For programs a watch has the whole again where it changed
cluster
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 1}}
$ basalt queue get a --watch -o yaml &
sees weight: 1
  kind: Queue
  apiVersion: scheduling.volcano.sh/v1beta1
  metadata:
    name: a
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 1
    resourceVersion: "N"
  spec:
    weight: 1
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 9}}
sees weight: 9
  ---
  kind: Queue
  apiVersion: scheduling.volcano.sh/v1beta1
  metadata:
    name: a
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 2
    resourceVersion: "N"
  spec:
    weight: 9
stop

# Names are watched for xargs
cluster
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 1}}
$ basalt queue list -w -o name &
sees queue.scheduling.volcano.sh/a
  queue.scheduling.volcano.sh/a
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: b}, spec: {weight: 1}}
sees queue.scheduling.volcano.sh/b
  queue.scheduling.volcano.sh/b
stop

# What the scheduler says of a pod is watched
cluster
scheduler answers GET /v1/explain/pod/default/p
| {"kind": "pod", "namespace": "default", "name": "p", "stage": "queue", "reason": "QueueFull", "message": "queue q is full"}
$ basalt explain pod p -w &
sees QueueFull
  pod default/p
  Stage:   queue
  Reason:  QueueFull
  Message: queue q is full
scheduler answers GET /v1/explain/pod/default/p
| {"kind": "pod", "namespace": "default", "name": "p", "stage": "bound", "reason": "Bound", "message": "on node n1"}
sees on node n1
  Stage:   bound
  Reason:  Bound
  Message: on node n1
stop

# A reservation is watched as it changes, and not as it grows older
cluster
given
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Reservation
| metadata: {name: r}
| spec: {tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}
| status: {state: {phase: Pending}}
$ basalt reservation show r -w &
sees Pending
  Name:          default/r
  Phase:         Pending
  Available:     0/1
  Queue:         -
  Age:           0s
  Allocatable:   -
  Allocated:     -
  Owners:        only pods that name it
given
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Reservation
| metadata: {name: r}
| spec: {tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}
| status: {state: {phase: Available}, available: 1}
sees 1/1
  Phase:         Available
  Available:     1/1
stop

# A job's page is watched, too
cluster
given
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Job
| metadata: {name: train}
| spec: {minAvailable: 1, tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}
$ basalt job view train -w &
sees No events.
  Name:        train
  Namespace:   default
  Age:         0s
  Phase:
  metadata:
    name: train
    namespace: default
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 1
    resourceVersion: "N"
  spec:
    minAvailable: 1
    tasks:
    - name: t
      replicas: 1
      template:
        spec:
          containers:
          - name: c
            image: i
  No events.
given
| {apiVersion: v1, kind: Event, metadata: {name: e}, involvedObject: {kind: Job, name: train, namespace: default}, type: Warning, reason: PVCError, message: no claim c}
sees PVCError
  Events:
  Type      Reason     Count   From   Message
  Warning   PVCError   1              no claim c
stop

# A plan that is under way is watched until nobody reads it
cluster
descheduler answers GET /v1/defragmentation/p1
| {"id": "p1", "state": "Running", "moves": [{"namespace": "a", "pod": "p", "from": "n1", "to": "n2", "state": "Reserving"}]}
$ basalt defrag status p1 -w &
sees Reserving
  plan p1: Running
  ~
  NAMESPACE   POD   FROM   TO   REQUEST   STATE       REASON
  a           p     n1     n2             Reserving
descheduler answers GET /v1/defragmentation/p1
| {"id": "p1", "state": "Running", "moves": [{"namespace": "a", "pod": "p", "from": "n1", "to": "n2", "state": "Evicting"}]}
sees Evicting
  a           p     n1     n2             Evicting
stop

# A watch that is wrong from the start ends at once
cluster
$ basalt queue get nothing --watch
! basalt: error: queues.scheduling.volcano.sh "nothing" not found
= 1
$ basalt explain pod p -w
! basalt: error: no scheduler answers questions: there is no Secret volcano-system/basalt-query. Start "basalt scheduler" with --query-address, or name its namespace with --scheduler-namespace
= 1
$ basalt status -w
! basalt: error: no scheduler answers questions: there is no Secret volcano-system/basalt-query. Start "basalt scheduler" with --query-address, or name its namespace with --scheduler-namespace
= 1
