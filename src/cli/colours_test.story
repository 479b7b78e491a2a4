# Colours are for terminals, and for nothing else
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues
| {"items": [{"metadata": {"name": "a"}, "status": {"state": "Open"}}, {"metadata": {"name": "b"}, "status": {"state": "Closed"}}, {"metadata": {"name": "c"}, "status": {"state": "Closing"}}, {"metadata": {"name": "d"}, "status": {"state": "Odd"}}]}
$ basalt queue list
  Name   Weight   State     Parent   Inqueue   Pending   Running   Unknown   Completed
  a      0        Open      -        0         0         0         0         0
  b      0        Closed    -        0         0         0         0         0
  c      0        Closing   -        0         0         0         0         0
  d      0        Odd       -        0         0         0         0         0
terminal 120
$ basalt queue list
  \e[1mName\e[0m   \e[1mWeight\e[0m   \e[1mState\e[0m     \e[1mParent\e[0m   \e[1mInqueue\e[0m   \e[1mPending\e[0m   \e[1mRunning\e[0m   \e[1mUnknown\e[0m   \e[1mCompleted\e[0m
  a      0        \e[32mOpen\e[0m      -        0         0         0         0         0
  b      0        \e[31mClosed\e[0m    -        0         0         0         0         0
  c      0        \e[33mClosing\e[0m   -        0         0         0         0         0
  d      0        Odd       -        0         0         0         0         0
$ basalt queue list -o name
  queue.scheduling.volcano.sh/a
  queue.scheduling.volcano.sh/b
  queue.scheduling.volcano.sh/c
  queue.scheduling.volcano.sh/d
$ basalt queue list -o json
  {"apiVersion":"v1","kind":"List","items":[{"metadata":{"name":"a"},"status":{"state":"Open"},"kind":"Queue","apiVersion":"scheduling.volcano.sh/v1beta1"},{"metadata":{"name":"b"},"status":{"state":"Closed"},"kind":"Queue","apiVersion":"scheduling.volcano.sh/v1beta1"},{"metadata":{"name":"c"},"status":{"state":"Closing"},"kind":"Queue","apiVersion":"scheduling.volcano.sh/v1beta1"},{"metadata":{"name":"d"},"status":{"state":"Odd"},"kind":"Queue","apiVersion":"scheduling.volcano.sh/v1beta1"}]}
$ basalt queue list > queues.txt

# Who sets NO_COLOR has none on a terminal either
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues
| {"items": [{"metadata": {"name": "a"}, "status": {"state": "Open"}}]}
environment NO_COLOR 1
terminal 120
$ basalt queue list
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  a      0        Open    -        0         0         0         0         0

# An empty NO_COLOR is not set, as its specification has it
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues
| {"items": [{"metadata": {"name": "a"}, "status": {"state": "Open"}}]}
environment NO_COLOR ""
terminal 120
$ basalt queue list
  \e[1mName\e[0m   \e[1mWeight\e[0m   \e[1mState\e[0m   \e[1mParent\e[0m   \e[1mInqueue\e[0m   \e[1mPending\e[0m   \e[1mRunning\e[0m   \e[1mUnknown\e[0m   \e[1mCompleted\e[0m
  a      0        \e[32mOpen\e[0m    -        0         0         0         0         0

# A terminal that knows no colours gets none
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues
| {"items": [{"metadata": {"name": "a"}, "status": {"state": "Open"}}]}
environment TERM dumb
terminal 120
$ basalt queue list
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  a      0        Open    -        0         0         0         0         0

# A tenant has no colours to give
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues
| {"items": [{"metadata": {"name": "a"}, "spec": {"parent": "\u001b[32mroot\u001b[0m"}, "status": {"state": "\u001b[32mOpen"}}]}
terminal 120
$ basalt queue list
  \e[1mName\e[0m   \e[1mWeight\e[0m   \e[1mState\e[0m            \e[1mParent\e[0m                    \e[1mInqueue\e[0m   \e[1mPending\e[0m   \e[1mRunning\e[0m   \e[1mUnknown\e[0m   \e[1mCompleted\e[0m
  a      0        \u001b[32mOpen   \u001b[32mroot\u001b[0m   0         0         0         0         0

# A long sentence is wrapped to the terminal's width, and not in a pipe
cluster
scheduler answers GET /v1/explain/pod/default/p
| {"kind": "pod", "namespace": "default", "name": "p", "stage": "node", "message": "0/3 nodes are available: 2 Insufficient cpu, 1 node(s) had untolerated taint {dedicated: gpu}", "change": "節点 節点 節点 節点 節点 節点 節点 節点 節点"}
$ basalt explain pod p
  pod default/p
  Stage:   node
  Message: 0/3 nodes are available: 2 Insufficient cpu, 1 node(s) had untolerated taint {dedicated: gpu}
  Change:  節点 節点 節点 節点 節点 節点 節点 節点 節点
terminal 40
$ basalt explain pod p
  pod default/p
  Stage:   node
  Message: 0/3 nodes are available: 2
           Insufficient cpu, 1 node(s) had
           untolerated taint {dedicated:
           gpu}
  Change:  節点 節点 節点 節点 節点 節点
           節点 節点 節点
terminal 80
$ basalt explain pod p
  pod default/p
  Stage:   node
  Message: 0/3 nodes are available: 2 Insufficient cpu, 1 node(s) had untolerated
           taint {dedicated: gpu}
  Change:  節点 節点 節点 節点 節点 節点 節点 節点 節点
terminal 10
$ basalt explain pod p
  pod default/p
  Stage:   node
  Message: 0/3 nodes are
           available: 2
           Insufficient cpu, 1
           node(s) had
           untolerated taint
           {dedicated: gpu}
  Change:  節点 節点 節点 節点
           節点 節点 節点 節点
           節点

# A plan has bars on a terminal
cluster
descheduler answers POST /v1/defragmentation
| {"id": "p1", "state": "Planned", "resourceType": "cpu", "moves": [{"namespace": "a", "pod": "p", "from": "n1", "to": "n2", "state": "Planned"}], "nodes": [{"name": "n1", "role": "source", "before": {"cpu": 12.5}, "after": {"cpu": 0}}, {"name": "n2", "role": "target", "before": {"cpu": 60}, "after": {"cpu": 100}}]}
terminal 100
$ basalt defrag plan
  plan p1: Planned (nothing is done)
  ~
  \e[1mNAMESPACE\e[0m   \e[1mPOD\e[0m   \e[1mFROM\e[0m   \e[1mTO\e[0m   \e[1mREQUEST\e[0m   \e[1mSTATE\e[0m     \e[1mREASON\e[0m
  a           p     n1     n2             Planned
  ~
  \e[1mNODE\e[0m   \e[1mROLE\e[0m     \e[1mBEFORE\e[0m                        \e[1mAFTER\e[0m
  n1     source   ██▌·················  12.5%   ····················   0.0%
  n2     target   ████████████········  60.0%   ████████████████████ 100.0%
$ basalt defrag plan -o yaml
  id: p1
  state: Planned
  resourceType: cpu
  moves:
  - namespace: a
    pod: p
    from: n1
    to: n2
    state: Planned
  nodes:
  - name: n1
    role: source
    before:
      cpu: 12.5
    after:
      cpu: 0
  - name: n2
    role: target
    before:
      cpu: 60
    after:
      cpu: 100

# A run is followed on a terminal by a line that is written over
cluster
descheduler answers POST /v1/defragmentation
| {"id": "p1", "state": "Running", "moves": [{"namespace": "a", "pod": "p", "from": "n1", "to": "n2", "state": "Reserving"}]}
descheduler answers GET /v1/defragmentation/p1
| {"id": "p1", "state": "Succeeded", "moves": [{"namespace": "a", "pod": "p", "from": "n1", "to": "n2", "state": "Succeeded"}]}
terminal 100
$ basalt defrag run
  plan p1: Running
  ~
  \e[1mNAMESPACE\e[0m   \e[1mPOD\e[0m   \e[1mFROM\e[0m   \e[1mTO\e[0m   \e[1mREQUEST\e[0m   \e[1mSTATE\e[0m       \e[1mREASON\e[0m
  a           p     n1     n2             Reserving
  \r···················· 0 of 1 moves, 1 reserving\e[K\r\e[Kplan p1: Succeeded
  ~
  \e[1mNAMESPACE\e[0m   \e[1mPOD\e[0m   \e[1mFROM\e[0m   \e[1mTO\e[0m   \e[1mREQUEST\e[0m   \e[1mSTATE\e[0m       \e[1mREASON\e[0m
  a           p     n1     n2             \e[32mSucceeded\e[0m
$ basalt defrag run -o name
  plan/p1

# Health has its states in colours
cluster
scheduler answers GET /v1/status
| {"nodes": {"total": 2, "ready": 1, "allocatable": {"cpu": "10", "memory": "10Gi", "pods": "100"}, "used": {"cpu": "10", "memory": "8Gi", "pods": "5"}}, "queues": [{"name": "a", "state": "Open", "allocated": {"cpu": "5"}}, {"name": "b", "state": "Closed"}]}
terminal 120
$ basalt status
  basalt VERSION on https://HOST:PORT, TIME
  ~
  \e[1mLeaders        \e[0mno leases: each role runs alone; the scheduler works since -
  ~
  \e[1mLast cycle     \e[0mnone yet
  \e[1mNodes          \e[0m\e[31m1 of 2 ready\e[0m; 0 pods on them
    cpu          \e[31m██████████\e[0m 100%  10 of 10
    memory       \e[33m████████··\e[0m  80%  8Gi of 10Gi
    pods         \e[32m▌·········\e[0m   5%  5 of 100
  ~
  \e[1mQUEUE\e[0m   \e[1mSTATE\e[0m    \e[1mFULL\e[0m               \e[1mOF\e[0m                            \e[1mRUNNING\e[0m   \e[1mINQUEUE\e[0m   \e[1mPENDING\e[0m   \e[1mPODS WAITING\e[0m
  a       \e[32mOpen\e[0m     █████·····   50%   cpu 5 of 10 (the cluster's)   0         0         0         0
  b       \e[31mClosed\e[0m   ··········   0%                                  0         0         0         0
  ~
  \e[1mWaiting        \e[0mnothing waits
  \e[1mClaims         \e[0m0 admitted without a node, 0 promised one
  \e[1mEvictions      \e[0m0 in the last hour
  \e[1mReservations   \e[0mnone
  \e[1mFragmentation  \e[0mno free room to speak of

# On a terminal health is shown on one screen again and again
cluster
scheduler answers GET /v1/status
| {"runningPods": 1}
terminal 120
$ basalt status -w &
waits for 1 pod on them
scheduler answers GET /v1/status
| {"runningPods": 2}
waits for 2 pods on them
stop
