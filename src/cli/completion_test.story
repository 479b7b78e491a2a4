# A shell is given the commands that begin with what was typed
$ basalt __complete -- re
  reservation
$ basalt __complete -- job
  job
  jobflow
  jobtemplate
$ basalt __complete -- zz

# A shell is given verbs, kinds and values
$ basalt __complete -- job ""
  run
  list
  view
  suspend
  resume
  delete
$ basalt __complete -- queue operate q --action ""
  open
  close
  update
$ basalt __complete -- job list --output ""
  json
  yaml
  name
  wide
$ basalt __complete -- explain ""
  pod
  podgroup
  job
  queue
  reservation
  scale
  deployment
  replicaset
  statefulset
  daemonset
$ basalt __complete -- up --only ""
  api
$ basalt __complete -- completion ""
  bash
  zsh
  fish
$ basalt __complete -- dashboard --auth ""
  token
  review

# A shell is given flags once a dash is typed
$ basalt __complete -- queue list --o
  --output
$ basalt __complete -- queue list --la
  --label-selector
$ basalt __complete -- job run --re
  --replicas
  --requests
$ basalt __complete -- up --node-
  --node-cpu
  --node-memory
  --node-pods
  --node-gpu
  --node-zones
$ basalt __complete -- simulate --no
  --node-file

# kubectl is told in its own way that no files follow
$ kubectl_complete-basalt qu
  queue
  :4
$ basalt __complete qu
  queue
  :4

# A shell for which there is no completion is told with those that have one
$ basalt completion fsh
! basalt: error: shell: "fsh" is not one of bash, zsh, fish. Did you mean zsh?
= 2
$ basalt completion
! basalt: error: basalt completion needs a SHELL: bash, zsh, fish. See "basalt help completion".
= 2
