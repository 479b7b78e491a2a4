# What a verb of reservations needs is said
$ basalt reservation list r
! basalt: error: reservation list takes no NAME
= 2
$ basalt reservation show
! basalt: error: reservation show needs a NAME
= 2
$ basalt reservation create
! basalt: error: reservation create needs either --for KIND NAME or -f FILE
= 2
$ basalt reservation create r
! basalt: error: reservation create needs either --for KIND NAME or -f FILE
= 2
$ basalt reservation create r --for pod p -f file
! basalt: error: reservation create needs either --for KIND NAME or -f FILE
= 2
$ basalt reservation show r -A
! basalt: error: --all-namespaces is for reservation list
= 2
$ basalt reservation list --ttl 5m
! basalt: error: --ttl is for reservation create
= 2
$ basalt reservation delete r --replicas 2
! basalt: error: --replicas is for reservation create
= 2
$ basalt reservation show r --required
! basalt: error: --required is for reservation create
= 2
$ basalt reservation create r --for pod
! basalt: error: --for needs a value: KIND NAME
= 2

# Room is reserved for a workload that exists, and given back
cluster
given
| apiVersion: apps/v1
| kind: Deployment
| metadata: {name: web}
| spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}
$ basalt reservation create r --for deployment web --ttl 10m --queue q
  reservation default/r created
$ basalt reservation list
  NAME   PHASE   AVAILABLE   QUEUE   AGE
  r      -       0/2         q       0s
$ basalt reservation list -o wide
  NAME   PHASE   AVAILABLE   QUEUE   AGE   ALLOCATABLE   ALLOCATED   EXPIRES
  r      -       0/2         q       0s    -             -           -
$ basalt reservation list -o name
  reservation.batch.volcano.sh/r
$ basalt reservation show r
  Name:          default/r
  Phase:         -
  Available:     0/2
  Queue:         q
  Age:           0s
  TTL:           10m
  Allocatable:   -
  Allocated:     -
  Owner:         pods with app=web
$ basalt reservation show r -o name
  reservation.batch.volcano.sh/r
$ basalt reservation create r --for deployment web --ttl 10m
! basalt: error: reservations.batch.volcano.sh "r" already exists
= 1
$ basalt reservation delete r
  reservation default/r deleted
$ basalt reservation delete r
! basalt: error: reservations.batch.volcano.sh "r" not found
= 1
$ basalt reservation list
  No reservations.
$ basalt reservation list -A
  No reservations.

# A workload that is not there, or cannot be reserved for, is named
cluster
$ basalt reservation create r --for deployment web
! basalt: error: deployments.apps "web" not found
= 1
$ basalt reservation create r --for service web
! basalt: error: --for: want pod, deployment, replicaset, statefulset or job, not service
= 1
$ basalt reservation create r -f missing.yaml
! basalt: error: reading missing.yaml: No such file or directory
= 1
file two.yaml
| {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: i}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [{name: c, image: i}]}}
$ basalt reservation create r -f two.yaml
! basalt: error: two.yaml: want one object, not 2
= 1

# Room is reserved for the pod of a file, on the nodes and for the pods that are named
cluster
file pod.yaml
| {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}
$ basalt reservation create r -f pod.yaml --replicas 3 --owner app=web --owner tier=x --node n1 --node n2 --required --expires 2036-01-02T15:04:05Z -o yaml
  kind: Reservation
  apiVersion: batch.volcano.sh/v1alpha1
  metadata:
    name: r
    namespace: default
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 1
    resourceVersion: "N"
  spec:
    tasks:
    - name: a
      replicas: 3
      template:
        spec:
          containers:
          - name: c
            image: i
            resources:
              requests:
                cpu: "1"
      reservationNodeNames:
      - n1
      - n2
      reservationNodePolicy: Required
    owners:
    - labelSelector:
        matchLabels:
          app: web
    - labelSelector:
        matchLabels:
          tier: x
    expires: "TIME"
$ basalt reservation create s -f pod.yaml --owner app
! basalt: error: --owner: want KEY=VALUE, not app
= 1
$ basalt reservation create s -f pod.yaml --ttl soon
! basalt: error: --ttl: time: invalid duration "soon"
= 1
$ basalt reservation create s -f pod.yaml --expires tomorrow
! basalt: error: --expires: parsing time "tomorrow" as "TIME07:00": cannot parse "tomorrow" as "2006"
= 1
$ basalt reservation create s -f pod.yaml --required
! basalt: error: --required needs at least one --node NODE
= 1
$ basalt reservation create s -f pod.yaml --replicas 0
! basalt: error: --replicas: must be positive
= 1

# A reservation is shown with where its room is and who has taken it
cluster
given
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Reservation
| metadata: {name: r}
| spec: {queue: q, expires: "2036-01-02T15:04:05Z", owners: [{object: {kind: Pod, name: p}, labelSelector: {}}, {labelSelector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: Exists}]}}], tasks: [{name: t, replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}
| status: {state: {phase: Available, reason: Reserved, message: 2 of 2 tasks have their room}, available: 2, allocatable: {cpu: "4"}, allocated: {cpu: "1", memory: 1Gi}, currentOwner: {kind: Pod, name: p}, placements: [{task: t, index: 0, node: n1, phase: Available}, {task: t, index: 1, phase: Pending}]}
$ basalt reservation show r
  Name:          default/r
  Phase:         Available
  Reason:        Reserved
  Message:       2 of 2 tasks have their room
  Available:     2/2
  Queue:         q
  Age:           0s
  Expires:       TIME
  Allocatable:   cpu 4
  Allocated:     cpu 1, memory 1Gi
  Current owner: Pod p
  Owner:         Pod p or every pod
  Owner:         pods with app=web,{"key":"tier","operator":"Exists"}
  ~
  TASK   INDEX   NODE   PHASE
  t      0       n1     Available
  t      1       -      Pending
$ basalt reservation list -o wide
  NAME   PHASE       AVAILABLE   QUEUE   AGE   ALLOCATABLE   ALLOCATED           EXPIRES
  r      Available   2/2         q       0s    cpu 4         cpu 1, memory 1Gi   TIME
$ basalt reservation list -l a=b
  No reservations.
$ basalt reservation list -n elsewhere
  No reservations.
