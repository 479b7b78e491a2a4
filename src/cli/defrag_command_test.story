# What a verb of defragmentation takes is said
$ basalt defrag plan p
! basalt: error: ID is for defrag status
= 2
$ basalt defrag run p
! basalt: error: ID is for defrag status
= 2
$ basalt defrag status --resource cpu
! basalt: error: --resource is for defrag plan and run
= 2
$ basalt defrag status -l a=b
! basalt: error: --label-selector is for defrag plan and run
= 2
$ basalt defrag plan --no-wait
! basalt: error: --no-wait is for defrag run
= 2
$ basalt defrag
! basalt: error: basalt defrag needs a VERB: plan, run, status. See "basalt help defrag".
= 2

# Without a descheduler it is said how to have one
cluster
$ basalt defrag plan
! basalt: error: no descheduler answers questions: there is no Secret volcano-system/basalt-descheduler. Start "basalt descheduler", or name its namespace with --descheduler-namespace
= 1
$ basalt defrag run --descheduler-namespace elsewhere
! basalt: error: no descheduler answers questions: there is no Secret elsewhere/basalt-descheduler. Start "basalt descheduler", or name its namespace with --descheduler-namespace
= 1
$ basalt defrag status
! basalt: error: no descheduler answers questions: there is no Secret volcano-system/basalt-descheduler. Start "basalt descheduler", or name its namespace with --descheduler-namespace
= 1

# A plan is shown, and nothing is done
cluster
descheduler answers POST /v1/defragmentation
| {"id": "p1", "state": "Planned", "resourceType": "cpu", "freed": {"nodes": ["n1"], "resources": {"cpu": "4"}},
|  "moves": [{"namespace": "a", "pod": "p", "from": "n1", "to": "n2", "request": {"cpu": "1", "memory": "1Gi"}, "state": "Planned"}],
|  "nodes": [{"name": "n1", "role": "source", "before": {"cpu": 25.0}, "after": {"cpu": 0.0}}, {"name": "n2", "role": "target", "before": {"cpu": 50.0}, "after": {"cpu": 75.0}}],
|  "blocked": [{"node": "n3", "namespace": "b", "pod": "q", "reason": "NoRoom", "nodes": [{"reason": "Insufficient cpu", "count": 2}]}, {"node": "n4", "reason": "Cordoned"}]}
$ basalt defrag plan
  plan p1: Planned (nothing is done)
  frees 1 node: cpu 4
  ~
  NAMESPACE   POD   FROM   TO   REQUEST            STATE     REASON
  a           p     n1     n2   cpu=1,memory=1Gi   Planned
  ~
  NODE   ROLE     BEFORE   AFTER
  n1     source   25.0%    0.0%
  n2     target   50.0%    75.0%
  ~
  NODE   POD   REASON
  n3     b/q   NoRoom (Insufficient cpu 2)
  n4           Cordoned
$ basalt defrag plan -o name
  plan/p1
$ basalt defrag plan -o yaml
  id: p1
  state: Planned
  resourceType: cpu
  freed:
    nodes:
    - n1
    resources:
      cpu: "4"
  moves:
  - namespace: a
    pod: p
    from: n1
    to: n2
    request:
      cpu: "1"
      memory: "1Gi"
    state: Planned
  nodes:
  - name: n1
    role: source
    before:
      cpu: 25
    after:
      cpu: 0
  - name: n2
    role: target
    before:
      cpu: 50
    after:
      cpu: 75
  blocked:
  - node: n3
    namespace: b
    pod: q
    reason: NoRoom
    nodes:
    - reason: "Insufficient cpu"
      count: 2
  - node: n4
    reason: Cordoned
$ basalt defrag run
  plan p1: Planned (nothing is done)
  frees 1 node: cpu 4
  ~
  NAMESPACE   POD   FROM   TO   REQUEST            STATE     REASON
  a           p     n1     n2   cpu=1,memory=1Gi   Planned
  ~
  NODE   ROLE     BEFORE   AFTER
  n1     source   25.0%    0.0%
  n2     target   50.0%    75.0%
  ~
  NODE   POD   REASON
  n3     b/q   NoRoom (Insufficient cpu 2)
  n4           Cordoned
! basalt: error: nothing was done: the descheduler's policy, or its flag --dry-run, asks for dry runs alone
= 1
$ basalt defrag run --no-wait
  p1
$ basalt defrag run --no-wait -o json
  {"id":"p1","state":"Planned","resourceType":"cpu","freed":{"nodes":["n1"],"resources":{"cpu":"4"}},"moves":[{"namespace":"a","pod":"p","from":"n1","to":"n2","request":{"cpu":"1","memory":"1Gi"},"state":"Planned"}],"nodes":[{"name":"n1","role":"source","before":{"cpu":25},"after":{"cpu":0}},{"name":"n2","role":"target","before":{"cpu":50},"after":{"cpu":75}}],"blocked":[{"node":"n3","namespace":"b","pod":"q","reason":"NoRoom","nodes":[{"reason":"Insufficient cpu","count":2}]},{"node":"n4","reason":"Cordoned"}]}

# The newest plan is shown, or the one that is asked for
cluster
descheduler answers GET /v1/defragmentation
| {"items": [{"id": "p2", "state": "Succeeded", "moves": []}, {"id": "p1", "state": "Failed"}]}
descheduler answers GET /v1/defragmentation/p1
| {"id": "p1", "state": "Failed", "moves": [{"namespace": "a", "pod": "p", "from": "n1", "to": "n2", "state": "Failed", "reason": "Lost", "message": "the reservation went"}]}
descheduler answers GET /v1/defragmentation/p9 404
| {"message": "there is no plan p9"}
$ basalt defrag status
  plan p2: Succeeded
  no moves
$ basalt defrag status p1
  plan p1: Failed
  ~
  NAMESPACE   POD   FROM   TO   REQUEST   STATE    REASON
  a           p     n1     n2             Failed   Lost
  ~
  a/p: the reservation went
$ basalt defrag status p9
! basalt: error: there is no plan p9
= 1
$ basalt defrag status -o name
  plan/p2

# There is no plan before one is made
cluster
descheduler answers GET /v1/defragmentation
| {"items": []}
descheduler answers POST /v1/defragmentation 409
| {"message": "a run is under way: p1"}
$ basalt defrag status
! basalt: error: there is no plan yet: "basalt defrag plan" makes one
= 1
$ basalt defrag run
! basalt: error: a run is under way: p1
= 1
$ basalt defrag plan --resource cpu -l pool=a
! basalt: error: a run is under way: p1
= 1

# A run that failed is told by its exit code too
cluster
descheduler answers POST /v1/defragmentation
| {"id": "p3", "state": "Running", "moves": []}
descheduler answers GET /v1/defragmentation/p3
| {"id": "p3", "state": "Failed", "moves": []}
$ basalt defrag run
  plan p3: Failed
  no moves
= 1
descheduler answers GET /v1/defragmentation/p3
| {"id": "p3", "state": "Succeeded", "moves": []}
$ basalt defrag run
  plan p3: Succeeded
  no moves
descheduler answers GET /v1/defragmentation/p3 404
| {"message": "there is no plan p3"}
$ basalt defrag run
! basalt: error: the run was not followed to its end: there is no plan p3
= 1
