# Flags are taken in every form that kubectl takes them in
cluster
given
| {apiVersion: v1, kind: Namespace, metadata: {name: team}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q, labels: {team: blue}}, spec: {weight: 1}}
$ basalt queue list -o name
  queue.scheduling.volcano.sh/q
$ basalt queue list -oname
  queue.scheduling.volcano.sh/q
$ basalt queue list -o=name
  queue.scheduling.volcano.sh/q
$ basalt queue list --output name
  queue.scheduling.volcano.sh/q
$ basalt queue list --output=name
  queue.scheduling.volcano.sh/q
$ basalt queue list --format=name
  queue.scheduling.volcano.sh/q
$ basalt queue list -l=team=blue -o=name
  queue.scheduling.volcano.sh/q
$ basalt queue list -lteam=blue -oname
  queue.scheduling.volcano.sh/q
$ basalt queue list --label-selector=team=red
  No queues.
$ basalt queue get -n=q -o=name
  queue.scheduling.volcano.sh/q
$ basalt queue create -n=other -w=3 -o=name
  queue.scheduling.volcano.sh/other
$ basalt job run -n=team -N=j -o=name
  job.batch.volcano.sh/j
$ basalt job list -n=team -o=name
  job.batch.volcano.sh/j
$ basalt job list -nteam -oname
  job.batch.volcano.sh/j
$ basalt job list -A=true -o=name
! basalt: error: unknown flag -. See "basalt help job".
= 2
$ basalt job list -A=false
! basalt: error: unknown flag -. See "basalt help job".
= 2
$ basalt job list --all-namespaces=true -o name
  job.batch.volcano.sh/j
$ basalt job list --watch=false -A -o name
  job.batch.volcano.sh/j
$ basalt version -v=4
  basalt VERSION
$ basalt version -v=many
! basalt: error: --v: "many": want a number, 0 or more
= 2
$ basalt queue list -o=jsn
! basalt: error: --output: "jsn" is not one of json, yaml, name, wide. Did you mean json?
= 2
$ basalt queue list -o=
! basalt: error: --output: "" is not one of json, yaml, name, wide.
= 2
$ basalt queue list -s= -o=name
  queue.scheduling.volcano.sh/other
  queue.scheduling.volcano.sh/q

# Flags stand before and behind names
cluster
$ basalt queue -o name create --weight 2 q
  queue.scheduling.volcano.sh/q
$ basalt queue --weight=3 create -o=name r
  queue.scheduling.volcano.sh/r
$ basalt queue -o wide list
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed   Capability   Deserved   Guarantee   Allocated
  q      2                -        0         0         0         0         0           -            -          -           -
  r      3                -        0         0         0         0         0           -            -          -           -
$ basalt queue get -o name q
  queue.scheduling.volcano.sh/q
$ basalt queue get q -o name
  queue.scheduling.volcano.sh/q

# Help has the usage, arguments and examples before the flags, those in groups
$ basalt help podgroup
  list: every PodGroup, those that exist in the scheduler alone marked "shadow"
  ~
  Usage: basalt podgroup VERB [flags]
  ~
  Arguments:
    VERB                            list
  ~
  Examples:
    # every group, those of plain pods too
    basalt podgroup list -A
    # as they change
    basalt podgroup list -n team-a -w
  ~
  Flags:
    -n, --namespace NAME            only of this namespace; without it: all
    -A, --all-namespaces            with list: of all namespaces
    -l, --label-selector LABELS     only objects with these labels: app=web,tier!=test
    -w, --watch                     go on, and show what changes
    -o, --output, --format FORM     json, yaml, name, or wide for more columns; without it: text
  ~
  Cluster:
    -k, --kubeconfig FILE           the cluster; without it: the pod's service account, $KUBECONFIG,
                                    ~/.kube/config
        --context NAME              which context of the kubeconfig; without it: its current one
    -s, --master URL                the API server's URL; without it: that of the kubeconfig
        --scheduler-namespace NAME  where the scheduler keeps its Secret basalt-query (default
                                    volcano-system)
  ~
  Log:
        --log-level LEVEL           debug, info, warning or error; without it: info
    -v, --v LEVEL                   the log's level as Kubernetes' programs count it: 5 and more is
                                    debug
        --log-format FORM           text or json (default text)
$ basalt status --help
  One screen of health: leaders, last cycle, queues, what waits and why, evictions, reservations,
  fragmentation
  ~
  Usage: basalt status [flags]
  ~
  Examples:
    # one screen: leaders, queues, what waits and why
    basalt status
    # again and again
    basalt status -w
    # for programs
    basalt status -o json
  ~
  Flags:
    -l, --label-selector LABELS     only queues with these labels
    -w, --watch                     go on, and show it again every second
    -A, --all-namespaces            as with other commands; it is always of all namespaces
    -o, --output, --format FORM     json, yaml, name, or wide for more columns; without it: text
  ~
  Cluster:
    -k, --kubeconfig FILE           the cluster; without it: the pod's service account, $KUBECONFIG,
                                    ~/.kube/config
        --context NAME              which context of the kubeconfig; without it: its current one
    -s, --master URL                the API server's URL; without it: that of the kubeconfig
        --scheduler-namespace NAME  where the scheduler keeps its Secret basalt-query (default
                                    volcano-system)
  ~
  Log:
        --log-level LEVEL           debug, info, warning or error; without it: info
    -v, --v LEVEL                   the log's level as Kubernetes' programs count it: 5 and more is
                                    debug
        --log-format FORM           text or json (default text)
$ kubectl-basalt defrag -h
  plan, run, status: makes whole nodes free, by asking the descheduler
  ~
  Usage: kubectl basalt defrag VERB [ID] [flags]
  ~
  Arguments:
    VERB                            plan: what a run would do now; run: move pods, each to a place
                                    that is held for it; status: a plan as it stands, the newest or ID
    ID                              with status: the plan
  ~
  Examples:
    # what would move, and which nodes it would free
    kubectl basalt defrag plan
    # do it, and follow it to its end
    kubectl basalt defrag run
    # only some nodes, by memory
    kubectl basalt defrag run -l pool=batch --resource memory
    # how the newest run stands
    kubectl basalt defrag status
  ~
  Flags:
        --resource TEXT             the resource whose fragments are put together; without it: the
                                    policy's
    -l, --label-selector LABELS     with plan and run: only nodes with these labels
    -w, --watch                     with plan and status: go on, and show what changes; run does so by
                                    itself
    -A, --all-namespaces            as with other commands; pods of all are moved
        --no-wait                   with run: print the run's id, and do not wait for its end
        --descheduler-namespace TEXT
                                    where the descheduler keeps its Secret basalt-descheduler (default
                                    volcano-system)
    -o, --output, --format FORM     json, yaml, name, or wide for more columns; without it: text
  ~
  Cluster:
    -k, --kubeconfig FILE           the cluster; without it: the pod's service account, $KUBECONFIG,
                                    ~/.kube/config
        --context NAME              which context of the kubeconfig; without it: its current one
    -s, --master URL                the API server's URL; without it: that of the kubeconfig
  ~
  Log:
        --log-level LEVEL           debug, info, warning or error; without it: info
    -v, --v LEVEL                   the log's level as Kubernetes' programs count it: 5 and more is
                                    debug
        --log-format FORM           text or json (default text)
$ basalt help help
  Explains a command: help COMMAND
  ~
  Usage: basalt help [flags]
  ~
  Examples:
    # a command's flags
    basalt help queue
  ~
  Log:
        --log-level LEVEL           debug, info, warning or error; without it: info
    -v, --v LEVEL                   the log's level as Kubernetes' programs count it: 5 and more is
                                    debug
        --log-format FORM           text or json (default text)
$ basalt help --help
  Explains a command: help COMMAND
  ~
  Usage: basalt help [flags]
  ~
  Examples:
    # a command's flags
    basalt help queue
  ~
  Log:
        --log-level LEVEL           debug, info, warning or error; without it: info
    -v, --v LEVEL                   the log's level as Kubernetes' programs count it: 5 and more is
                                    debug
        --log-format FORM           text or json (default text)

# A script completes what is typed, for each shell
$ basalt completion bash
  # bash completion of basalt: source <(basalt completion bash)
  _basalt_complete() {
    local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    local IFS=$'\n'
    COMPREPLY=($("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null))
  }
  complete -o bashdefault -o default -F _basalt_complete basalt vcctl
$ basalt completion zsh
  #compdef basalt vcctl
  # zsh completion of basalt: source <(basalt completion zsh)
  _basalt_complete() {
    local -a found
    found=("${(@f)$("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then
      compadd -a found
    else
      _files
    fi
  }
  compdef _basalt_complete basalt vcctl
$ basalt completion fish
  # fish completion of basalt: basalt completion fish | source
  function __basalt_complete
      set -l words (commandline -opc) (commandline -ct)
      $words[1] __complete -- $words[2..-1] 2>/dev/null
  end
  complete -c basalt -a '(__basalt_complete)'
  complete -c vcctl -a '(__basalt_complete)'

# Completion knows every place in a line
$ basalt __complete --
  up
  scheduler
  shadow
  webhook
  controller
  descheduler
  check
  crds
  simnode
  workloads
  explain
  simulate
  dashboard
  status
  podgroup
  queue
  reservation
  defrag
  job
  jobflow
  jobtemplate
  pod
  completion
  man
  version
  help
$ basalt __complete -- qu
  queue
$ basalt __complete -- queue
  queue
$ basalt __complete -- queue ""
  create
  delete
  operate
  list
  get
$ basalt __complete -- queue l
  list
$ basalt __complete -- queue list --l
  --label-selector
  --log-level
  --log-format
$ basalt __complete -- queue list -o y
  yaml
$ basalt __complete -- queue -o json l
  list
$ basalt __complete -- queue --name q g
  get
$ basalt __complete -- queue list -o json --w
  --watch
  --weight
$ basalt __complete -- reservation create r --fi
  --filename
$ basalt __complete -- explain -n team q
  queue
$ basalt __complete -- explain queue q -o ""
  json
  yaml
  name
  wide
$ basalt __complete -- help de
  descheduler
  defrag
$ basalt __complete -- defrag ""
  plan
  run
  status
$ basalt __complete -- defrag run --n
  --no-wait
$ basalt __complete -- shadow ""
  report
$ basalt __complete -- check --
  --kubeconfig
  --context
  --master
  --back
  --volcano-conf
  --volcano-namespace
  --scheduler-name
  --output
  --log-level
  --v
  --log-format
$ basalt __complete -- version --log-level ""
  debug
  info
  warning
  error
$ basalt __complete -- nothing ""
$ basalt __complete -- queue list --nothing ""
$ kubectl_complete-basalt queue list -o ""
  json
  yaml
  name
  wide
  :4
$ kubectl_complete-basalt nothing ""
  :4
