# A queue is made, shown in every form, and goes
cluster
$ basalt queue create team -w 3
  create queue team successfully
$ basalt queue get team
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  team   3                -        0         0         0         0         0
$ basalt queue get team -o wide
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed   Capability   Deserved   Guarantee   Allocated
  team   3                -        0         0         0         0         0           -            -          -           -
$ basalt queue get -n team -o name
  queue.scheduling.volcano.sh/team
$ basalt queue get -N team -o yaml
  kind: Queue
  apiVersion: scheduling.volcano.sh/v1beta1
  metadata:
    name: team
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 1
    resourceVersion: "N"
  spec:
    weight: 3
$ basalt queue list -o name
  queue.scheduling.volcano.sh/team
$ basalt queue delete team
  delete queue team successfully
$ basalt queue list
  No queues.

# A queue that is there already, or is not there, is named
cluster
$ basalt queue create q
  create queue q successfully
$ basalt queue create q
! basalt: error: queues.scheduling.volcano.sh "q" already exists
= 1
$ basalt queue get r
! basalt: error: queues.scheduling.volcano.sh "r" not found
= 1
$ basalt queue delete r
! basalt: error: queues.scheduling.volcano.sh "r" not found
= 1
$ basalt queue operate r -a close
! basalt: error: queues.scheduling.volcano.sh "r" not found
= 1
$ basalt queue operate r -a update -w 2
! basalt: error: queues.scheduling.volcano.sh "r" not found
= 1

# What a verb needs is said
$ basalt queue create
! basalt: error: queue create needs a NAME
= 2
$ basalt queue get
! basalt: error: queue get needs a NAME
= 2
$ basalt queue get a -n b
! basalt: error: two names are given, "a" and "b"
= 2
$ basalt queue list a
! basalt: error: queue list takes no NAME
= 2
$ basalt queue operate q
! basalt: error: queue operate needs --action open, close or update
= 2
$ basalt queue operate q --action update
! basalt: error: queue operate --action update needs --weight
= 2
$ basalt queue operate q --action shut
! basalt: error: --action: "shut" is not one of open, close, update.
= 2

# The same name as an argument and as a flag is one name
cluster
$ basalt queue create q -n q
  create queue q successfully

# Queues are chosen by their labels, with the columns that were asked for
cluster
given
| apiVersion: scheduling.volcano.sh/v1beta1
| kind: Queue
| metadata: {name: a, labels: {team: blue}}
| spec: {weight: 2, parent: root, capability: {cpu: "4", memory: 8Gi}, deserved: {cpu: "2"}, guarantee: {resource: {cpu: "1"}}}
| status: {state: Open, running: 2, pending: 1, inqueue: 3, unknown: 4, completed: 5, allocated: {cpu: 1500m}}
| ---
| apiVersion: scheduling.volcano.sh/v1beta1
| kind: Queue
| metadata: {name: b, labels: {team: red}}
| spec: {weight: 1}
| status: {state: Closed}
$ basalt queue list
  Name   Weight   State    Parent   Inqueue   Pending   Running   Unknown   Completed
  a      2        Open     root     3         1         2         4         5
  b      1        Closed   -        0         0         0         0         0
$ basalt queue list -l team=blue
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  a      2        Open    root     3         1         2         4         5
$ basalt queue list -l team!=blue -o name
  queue.scheduling.volcano.sh/b
$ basalt queue list -l team=green
  No queues.
$ basalt queue list -o wide
  Name   Weight   State    Parent   Inqueue   Pending   Running   Unknown   Completed   Capability          Deserved   Guarantee   Allocated
  a      2        Open     root     3         1         2         4         5           cpu 4, memory 8Gi   cpu 2      cpu 1       cpu 1500m
  b      1        Closed   -        0         0         0         0         0           -                   -          -           -
$ basalt queue list -l team=red -o wide
  Name   Weight   State    Parent   Inqueue   Pending   Running   Unknown   Completed   Capability   Deserved   Guarantee   Allocated
  b      1        Closed   -        0         0         0         0         0           -            -          -           -
$ basalt queue list -l team=(
! basalt: error: unable to parse requirement: found '(', expected: identifier
= 1
$ basalt queue list -A -l team=red -o json
  {"apiVersion":"v1","kind":"List","items":[{"kind":"Queue","apiVersion":"scheduling.volcano.sh/v1beta1","metadata":{"name":"b","labels":{"team":"red"},"uid":"UID","creationTimestamp":"TIME","generation":1,"resourceVersion":"N"},"spec":{"weight":1},"status":{"state":"Closed"}}]}

# A queue is opened and closed by a command to its controller, and its weight is changed at once
cluster
$ basalt queue create q
  create queue q successfully
$ basalt queue operate q -a close
  close queue q successfully
$ basalt queue operate q -a open
  open queue q successfully
$ basalt queue operate q -a update -w 7
  update queue q successfully
$ basalt queue get q
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  q      7                -        0         0         0         0         0

# What the scheduler counts stands below what the API server has
cluster
given
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: {weight: 1}}
scheduler answers GET /v1/queues/q
| {"name": "q", "state": "Open", "allocated": {"cpu": "2", "memory": "1Gi"}, "running": 2, "share": 0.5, "parent": null}
$ basalt queue get q
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  q      1                -        0         0         0         0         0
  ~
  name:        q
  state:       Open
  allocated:   cpu 2, memory 1Gi
  running:     2
  share:       0.5
  parent:
$ basalt queue get q -o name
  queue.scheduling.volcano.sh/q

# A cluster that cannot be reached, or is not known, is named
$ basalt queue list
! basalt: error: no cluster to talk to: name a kubeconfig with --kubeconfig PATH or set KUBECONFIG (not in a pod with a service account: KUBERNETES_SERVICE_HOST and _PORT are not set; FOLDER/kubeconfig does not exist)
= 1
$ basalt queue list --kubeconfig none
! basalt: error: kubeconfig none: No such file or directory; name one that can be read with --kubeconfig
= 1
file broken
| {
$ basalt queue list --kubeconfig broken
! basalt: error: kubeconfig broken: line 2: end of map flow not found
= 1
cluster
$ basalt queue list -s nonsense
! basalt: error: kubeconfig FOLDER/kubeconfig, context basalt: 'nonsense' is not a URL like https://host:6443: need more
= 1
