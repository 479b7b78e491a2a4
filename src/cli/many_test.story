# Of many queues health shows those in which most waits, then the fullest
cluster
scheduler answers GET /v1/status
| {"nodes": {"total": 1, "ready": 1, "allocatable": {"cpu": "100"}, "used": {"cpu": "40"}},
|  "queues": [{"name": "q01", "state": "Open", "allocated": {"cpu": "1"}}, {"name": "q02", "state": "Open", "allocated": {"cpu": "2"}}, {"name": "q03", "state": "Open", "waitingPods": 7}, {"name": "q04", "state": "Closed"},
|    {"name": "q05", "state": "Open", "allocated": {"cpu": "5"}, "capability": {"cpu": "5"}}, {"name": "q06", "state": "Open", "allocated": {"cpu": "6"}}, {"name": "q07", "state": "Open", "waitingPods": 9, "pending": 3}, {"name": "q08", "state": "Open", "allocated": {"cpu": "8"}},
|    {"name": "q09", "state": "Open", "allocated": {"cpu": "9"}}, {"name": "q10", "state": "Open", "allocated": {"cpu": "10"}}, {"name": "root", "state": "Open"}]}
$ basalt status
  basalt VERSION on https://HOST:PORT, TIME
  ~
  Leaders        no leases: each role runs alone; the scheduler works since -
  ~
  Last cycle     none yet
  Nodes          1 of 1 ready; 0 pods on them
    cpu          ████······  40%  40 of 100
  ~
  QUEUE   STATE   FULL                OF                              RUNNING   INQUEUE   PENDING   PODS WAITING
  q07     Open    ··········   0%                                     0         0         3         9
  q03     Open    ··········   0%                                     0         0         0         7
  q05     Open    ██████████   100%   cpu 5 of 5                      0         0         0         0
  q10     Open    █·········   10%    cpu 10 of 100 (the cluster's)   0         0         0         0
  q09     Open    ▉·········   9%     cpu 9 of 100 (the cluster's)    0         0         0         0
  q08     Open    ▊·········   8%     cpu 8 of 100 (the cluster's)    0         0         0         0
  q06     Open    ▋·········   6%     cpu 6 of 100 (the cluster's)    0         0         0         0
  q02     Open    ▎·········   2%     cpu 2 of 100 (the cluster's)    0         0         0         0
  and 2 more queues (-o wide has all)
  ~
  Waiting        nothing waits
  Claims         0 admitted without a node, 0 promised one
  Evictions      0 in the last hour
  Reservations   none
  Fragmentation  no free room to speak of
$ basalt status -o wide
  basalt VERSION on https://HOST:PORT, TIME
  ~
  Leaders        no leases: each role runs alone; the scheduler works since -
  ~
  Last cycle     none yet
  Nodes          1 of 1 ready; 0 pods on them
    cpu          ████······  40%  40 of 100
  ~
  QUEUE   STATE    FULL                OF                              RUNNING   INQUEUE   PENDING   PODS WAITING
  q01     Open     ▏·········   1%     cpu 1 of 100 (the cluster's)    0         0         0         0
  q02     Open     ▎·········   2%     cpu 2 of 100 (the cluster's)    0         0         0         0
  q03     Open     ··········   0%                                     0         0         0         7
  q04     Closed   ··········   0%                                     0         0         0         0
  q05     Open     ██████████   100%   cpu 5 of 5                      0         0         0         0
  q06     Open     ▋·········   6%     cpu 6 of 100 (the cluster's)    0         0         0         0
  q07     Open     ··········   0%                                     0         0         3         9
  q08     Open     ▊·········   8%     cpu 8 of 100 (the cluster's)    0         0         0         0
  q09     Open     ▉·········   9%     cpu 9 of 100 (the cluster's)    0         0         0         0
  q10     Open     █·········   10%    cpu 10 of 100 (the cluster's)   0         0         0         0
  ~
  Waiting        nothing waits
  Claims         0 admitted without a node, 0 promised one
  Evictions      0 in the last hour
  Reservations   none
  Fragmentation  no free room to speak of
$ basalt status -o name
  status/https://HOST:PORT

# Eight queues are all shown, in their order
cluster
scheduler answers GET /v1/status
| {"nodes": {"allocatable": {"cpu": "10"}}, "queues": [{"name": "a"}, {"name": "b", "waitingPods": 1}, {"name": "c"}, {"name": "d"}, {"name": "e"}, {"name": "f"}, {"name": "g"}, {"name": "h", "allocated": {"cpu": "9"}}, {"name": "root"}]}
$ basalt status
  basalt VERSION on https://HOST:PORT, TIME
  ~
  Leaders        no leases: each role runs alone; the scheduler works since -
  ~
  Last cycle     none yet
  Nodes          0 of 0 ready; 0 pods on them
    cpu          ··········   0%   of 10
  ~
  QUEUE   STATE   FULL               OF                            RUNNING   INQUEUE   PENDING   PODS WAITING
  a               ··········   0%                                  0         0         0         0
  b               ··········   0%                                  0         0         0         1
  c               ··········   0%                                  0         0         0         0
  d               ··········   0%                                  0         0         0         0
  e               ··········   0%                                  0         0         0         0
  f               ··········   0%                                  0         0         0         0
  g               ··········   0%                                  0         0         0         0
  h               █████████·   90%   cpu 9 of 10 (the cluster's)   0         0         0         0
  ~
  Waiting        nothing waits
  Claims         0 admitted without a node, 0 promised one
  Evictions      0 in the last hour
  Reservations   none
  Fragmentation  no free room to speak of

# A simulation of many pods tells those that wait first
cluster
scheduler answers POST /v1/simulate
| {"waiting": 2, "pods": [{"namespace": "d", "name": "p1", "outcome": "runs", "node": "n1", "after": 0}, {"namespace": "d", "name": "p2", "outcome": "waits", "message": "no room"}, {"namespace": "d", "name": "p3", "outcome": "runs", "node": "n2", "after": 119}, {"namespace": "d", "name": "p4", "outcome": "waits", "change": "one more node"}],
|  "played": {"quiet": false}, "version": {"time": "now", "generation": 1, "cycle": 2}}
$ basalt simulate
  POD    OUTCOME   NODE   STARTS     WHY
  d/p2   waits                       no room
  d/p4   waits                       what helps: one more node
  d/p1   runs      n1     now
  d/p3   runs      n2     in 119 s
  ~
  2 of 4 would wait
  ~
  Pods without a node: Cluster Autoscaler 0 seen, 0 counted as placed, 0 not seen; Karpenter 0 seen, 0 counted as placed, 0 not seen
  Not quiet within the horizon (--horizon)
  As of now (state 1, cycle 2)
= 3
$ basalt simulate -o json
  {"waiting":2,"pods":[{"namespace":"d","name":"p1","outcome":"runs","node":"n1","after":0},{"namespace":"d","name":"p2","outcome":"waits","message":"no room"},{"namespace":"d","name":"p3","outcome":"runs","node":"n2","after":119},{"namespace":"d","name":"p4","outcome":"waits","change":"one more node"}],"played":{"quiet":false},"version":{"time":"now","generation":1,"cycle":2}}
= 3
$ basalt simulate -o name
! basalt: error: --output: "name" is not one of json, yaml. Did you mean yaml?
= 2
