# What would happen is told from a recorded state
file state.json
| {"apiVersion": "v1", "kind": "List", "items": [
|   {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": "default"}, "spec": {"weight": 1}, "status": {"state": "Open"}},
|   {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": {"pool": "a"}}, "status": {"capacity": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "conditions": [{"type": "Ready", "status": "True"}]}}]}
file pods.yaml
| {apiVersion: v1, kind: Pod, metadata: {name: small}, spec: {schedulerName: volcano, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: large}, spec: {schedulerName: volcano, containers: [{name: c, image: i, resources: {requests: {cpu: "8"}}}]}}
$ basalt simulate --state state.json -f pods.yaml
  POD             OUTCOME   NODE   STARTS   WHY
  default/large   waits                     a pod asks for more cpu than any node has; 1st of 1 job waiting in queue default; what helps: one more node with room for cpu 8
  default/small   runs      n1     now
  ~
  1 of 2 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN                      WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 1, memory 0, pods 1   0              1
  ~
  Free room on nodes that run pods, of all free room
  RESOURCE   FRAGMENTED   THEN
  cpu        0 %          100 %
  memory     0 %          100 %
  ~
  Pods without a node: Cluster Autoscaler 1 seen, 0 counted as placed, 0 not seen; Karpenter 1 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)
= 3
$ basalt simulate --state state.json -f pods.yaml --add-nodes 2 --like n1 --set node/n1.allocatable.cpu=16
  POD             OUTCOME   NODE        STARTS   WHY
  default/small   runs      n1-more-1   now
  default/large   runs      n1          now
  ~
  0 of 2 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN                      WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 9, memory 0, pods 2   0              0
  ~
  Free room on nodes that run pods, of all free room
  RESOURCE   FRAGMENTED   THEN
  cpu        0 %          73 %
  memory     0 %          67 %
  ~
  Pods without a node: Cluster Autoscaler 0 seen, 0 counted as placed, 0 not seen; Karpenter 0 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)
$ basalt simulate --state state.json -f pods.yaml --remove-node n1
  POD             OUTCOME   NODE   STARTS   WHY
  default/small   waits                     the cluster has no nodes; 1st of 2 jobs waiting in queue default; what helps: one more node with room for cpu 1
  default/large   waits                     the cluster has no nodes; 2nd of 2 jobs waiting in queue default; what helps: 2 more nodes with room for cpu 8 each
  ~
  2 of 2 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN              WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 0, memory 0   0              2
  ~
  Pods without a node: Cluster Autoscaler 2 seen, 0 counted as placed, 0 not seen; Karpenter 2 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)
= 3
$ basalt simulate --state state.json -f pods.yaml --cordon n1
  POD             OUTCOME   NODE   STARTS   WHY
  default/small   waits                     0/1 nodes are available: 1 node(s) were unschedulable.; what helps: uncordon node n1
  default/large   waits                     a pod asks for more cpu than any node has; 2nd of 2 jobs waiting in queue default; what helps: 2 more nodes with room for cpu 8 each
  ~
  2 of 2 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN              WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 0, memory 0   0              2
  ~
  Pods without a node: Cluster Autoscaler 2 seen, 0 counted as placed, 0 not seen; Karpenter 2 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)
= 3
$ basalt simulate --state - -f pods.yaml --set node/n1.allocatable.cpu=16 < state.json
  POD             OUTCOME   NODE   STARTS   WHY
  default/small   runs      n1     now
  default/large   runs      n1     now
  ~
  0 of 2 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN                      WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 9, memory 0, pods 2   0              0
  ~
  Free room on nodes that run pods, of all free room
  RESOURCE   FRAGMENTED   THEN
  cpu        0 %          100 %
  memory     0 %          100 %
  ~
  Pods without a node: Cluster Autoscaler 0 seen, 0 counted as placed, 0 not seen; Karpenter 0 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)

# A workload is simulated with the pods that it would have
file state.json
| {"apiVersion": "v1", "kind": "List", "items": [
|   {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": "default"}, "spec": {"weight": 1}, "status": {"state": "Open"}},
|   {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"capacity": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "conditions": [{"type": "Ready", "status": "True"}]}}]}
file job.yaml
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Job
| metadata: {name: train}
| spec:
|   minAvailable: 3
|   tasks:
|   - {name: ps, replicas: 1, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}
|   - {name: worker, replicas: 2, dependsOn: {name: [ps]}, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}
file deployment.yaml
| apiVersion: apps/v1
| kind: Deployment
| metadata: {name: web, annotations: {scheduling.volcano.sh/group-min-member: "2"}}
| spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {schedulerName: volcano, containers: [{name: c, image: i, resources: {requests: {cpu: "3"}}}]}}}
file batch.yaml
| apiVersion: batch/v1
| kind: Job
| metadata: {name: once}
| spec: {parallelism: 3, completions: 2, template: {spec: {schedulerName: volcano, restartPolicy: Never, containers: [{name: c, image: i}]}}}
file odd.yaml
| apiVersion: apps/v1
| kind: Deployment
| metadata: {name: odd, annotations: {scheduling.volcano.sh/group-min-member: many}}
| spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}
file huge.yaml
| apiVersion: apps/v1
| kind: ReplicaSet
| metadata: {name: huge}
| spec: {replicas: 20001, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}
$ basalt simulate --state state.json -f job.yaml
  POD                  OUTCOME   NODE   STARTS   WHY
  default/train-ps-0   runs      n1     now
  ~
  0 of 1 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN                      WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 1, memory 0, pods 1   0              0
  ~
  Free room on nodes that run pods, of all free room
  RESOURCE   FRAGMENTED   THEN
  cpu        0 %          100 %
  memory     0 %          100 %
  ~
  Pods without a node: Cluster Autoscaler 0 seen, 0 counted as placed, 0 not seen; Karpenter 0 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)
$ basalt simulate --state state.json -f deployment.yaml
  POD             OUTCOME   NODE   STARTS   WHY
  default/web-0   waits                     0/1 nodes are available: 1 Insufficient cpu. 1 of 2 pods that the group still needs could be placed; what helps: one more node like n1
  default/web-1   waits                     0/1 nodes are available: 1 Insufficient cpu.
  ~
  2 of 2 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN              WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 0, memory 0   0              2
  ~
  Pods without a node: Cluster Autoscaler 2 seen, 0 counted as placed, 0 not seen; Karpenter 2 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)
= 3
$ basalt simulate --state state.json -f batch.yaml -n team
  POD           OUTCOME   NODE   STARTS   WHY
  team/once-0   runs      n1     now
  team/once-1   runs      n1     now
  ~
  0 of 2 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN                      WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 0, memory 0, pods 2   0              0
  ~
  Free room on nodes that run pods, of all free room
  RESOURCE   FRAGMENTED   THEN
  cpu        0 %          100 %
  memory     0 %          100 %
  ~
  Pods without a node: Cluster Autoscaler 0 seen, 0 counted as placed, 0 not seen; Karpenter 0 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)
$ basalt simulate --state state.json -f odd.yaml
! basalt: error: odd.yaml, document 1, line 1: annotation scheduling.volcano.sh/group-min-member: "many" is no positive number
= 1
$ basalt simulate --state state.json -f huge.yaml
! basalt: error: huge.yaml, document 1, line 1: it has more than 20000 pods, which is more than can be simulated at once
= 1

# Questions that make no sense are refused
file state.json
| {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "4"}}}]}
$ basalt simulate --add-nodes 2
! basalt: error: --add-nodes NUMBER and --like NODE go together
= 2
$ basalt simulate --like n1
! basalt: error: --add-nodes NUMBER and --like NODE go together
= 2
$ basalt simulate --state missing.json
! basalt: error: --state: reading missing.json: No such file or directory
= 1
$ basalt simulate --state state.json --set queue/q.colour=red
! basalt: error: set: [0]: "queue/q.colour" names no field that can be set: queue/NAME with capability.RESOURCE, deserved.RESOURCE, guarantee.RESOURCE, weight, priority or reclaimable; node/NAME with allocatable.RESOURCE or unschedulable; podgroup/NAME with minMember
= 1
$ basalt simulate --state state.json --set nonsense
! basalt: error: set: [0]: KIND/NAME.FIELD=VALUE is needed
= 1
$ basalt simulate --state state.json --remove-node n9
! basalt: error: removeNodes: node n9 is not known to the scheduler
= 1
$ basalt simulate --state state.json --add-nodes 1 --like n9
! basalt: error: addNodes: node n9 is not known to the scheduler
= 1
$ basalt simulate --state state.json --delete pod/none
! basalt: error: delete: pod default/none is not known to the scheduler
= 1
$ basalt simulate --state state.json --scheduler-conf missing.yaml
! basalt: error: --scheduler-conf: cannot read missing.yaml
= 1
$ basalt simulate --state state.json --record other.json
! basalt: error: --state excludes --record
= 2
$ basalt simulate --scheduler-conf x
! basalt: error: --scheduler-conf requires --state
= 2
$ basalt simulate --state state.json --until-quiet --horizon never
! basalt: error: horizon: time: invalid duration "never"
= 1

# All that a scheduler decides by is recorded, and asked afterwards
cluster
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: default}, spec: {weight: 1}, status: {state: Open}}
| ---
| {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {capacity: {cpu: "4", memory: 8Gi, pods: "10"}, allocatable: {cpu: "4", memory: 8Gi, pods: "10"}, conditions: [{type: Ready, status: "True"}]}}
file pod.yaml
| {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {schedulerName: volcano, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}
$ basalt simulate --record state.json
  8 objects written to state.json
$ basalt simulate --state state.json -f pod.yaml
  POD         OUTCOME   NODE   STARTS   WHY
  default/p   runs      n1     now
  ~
  0 of 1 would wait
  ~
  Queues
  QUEUE     ALLOCATED         THEN                      WAITING PODS   THEN
  default   cpu 0, memory 0   cpu 1, memory 0, pods 1   0              0
  ~
  Free room on nodes that run pods, of all free room
  RESOURCE   FRAGMENTED   THEN
  cpu        0 %          100 %
  memory     0 %          100 %
  ~
  Pods without a node: Cluster Autoscaler 0 seen, 0 counted as placed, 0 not seen; Karpenter 0 seen, 0 counted as placed, 0 not seen
  As of TIME (state 0, cycle 0)
$ basalt simulate --record missing/state.json
! basalt: error: creating a file beside missing/state.json: No such file or directory
= 1

# The leading scheduler is asked in the same words
cluster
scheduler answers POST /v1/simulate
| {"waiting": 0, "pods": [{"namespace": "default", "name": "p", "outcome": "runs", "node": "n1", "after": 0.5}, {"namespace": "default", "name": "q", "outcome": "runs", "node": "n2", "after": 90}, {"namespace": "default", "name": "r", "outcome": "runs", "node": "n2", "after": 600}],
|  "others": [{"namespace": "a", "name": "o", "outcome": "runs", "node": "n3", "after": 5}], "reservations": [{"namespace": "a", "name": "res", "phase": "Available", "nodes": ["n1", "n2"], "message": ""}],
|  "evictions": [{"namespace": "a", "name": "v", "node": "n1", "for": "default/p", "action": "preempt"}], "promises": [{"namespace": "default", "name": "z", "node": "n4", "until": "later"}],
|  "queues": [{"name": "q", "before": {"allocated": {"cpu": "1"}, "waitingPods": 2}, "after": {"allocated": {"cpu": "2"}, "waitingPods": 1}}],
|  "fragmentation": {"before": {"cpu": 0.5, "memory": 0.25}, "after": {"cpu": 0.75, "memory": 0.25, "gpu": 0.1}}, "gatesOpened": ["a/g"],
|  "autoscalers": {"clusterAutoscaler": {"seen": 1, "placed": 2, "not seen": 3}}, "played": {"quiet": true, "seconds": 600}, "version": {"time": "then", "generation": 3, "cycle": 4}}
$ basalt simulate -n default --uncordon n1
  POD         OUTCOME   NODE   STARTS      WHY
  default/p   runs      n1     now
  default/q   runs      n2     in 90 s
  default/r   runs      n2     in 10 min
  ~
  0 of 4 would wait
  ~
  Reservations
  RESERVATION   PHASE       NODES    WHY
  a/res         Available   n1, n2
  ~
  Others that would start
  POD   OUTCOME   NODE   STARTS   WHY
  a/o   runs      n3     in 5 s
  ~
  Evictions
  EVICTED   FROM   FOR         BY
  a/v       n1     default/p   preempt
  ~
  Promises
  PROMISED TO   NODE   UNTIL
  default/z     n4     later
  ~
  Queues
  QUEUE   ALLOCATED   THEN    WAITING PODS   THEN
  q       cpu 1       cpu 2   2              1
  ~
  Free room on nodes that run pods, of all free room
  RESOURCE   FRAGMENTED   THEN
  cpu        50 %         75 %
  gpu        -            10 %
  ~
  Gates that would open: 1
  Pods without a node: Cluster Autoscaler 1 seen, 2 counted as placed, 3 not seen; Karpenter 0 seen, 0 counted as placed, 0 not seen
  Quiet after 600 s
  As of then (state 3, cycle 4)
$ basalt simulate -n default --uncordon n1 -o yaml
  waiting: 0
  pods:
  - namespace: default
    name: p
    outcome: runs
    node: n1
    after: 0.5
  - namespace: default
    name: q
    outcome: runs
    node: n2
    after: 90
  - namespace: default
    name: r
    outcome: runs
    node: n2
    after: 600
  others:
  - namespace: a
    name: o
    outcome: runs
    node: n3
    after: 5
  reservations:
  - namespace: a
    name: res
    phase: Available
    nodes:
    - n1
    - n2
    message: ""
  evictions:
  - namespace: a
    name: v
    node: n1
    for: default/p
    action: preempt
  promises:
  - namespace: default
    name: z
    node: n4
    until: later
  queues:
  - name: q
    before:
      allocated:
        cpu: "1"
      waitingPods: 2
    after:
      allocated:
        cpu: "2"
      waitingPods: 1
  fragmentation:
    before:
      cpu: 0.5
      memory: 0.25
    after:
      cpu: 0.75
      memory: 0.25
      gpu: 0.1
  gatesOpened:
  - a/g
  autoscalers:
    clusterAutoscaler:
      seen: 1
      placed: 2
      "not seen": 3
  played:
    quiet: true
    seconds: 600
  version:
    time: then
    generation: 3
    cycle: 4
