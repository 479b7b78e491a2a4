# Before a switch it is said what will be otherwise
cluster
$ basalt check
  note     configuration: no ConfigMap volcano-scheduler-configmap in volcano-system
           give the file with --volcano-conf
$ basalt check -o json
  {"findings":[{"weight":"note","area":"configuration","what":"no ConfigMap volcano-scheduler-configmap in volcano-system","remedy":"give the file with --volcano-conf"}]}
$ basalt check --back
  blocks   kinds: PodGroups have a status subresource, which Volcano does not write to
           kubectl apply --server-side --force-conflicts -f Volcano's crd/bases
= 4
file conf.yaml
| actions: "enqueue, allocate, backfill, shuffle"
| tiers: [{plugins: [{name: gang}, {name: nonsense}]}]
$ basalt check --volcano-conf conf.yaml
  blocks   configuration: the action shuffle is not in Basalt
           leave it out: `basalt descheduler` moves pods
  blocks   configuration: line 2: the plugin nonsense is not in Basalt
           leave it out: a configuration that names it is refused
= 4
$ basalt check --volcano-conf conf.yaml -o yaml
  findings:
  - weight: blocks
    area: configuration
    what: "the action shuffle is not in Basalt"
    remedy: "leave it out: `basalt descheduler` moves pods"
  - weight: blocks
    area: configuration
    what: "line 2: the plugin nonsense is not in Basalt"
    remedy: "leave it out: a configuration that names it is refused"
= 4
$ basalt check --volcano-conf missing.yaml
! basalt: error: --volcano-conf: cannot read missing.yaml
= 2

# What Volcano has in the cluster is looked at
cluster
given
| {apiVersion: v1, kind: Namespace, metadata: {name: volcano-system}}
| ---
| apiVersion: v1
| kind: ConfigMap
| metadata: {name: volcano-scheduler-configmap, namespace: volcano-system}
| data:
|   volcano-scheduler.conf: |
|     actions: "enqueue, allocate, backfill"
|     tiers:
|     - plugins:
|       - name: priority
|       - name: gang
| ---
| apiVersion: apps/v1
| kind: Deployment
| metadata: {name: volcano-scheduler, namespace: volcano-system}
| spec: {replicas: 1, selector: {matchLabels: {app: s}}, template: {metadata: {labels: {app: s}}, spec: {containers: [{name: c, image: vc-scheduler}]}}}
$ basalt check
  Nothing differs.
$ basalt check --volcano-namespace elsewhere
  note     configuration: no ConfigMap volcano-scheduler-configmap in elsewhere
           give the file with --volcano-conf

# Without a cluster nothing can be checked
$ basalt check
! basalt: error: no cluster to talk to: name a kubeconfig with --kubeconfig PATH or set KUBECONFIG (not in a pod with a service account: KUBERNETES_SERVICE_HOST and _PORT are not set; FOLDER/kubeconfig does not exist)
= 1

# A shadow's report is told in words and for programs
file report.json
| {"since": "then", "until": "now", "pods": {"agreed": 7, "earlier": 1, "later": 2, "elsewhere": 3, "only_ours": 4, "ahead": 5}, "evictions": {"both": 1, "only_theirs": 2, "only_ours": 3, "fewer": 4},
|  "differences": [{"at": "t1", "pod": "a/p", "what": "elsewhere", "ours": "n1", "theirs": "n2"}, {"at": "t2", "pod": "a/q", "what": "earlier", "ours": "n1", "theirs": "n1", "secondsEarlier": 12.34}]}
file none.json
| []
$ basalt shadow report report.json
  From then to now
  ~
  Pods
         7  agreed: the same node at about the same time
         1  earlier: the same node, sooner
         2  later: the other was first
         3  elsewhere: another node
         4  never placed by the other
         5  would have a node now, and wait
  ~
  Evictions
         1  evicted by both
         2  evicted by the other alone
         3  would have been evicted by this one alone
         4  fewer evictions than the other
  ~
  The newest 2 of 2 differences
  AT   POD   WHAT        OURS   THEIRS   EARLIER
  t1   a/p   elsewhere   n1     n2
  t2   a/q   earlier     n1     n1       12.3s
$ basalt shadow report report.json --differences 1
  From then to now
  ~
  Pods
         7  agreed: the same node at about the same time
         1  earlier: the same node, sooner
         2  later: the other was first
         3  elsewhere: another node
         4  never placed by the other
         5  would have a node now, and wait
  ~
  Evictions
         1  evicted by both
         2  evicted by the other alone
         3  would have been evicted by this one alone
         4  fewer evictions than the other
  ~
  The newest 1 of 2 differences
  AT   POD   WHAT      OURS   THEIRS   EARLIER
  t2   a/q   earlier   n1     n1       12.3s
$ basalt shadow report report.json -o yaml
  since: then
  until: now
  pods:
    agreed: 7
    earlier: 1
    later: 2
    elsewhere: 3
    only_ours: 4
    ahead: 5
  evictions:
    both: 1
    only_theirs: 2
    only_ours: 3
    fewer: 4
  differences:
  - at: t1
    pod: a/p
    what: elsewhere
    ours: n1
    theirs: n2
  - at: t2
    pod: a/q
    what: earlier
    ours: n1
    theirs: n1
    secondsEarlier: 12.34
$ basalt shadow report none.json
! basalt: error: none.json is no report of `basalt scheduler --shadow`
= 1
$ basalt shadow report missing.json
! basalt: error: missing.json: No such file or directory; `basalt scheduler --shadow --shadow-report FILE` writes it every five seconds
= 1
$ basalt shadow tell
! basalt: error: verb: "tell" is not one of report.
= 2

# The version is told in every form
$ basalt version
  basalt VERSION
$ basalt --version
  basalt VERSION
$ basalt version -o yaml
  version: "VERSION"
  kubernetes: "1.36"
  volcano: v1.15
  compiler: "g++ 12.2.0"
  platform: linux/amd64
