# Kinds are explained by every word for them, in any case
cluster
scheduler answers GET /v1/explain/podgroup/default/g
| {"kind": "podgroup", "namespace": "default", "name": "g", "stage": "gang"}
scheduler answers GET /v1/explain/queue/q
| {"kind": "queue", "name": "q", "stage": "queue"}
scheduler answers GET /v1/explain/reservation/default/r
| {"kind": "reservation", "namespace": "default", "name": "r", "stage": "node"}
$ basalt explain PodGroup g -o name
  podgroup/g
$ basalt explain PG/g -o name
  podgroup/g
$ basalt explain podgroups g -o name
  podgroup/g
$ basalt explain Queue q -o name
  queue/q
$ basalt explain queues/q -o name
  queue/q
$ basalt explain Reservations r -o name
  reservation/r
$ basalt explain RSV/r -o name
  reservation/r
$ basalt explain Scale q
! basalt: error: explain: "Scale" cannot be explained; pod, podgroup, job, queue, reservation, scale, deployment, replicaset, statefulset, daemonset can. Did you mean scale?
= 2

# Several are explained one after the other, the first ten of many
cluster
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a, labels: {team: blue}}, spec: {weight: 1}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: b, labels: {team: blue}}, spec: {weight: 1}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: c, labels: {team: red}}, spec: {weight: 1}}
scheduler answers GET /v1/explain/queue/a
| {"kind": "queue", "name": "a", "stage": "queue", "message": "open"}
scheduler answers GET /v1/explain/queue/b
| {"kind": "queue", "name": "b", "stage": "queue", "message": "full", "waitingTotal": 1, "waiting": [{"namespace": "x", "name": "g", "stage": "gang", "message": "1 of 2"}]}
scheduler answers GET /v1/explain/queue/c
| {"kind": "queue", "name": "c", "stage": "queue", "message": "closed"}
$ basalt explain queue -l team=blue
  queue a
  Stage:   queue
  Message: open
  ~
  queue b
  Stage:   queue
  Message: full
  Waiting: 1 group(s)
    x/g  gang: 1 of 2
$ basalt explain queue -A
  queue a
  Stage:   queue
  Message: open
  ~
  queue b
  Stage:   queue
  Message: full
  Waiting: 1 group(s)
    x/g  gang: 1 of 2
  ~
  queue c
  Stage:   queue
  Message: closed
$ basalt explain queue -l team=blue -o name
  queue/a
  queue/b
$ basalt explain queue -l team=blue -o json
  {"found":2,"items":[{"kind":"queue","name":"a","stage":"queue","message":"open"},{"kind":"queue","name":"b","stage":"queue","message":"full","waitingTotal":1,"waiting":[{"namespace":"x","name":"g","stage":"gang","message":"1 of 2"}]}]}
$ basalt explain queue -l team=green
! basalt: error: no queue has these labels
= 1
$ basalt explain podgroup -A
! basalt: error: there is no podgroup
= 1
$ basalt explain pod -A
! basalt: error: the cluster has no pods
= 1

# Of more than ten the rest is counted
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs
| {"items": [{"metadata": {"name": "j1", "namespace": "default"}}, {"metadata": {"name": "j2", "namespace": "default"}}, {"metadata": {"name": "j3", "namespace": "default"}}, {"metadata": {"name": "j4", "namespace": "default"}}, {"metadata": {"name": "j5", "namespace": "default"}}, {"metadata": {"name": "j6", "namespace": "default"}},
|  {"metadata": {"name": "j7", "namespace": "default"}}, {"metadata": {"name": "j8", "namespace": "default"}}, {"metadata": {"name": "j9", "namespace": "default"}}, {"metadata": {"name": "j10", "namespace": "default"}}, {"metadata": {"name": "j11", "namespace": "default"}}, {"metadata": {"name": "j12", "namespace": "default"}}]}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j1
| {"metadata": {"name": "j1"}, "status": {"state": {"phase": "Completed"}, "succeeded": 3}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j2
| {"metadata": {"name": "j2"}, "spec": {"minAvailable": 2, "tasks": [{"replicas": 3}]}, "status": {"state": {"phase": "Running"}, "running": 2}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j3
| {"metadata": {"name": "j3"}, "spec": {"maxRetry": 2}, "status": {"state": {"phase": "Failed", "reason": "PodFailed", "message": "pod j3-0 failed"}, "retryCount": 2}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j4
| {"metadata": {"name": "j4"}, "status": {"state": {"phase": "Terminated"}, "failed": 1, "succeeded": 2}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j5
| {"metadata": {"name": "j5"}, "status": {"state": {"phase": "Aborted"}}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j6
| {"metadata": {"name": "j6"}, "status": {"state": {"phase": "Restarting"}, "terminating": 2, "running": 1}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j7
| {"metadata": {"name": "j7"}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j8
| {"metadata": {"name": "j8"}, "spec": {"queue": "q"}, "status": {"state": {"phase": "Pending"}}}
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues/q
| {"status": {"state": "Closing"}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j9
| {"metadata": {"name": "j9"}, "spec": {"queue": "open"}, "status": {"state": {"phase": "Pending"}}}
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues/open
| {"status": {"state": "Open"}}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j10
| {"metadata": {"name": "j10"}, "status": {"state": {"phase": "Completing"}}}
$ basalt explain job -l a=b
  Job j1
  Stage:   ended
  Reason:  Completed
  Message: it has completed: 3 pods succeeded
  ~
  Job j2
  Stage:   running
  Reason:  Running
  Message: it runs: 2 of 3 pods do, 2 are the least
  ~
  Job j3
  Stage:   ended
  Reason:  RetriesUsedUp
  Message: its retries are used up: it was started 2 times, and maxRetry is 2; PodFailed; pod j3-0 failed
  Change:  look at its failed pods, then create it again, with a higher maxRetry if that helps
  ~
  Job j4
  Stage:   ended
  Reason:  Terminated
  Message: it has ended: 2 pods succeeded, 1 failed
  ~
  Job j5
  Stage:   aborted
  Reason:  Aborted
  Message: somebody or a policy has suspended it
  Change:  resume it: basalt job resume j5
  ~
  Job j6
  Stage:   restarting
  Reason:  Restarting
  Message: its pods leave: 2 are still terminating, 1 run
  ~
  Job j7
  Stage:   controller
  Reason:  NotSeen
  Message: no controller has taken it up yet
  Change:  start "basalt controller", or look at its logs
  ~
  Job j8
  Stage:   queue
  Reason:  QueueClosed
  Message: queue "q" is Closing and admits nothing
  Change:  open it: basalt queue operate --name q --action open
  ~
  Job j9
  Stage:   controller
  Reason:  NoPodGroup
  Message: its PodGroup has not been made yet
  Change:  look at the job's events and at the controller's logs
  ~
  Job j10
  Stage:   completing
  Reason:  Completing
  Message: its pods leave: 0 are still terminating, 0 run
  ~
  and 2 more
$ basalt explain job j3 -o yaml
  kind: Job
  namespace: ""
  name: j3
  stage: ended
  reason: RetriesUsedUp
  message: "its retries are used up: it was started 2 times, and maxRetry is 2; PodFailed; pod j3-0 failed"
  change: "look at its failed pods, then create it again, with a higher maxRetry if that helps"

# A workload without a selector has no pods, and not those of everybody
server answers GET /apis/apps/v1/namespaces/default/deployments/web
| {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {}}
server answers GET /api/v1/namespaces/default/pods
| {"items": [{"metadata": {"name": "of-somebody-else", "namespace": "default"}}]}
$ basalt explain deploy web
! basalt: error: Deployment web has no selector, and so no pods
= 1

# What the scheduler does not know yet is left out, and counted
cluster
given
| {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {app: web}}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}
scheduler answers GET /v1/podgroups
| {"items": []}
$ basalt explain pod -l app=web
  1 of 2 pods has a node.
  ~
  and 1 more without a node
$ basalt explain pod -l app=web -o json
  {"pods":2,"placed":1,"items":[]}
$ basalt explain pods -l app=web -o name

# What autoscalers look at are pods, and are named so
cluster
scheduler answers GET /v1/explain/scale
| {"message": "2 pods without a node", "items": [{"namespace": "a", "name": "p", "queue": "q", "clusterAutoscaler": {"sight": "not seen", "why": "gated"}, "karpenter": {"sight": "not seen", "why": "gated"}}, {"namespace": "b", "name": "r", "queue": "q", "clusterAutoscaler": {"sight": "placed", "why": "nominated"}, "karpenter": {"sight": "seen", "why": "Unschedulable"}}]}
$ basalt explain scale
  2 pods without a node
  NAMESPACE   NAME   QUEUE   CLUSTER AUTOSCALER   KARPENTER
  a           p      q       not seen: gated      not seen: gated
  b           r      q       nominated            seen: Unschedulable
$ basalt explain scale -o name
  pod/p
  pod/r
$ basalt explain scale -o yaml
  message: "2 pods without a node"
  items:
  - namespace: a
    name: p
    queue: q
    clusterAutoscaler:
      sight: "not seen"
      why: gated
    karpenter:
      sight: "not seen"
      why: gated
  - namespace: b
    name: r
    queue: q
    clusterAutoscaler:
      sight: placed
      why: nominated
    karpenter:
      sight: seen
      why: Unschedulable
