# A flag that would do nothing is refused, with the verb that it is for
$ basalt job list --image busybox
! basalt: error: --image is for job run
= 2
$ basalt job view j --replicas 3
! basalt: error: --replicas is for job run
= 2
$ basalt job delete j --min 1
! basalt: error: --min is for job run
= 2
$ basalt job suspend j -R cpu=1
! basalt: error: --requests is for job run
= 2
$ basalt job resume j -L cpu=1
! basalt: error: --limits is for job run
= 2
$ basalt job view j -f job.yaml
! basalt: error: --filename is for job run
= 2
$ basalt job run j -q team
! basalt: error: --queue is for job list
= 2
$ basalt job view j --queue team
! basalt: error: --queue is for job list
= 2
$ basalt job delete j --selector tr
! basalt: error: --selector is for job list
= 2
$ basalt job view j -S volcano
! basalt: error: --scheduler is for job run and list
= 2
$ basalt job run j -A
! basalt: error: --all-namespaces is for job list
= 2
$ basalt job view j -A
! basalt: error: --all-namespaces is for job list
= 2
$ basalt job delete j -l app=web
! basalt: error: --label-selector is for job list
= 2
$ basalt job run j -w
! basalt: error: --watch is for job list and view
= 2
$ basalt job delete j --watch
! basalt: error: --watch is for job list and view
= 2
$ basalt queue list --weight 3
! basalt: error: --weight is for queue create and operate
= 2
$ basalt queue get q --weight 3
! basalt: error: --weight is for queue create and operate
= 2
$ basalt queue delete q -w 3
! basalt: error: --weight is for queue create and operate
= 2
$ basalt queue create q --action open
! basalt: error: --action is for queue operate
= 2
$ basalt queue list -a open
! basalt: error: --action is for queue operate
= 2
$ basalt queue create q -l team=blue
! basalt: error: --label-selector is for queue list
= 2
$ basalt queue get q -l team=blue
! basalt: error: --label-selector is for queue list
= 2
$ basalt queue delete q --watch
! basalt: error: --watch is for queue list and get
= 2
$ basalt jobflow list -f flow.yaml
! basalt: error: --file is for jobflow create and delete
= 2
$ basalt jobflow get f -f flow.yaml
! basalt: error: --file is for jobflow create and delete
= 2
$ basalt jobflow get f -A
! basalt: error: --all-namespaces is for jobflow list
= 2
$ basalt jobflow create -f flow.yaml -w
! basalt: error: --watch is for jobflow list, get and describe
= 2
$ basalt jobtemplate describe t -l a=b
! basalt: error: --label-selector is for jobtemplate list
= 2
$ basalt reservation list --for pod p
! basalt: error: --for is for reservation create
= 2
$ basalt reservation list -f pod.yaml
! basalt: error: --filename is for reservation create
= 2
$ basalt reservation show r --replicas 2
! basalt: error: --replicas is for reservation create
= 2
$ basalt reservation delete r --queue q
! basalt: error: --queue is for reservation create
= 2
$ basalt reservation list --ttl 5m
! basalt: error: --ttl is for reservation create
= 2
$ basalt reservation show r --expires 2036-01-01T00:00:00Z
! basalt: error: --expires is for reservation create
= 2
$ basalt reservation list --owner app=web
! basalt: error: --owner is for reservation create
= 2
$ basalt reservation delete r --node n1
! basalt: error: --node is for reservation create
= 2
$ basalt reservation show r --required
! basalt: error: --required is for reservation create
= 2
$ basalt reservation show r -A
! basalt: error: --all-namespaces is for reservation list
= 2
$ basalt reservation create r -f pod.yaml -l a=b
! basalt: error: --label-selector is for reservation list
= 2
$ basalt reservation delete r -w
! basalt: error: --watch is for reservation list and show
= 2
$ basalt defrag plan p1
! basalt: error: ID is for defrag status
= 2
$ basalt defrag run p1
! basalt: error: ID is for defrag status
= 2
$ basalt defrag status --resource cpu
! basalt: error: --resource is for defrag plan and run
= 2
$ basalt defrag status -l pool=a
! basalt: error: --label-selector is for defrag plan and run
= 2
$ basalt defrag plan --no-wait
! basalt: error: --no-wait is for defrag run
= 2
$ basalt defrag run -w
! basalt: error: --watch is for defrag plan and status
= 2

# What a verb needs, and does not take, is said with the command that was meant
$ basalt job run
! basalt: error: job run needs a NAME
= 2
$ basalt job view
! basalt: error: job view needs a NAME
= 2
$ basalt job list train
! basalt: error: job list takes no NAME; --selector chooses by a part of it
= 2
$ basalt job list -N train
! basalt: error: job list takes no NAME; --selector chooses by a part of it
= 2
$ basalt job view a --name b
! basalt: error: two names are given, "a" and "b"
= 2
$ basalt queue create
! basalt: error: queue create needs a NAME
= 2
$ basalt queue operate q
! basalt: error: queue operate needs --action open, close or update
= 2
$ basalt queue operate q -a update
! basalt: error: queue operate --action update needs --weight
= 2
$ basalt queue operate --action open
! basalt: error: queue operate needs a NAME
= 2
$ basalt queue list q
! basalt: error: queue list takes no NAME
= 2
$ basalt pod list p
! basalt: error: pod list takes no NAME; --job and --queue choose pods
= 2
$ basalt jobflow create
! basalt: error: jobflow create needs --file
= 2
$ basalt jobflow create f -f flow.yaml
! basalt: error: jobflow create takes no NAME
= 2
$ basalt jobflow delete f -f flow.yaml
! basalt: error: jobflow delete takes no NAME
= 2
$ basalt jobtemplate get
! basalt: error: jobtemplate get needs a NAME
= 2
$ basalt reservation create r
! basalt: error: reservation create needs either --for KIND NAME or -f FILE
= 2
$ basalt reservation create r --for pod p -f pod.yaml
! basalt: error: reservation create needs either --for KIND NAME or -f FILE
= 2
$ basalt reservation create -f pod.yaml
! basalt: error: reservation create needs a NAME
= 2
$ basalt reservation list r
! basalt: error: reservation list takes no NAME
= 2
$ basalt reservation show
! basalt: error: reservation show needs a NAME
= 2

# An argument that is missing is told with the words that it takes
$ basalt job
! basalt: error: basalt job needs a VERB: run, list, view, suspend, resume, delete. See "basalt help job".
= 2
$ basalt queue
! basalt: error: basalt queue needs a VERB: create, delete, operate, list, get. See "basalt help queue".
= 2
$ basalt podgroup
! basalt: error: basalt podgroup needs a VERB: list. See "basalt help podgroup".
= 2
$ basalt reservation
! basalt: error: basalt reservation needs a VERB: create, list, show, delete. See "basalt help reservation".
= 2
$ basalt defrag
! basalt: error: basalt defrag needs a VERB: plan, run, status. See "basalt help defrag".
= 2
$ basalt jobflow
! basalt: error: basalt jobflow needs a VERB: create, list, get, describe, delete. See "basalt help jobflow".
= 2
$ basalt pod
! basalt: error: basalt pod needs a VERB: list. See "basalt help pod".
= 2
$ basalt explain
! basalt: error: basalt explain needs a KIND: pod, podgroup, job, queue, reservation, scale, deployment, replicaset, statefulset, daemonset. See "basalt help explain".
= 2
$ basalt completion
! basalt: error: basalt completion needs a SHELL: bash, zsh, fish. See "basalt help completion".
= 2
$ basalt shadow
! basalt: error: basalt shadow needs a VERB: report. See "basalt help shadow".
= 2
$ basalt descheduler
! basalt: error: --policy is required
= 2
$ kubectl-basalt queue
! basalt: error: kubectl basalt queue needs a VERB: create, delete, operate, list, get. See "kubectl basalt help queue".
= 2

# A flag without its value is told with those that it takes
$ basalt queue list -o
! basalt: error: --output needs a value: json, yaml, name, wide
= 2
$ basalt queue list --output
! basalt: error: --output needs a value: json, yaml, name, wide
= 2
$ basalt queue get --name
! basalt: error: --name needs a value
= 2
$ basalt job list -n
! basalt: error: --namespace needs a value: NAME
= 2
$ basalt queue operate q --action
! basalt: error: --action needs a value: open, close, update
= 2
$ basalt up --nodes
! basalt: error: --nodes needs a value: N
= 2
$ basalt reservation create r --for pod
! basalt: error: --for needs a value: KIND NAME
= 2
$ basalt simulate -f
! basalt: error: --filename needs a value: FILE
= 2
$ basalt version --log-level
! basalt: error: --log-level needs a value: debug, info, warning, error
= 2

# A flag that stands before its command is told where it belongs
$ basalt --kubeconfig config queue list
! basalt: error: flags stand behind the command: basalt queue --kubeconfig …
= 2
$ basalt -o json status
! basalt: error: flags stand behind the command: basalt status -o …
= 2
$ basalt -A job list
! basalt: error: flags stand behind the command: basalt job -A …
= 2
$ basalt --nonsense queue list
! basalt: error: unknown flag --nonsense. See "basalt help queue".
= 2
$ kubectl-basalt --output=json status
! basalt: error: flags stand behind the command: kubectl basalt status --output …
= 2

# A plugin of kubectl speaks of itself by that name
$ kubectl-basalt qeue
! basalt: error: unknown command qeue. Did you mean queue? See "kubectl basalt help".
= 2
$ kubectl-basalt help qeue
! basalt: error: there is no command "qeue". Did you mean queue? "kubectl basalt help" lists them
= 2
$ kubectl-basalt queue list --ouput json
! basalt: error: unknown flag --ouput. Did you mean --output? See "kubectl basalt help queue".
= 2
$ kubectl-basalt
! Basalt: batch scheduling for Kubernetes
! ~
! Usage: kubectl basalt COMMAND [flags]
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
! "kubectl basalt help COMMAND" or "kubectl basalt COMMAND --help" tells of flags, with examples.
= 2
$ kubectl-basalt help crds
  Prints the CRDs as YAML, for kubectl apply -f -
  ~
  Usage: kubectl basalt crds [flags]
  ~
  Examples:
    # into a cluster: | kubectl apply -f -
    kubectl basalt crds
  ~
  Log:
        --log-level LEVEL           debug, info, warning or error; without it: info
    -v, --v LEVEL                   the log's level as Kubernetes' programs count it: 5 and more is
                                    debug
        --log-format FORM           text or json (default text)
$ vcctl jbo list
! basalt: error: unknown command jbo. Did you mean job? See "vcctl help".
= 2

# -w is watching where queues are shown, wherever it stands, and the weight where they are made
cluster
$ basalt queue create a -w 3 -o name
  queue.scheduling.volcano.sh/a
$ basalt queue -o name create b -w 4
  queue.scheduling.volcano.sh/b
$ basalt queue -w 5 create c -o name
  queue.scheduling.volcano.sh/c
$ basalt queue operate a -w 6 -a update -o name
  queue.scheduling.volcano.sh/a
$ basalt queue list -o wide
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed   Capability   Deserved   Guarantee   Allocated
  a      6                -        0         0         0         0         0           -            -          -           -
  b      4                -        0         0         0         0         0           -            -          -           -
  c      5                -        0         0         0         0         0           -            -          -           -

# What was made, changed or deleted is told in the form that was asked for
cluster
given
| {apiVersion: v1, kind: Namespace, metadata: {name: team}}
file flow.yaml
| apiVersion: flow.volcano.sh/v1alpha1
| kind: JobFlow
| metadata: {name: f}
| spec: {jobRetainPolicy: retain, flows: [{name: t}]}
file pod.yaml
| {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: a}}, spec: {containers: [{name: c, image: i}]}}
$ basalt queue create q -o name
  queue.scheduling.volcano.sh/q
$ basalt queue operate q -a close -o name
  queue.scheduling.volcano.sh/q
$ basalt queue operate q -a update -w 2 -o name
  queue.scheduling.volcano.sh/q
$ basalt queue operate q -a update -w 3 -o yaml
  kind: Queue
  apiVersion: scheduling.volcano.sh/v1beta1
  metadata:
    name: q
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 3
    resourceVersion: "N"
  spec:
    weight: 3
$ basalt queue delete q -o name
  queue.scheduling.volcano.sh/q
$ basalt job run j -o name
  job.batch.volcano.sh/j
$ basalt job suspend j -o name
  job.batch.volcano.sh/j
$ basalt job resume j -o name
  job.batch.volcano.sh/j
$ basalt job delete j -o name
  job.batch.volcano.sh/j
$ basalt jobflow create -f flow.yaml -o name
  jobflow.flow.volcano.sh/f
$ basalt jobflow delete f -o name
  jobflow.flow.volcano.sh/f
$ basalt reservation create r -f pod.yaml -o name
  reservation.batch.volcano.sh/r
$ basalt reservation delete r -o name
  reservation.batch.volcano.sh/r
$ basalt job delete j -o name
! basalt: error: jobs.batch.volcano.sh "j" not found
= 1
$ basalt queue create q -o wide
  create queue q successfully
