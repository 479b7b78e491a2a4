# A command that is not there is told with the nearest that is
$ basalt qeue list
! basalt: error: unknown command qeue. Did you mean queue? See "basalt help".
= 2
$ basalt zzzzzzzz
! basalt: error: unknown command zzzzzzzz. See "basalt help".
= 2
$ basalt help qeue
! basalt: error: there is no command "qeue". Did you mean queue? "basalt help" lists them
= 2
$ basalt help zzzzzzzz
! basalt: error: there is no command "zzzzzzzz". "basalt help" lists them
= 2

# A flag that is not there is told with the nearest of the command
$ basalt queue list --ouput json
! basalt: error: unknown flag --ouput. Did you mean --output? See "basalt help queue".
= 2
$ basalt queue list --zzzzzz
! basalt: error: unknown flag --zzzzzz. See "basalt help queue".
= 2
$ basalt queue list -z
! basalt: error: unknown flag -z. See "basalt help queue".
= 2
$ basalt job list --all-namespace=x
! basalt: error: unknown flag --all-namespace. Did you mean --all-namespaces? See "basalt help job".
= 2
$ basalt up --node-cpus=4
! basalt: error: unknown flag --node-cpus. Did you mean --node-cpu? See "basalt help up".
= 2

# One argument too many is named
$ basalt version now
! basalt: error: unknown argument now. See "basalt help version".
= 2
$ basalt queue list a b
! basalt: error: unknown argument b. See "basalt help queue".
= 2

# A verb that is not there is told with those that are
$ basalt queue lst
! basalt: error: verb: "lst" is not one of create, delete, operate, list, get. Did you mean list?
= 2
$ basalt job
! basalt: error: basalt job needs a VERB: run, list, view, suspend, resume, delete. See "basalt help job".
= 2
$ basalt reservation make r
! basalt: error: verb: "make" is not one of create, list, show, delete.
= 2
$ basalt podgroup get g
! basalt: error: verb: "get" is not one of list.
= 2
$ basalt defrag go
! basalt: error: verb: "go" is not one of plan, run, status.
= 2
$ basalt jobflow show f
! basalt: error: verb: "show" is not one of create, list, get, describe, delete.
= 2

# A form of output that is not there is refused by every command
$ basalt queue list -o jsn
! basalt: error: --output: "jsn" is not one of json, yaml, name, wide. Did you mean json?
= 2
$ basalt job list -o table
! basalt: error: --output: "table" is not one of json, yaml, name, wide.
= 2
$ basalt version -o wide
! basalt: error: --output: "wide" is not one of json, yaml.
= 2
$ basalt check -o name
! basalt: error: --output: "name" is not one of json, yaml. Did you mean yaml?
= 2
$ basalt explain pod p -o xml
! basalt: error: --output: "xml" is not one of json, yaml, name, wide. Did you mean yaml?
= 2

# Numbers are taken within their bounds
$ basalt queue create q --weight 0
! basalt: error: --weight: Value 0 not in range 1 to 65535
= 2
$ basalt queue create q --weight 65536
! basalt: error: --weight: Value 65536 not in range 1 to 65535
= 2
$ basalt queue create q --weight many
! basalt: error: --weight: Value many not in range 1 to 65535
= 2
$ basalt job run --name j --replicas -1
! basalt: error: --replicas: Value -1 not in range 0 to 1000000
= 2
$ basalt up --nodes 100001
! basalt: error: --nodes: Value 100001 not in range 0 to 100000
= 2
$ basalt up --node-gpu -1
! basalt: error: --node-gpu: Value -1 not in range 0 to 1000000
= 2
$ basalt simulate --add-nodes 0 --like n
! basalt: error: --add-nodes: "0": want a whole number, 1 or more
= 2

# A flag without its value is refused, and one with an empty value is not
$ basalt queue list --output
! basalt: error: --output needs a value: json, yaml, name, wide
= 2
$ basalt queue get --name
! basalt: error: --name needs a value
= 2
$ basalt queue get --name= --kubeconfig=none
! basalt: error: queue get needs a NAME
= 2
$ basalt job list --queue= --kubeconfig=none
! basalt: error: kubeconfig none: No such file or directory; name one that can be read with --kubeconfig
= 1

# Logs have levels that are named, or counted as Kubernetes does
$ basalt version --log-level loud
! basalt: error: --log-level: "loud" is not one of debug, info, warning, error.
= 2
$ basalt version -v many
! basalt: error: --v: "many": want a number, 0 or more
= 2
$ basalt version --v=-1
! basalt: error: --v: "-1": want a number, 0 or more
= 2
$ basalt version -v 4
  basalt VERSION
$ basalt version --v=5
  basalt VERSION
$ basalt version --log-format xml
! basalt: error: --log-format: "xml" is not one of text, json.
= 2
$ basalt version --log-format json --log-level error
  basalt VERSION

# Words that Volcano's manifests end with are left out
$ basalt version 2>&1
  basalt VERSION

# Without a command its help goes to standard error
$ basalt
! Basalt: batch scheduling for Kubernetes
! ~
! Usage: basalt COMMAND [flags]
! ~
! A cluster to try it on:
!   up            Runs an embedded cluster: API server, simulated nodes and every role in one process
!   simnode       Simulates nodes of a cluster: keeps them ready and runs their pods
!   workloads     Runs the ReplicaSet, Deployment, StatefulSet, DaemonSet and Job controllers on a
!                 cluster
! ~
! Ask:
!   explain       Says why a pod, podgroup, job, queue, reservation or workload waits, and what would
!                 let it run; scale: what Cluster Autoscaler and Karpenter make of every pod without a
!                 node
!   simulate      What would happen if: these objects came, these nodes came or went, these limits
!                 were others. Asks the leading scheduler, or a recorded state; nothing is changed.
!                 Exit code 0: all would run, 3: some would wait
!   dashboard     Serves a page with nodes, queues, what waits and why, evictions, reservations and
!                 history, from the answers of the leading scheduler; prints its address
!   status        One screen of health: leaders, last cycle, queues, what waits and why, evictions,
!                 reservations, fragmentation
!   podgroup      list: every PodGroup, those that exist in the scheduler alone marked "shadow"
! ~
! Work with jobs and queues:
!   queue         create, delete, operate, list, get: queues
!   reservation   create, list, show, delete: room that is held for pods yet to come
!   defrag        plan, run, status: makes whole nodes free, by asking the descheduler
!   job           run, list, view, suspend, resume, delete: jobs of batch.volcano.sh
!   jobflow       create, list, get, describe, delete: jobs that wait for each other
!   jobtemplate   create, list, get, describe, delete: what the jobs of a flow are made from
!   pod           list: the pods of jobs
! ~
! Roles of a cluster:
!   scheduler     Schedules the pods of a cluster
!   webhook       Answers a cluster's admission requests: defaults, gates, validation
!   controller    Runs jobs, flows and cron jobs, makes PodGroups for workloads that ask, opens and
!                 closes queues
!   descheduler   Moves pods so that whole nodes become free, each to a place that is held
! ~
! More:
!   shadow        report: what `basalt scheduler --shadow` would have done otherwise
!   check         Says what will be otherwise when Basalt takes Volcano's place in this cluster. Exit
!                 code: 0 nothing, 3 something differs, 4 something has to be dealt with, 1 it could
!                 not look
!   crds          Prints the CRDs as YAML, for kubectl apply -f -
!   completion    Prints a script that completes commands in a shell
!   man           Prints the manual page
!   version       Prints the version
!   help          Explains a command: help COMMAND
! ~
! "basalt help COMMAND" or "basalt COMMAND --help" tells of flags, with examples.
= 2
