# A role that cannot begin says which flag is wrong, before it does anything
cluster
$ basalt scheduler --schedule-period soon
! basalt: error: --schedule-period: time: invalid duration "soon"
= 2
$ basalt scheduler --schedule-period 0s
! basalt: error: --schedule-period: must be more than 0
= 2
$ basalt scheduler --cycle-budget 0s
! basalt: error: --cycle-budget: must be more than 0
= 2
$ basalt scheduler --scheduler-name ""
! basalt: error: --scheduler-name: a name must not be empty
= 2
$ basalt scheduler --default-queue ""
! basalt: error: --default-queue: must not be empty
= 2
$ basalt scheduler --node-selector role=train
! basalt: error: --node-selector: "role=train": want LABEL:VALUE, for example volcano.sh/role:train
= 2
$ basalt scheduler --node-selector :train
! basalt: error: --node-selector: ":train": want LABEL:VALUE, for example volcano.sh/role:train
= 2
$ basalt scheduler --feature-gates SchedulingGatesQueueAdmission
! basalt: error: --feature-gates: "SchedulingGatesQueueAdmission": want NAME=true or NAME=false
= 2
$ basalt scheduler --feature-gates SchedulingGatesQueueAdmision=true
! basalt: error: --feature-gates: "SchedulingGatesQueueAdmision=true": no such feature, did you mean SchedulingGatesQueueAdmission?
= 2
$ basalt scheduler --feature-gates SchedulingGatesQueueAdmission=yes
! basalt: error: --feature-gates: "SchedulingGatesQueueAdmission=yes": want true or false
= 2
$ basalt scheduler --gate-removal-worker-num 0
! basalt: error: --gate-removal-worker-num: at least 1
= 2
$ basalt scheduler --metrics-max-jobs -1
! basalt: error: --metrics-max-jobs: must not be negative
= 2
$ basalt scheduler --scheduler-conf missing.yaml
! TIME I questions are answered address=HOST:PORT
! basalt: error: --scheduler-conf: missing.yaml: No such file or directory
= 2
$ basalt scheduler --query-address nowhere
! basalt: error: --query-address: "nowhere": want ADDRESS:PORT
= 2
$ basalt scheduler --listen-address 127.0.0.1
! TIME I questions are answered address=HOST:PORT
! basalt: error: --listen-address: "127.0.0.1": want ADDRESS:PORT
= 2
$ basalt scheduler --healthz-address 127.0.0.1:99999
! TIME I questions are answered address=HOST:PORT
! basalt: error: --healthz-address: "HOST:PORT": the port is no number from 0 to 65535
= 2

# A scheduler does not run with another policy than the one that was asked for
cluster
file unknown-plugin.yaml
| actions: "enqueue, allocate"
| tiers: [{plugins: [{name: gnag}]}]
file unknown-action.yaml
| actions: "enqueue, alocate"
| tiers: [{plugins: [{name: gang}]}]
file no-yaml.yaml
| actions: [
file bad-argument.yaml
| actions: "allocate"
| tiers: [{plugins: [{name: binpack, arguments: {binpack.weigth: 1}}]}]
$ basalt scheduler --scheduler-conf unknown-plugin.yaml
! TIME I questions are answered address=HOST:PORT
! basalt: error: --scheduler-conf: unknown-plugin.yaml: line 2: unknown plugin "gnag", did you mean "gang"?
= 2
$ basalt scheduler --scheduler-conf unknown-action.yaml
! TIME I questions are answered address=HOST:PORT
! basalt: error: --scheduler-conf: unknown-action.yaml: line 1: unknown action "alocate", did you mean "allocate"?
= 2
$ basalt scheduler --scheduler-conf no-yaml.yaml
! TIME I questions are answered address=HOST:PORT
! basalt: error: --scheduler-conf: no-yaml.yaml: line 2: end of sequence flow not found
= 2
$ basalt scheduler --scheduler-conf bad-argument.yaml
! TIME I questions are answered address=HOST:PORT
! basalt: error: --scheduler-conf: bad-argument.yaml: line 2: plugin binpack: unknown argument "binpack.weigth", did you mean "binpack.weight"?
= 2

# Times of an election must leave a leader time to stop
cluster
$ basalt scheduler --leader-elect --leader-elect-lease-duration 10s --leader-elect-renew-deadline 15s
! basalt: error: --leader-elect-renew-deadline: must be shorter than --leader-elect-lease-duration
= 2
$ basalt controller --leader-elect --leader-elect-renew-deadline 1s --leader-elect-retry-period 2s
! basalt: error: --leader-elect-retry-period: must be more than 0 and shorter than --leader-elect-renew-deadline
= 2
$ basalt webhook --leader-elect-lease-duration never
! basalt: error: --leader-elect-lease-duration: time: invalid duration "never"
= 2
$ basalt descheduler --policy p --leader-elect-retry-period 0s
! basalt: error: --leader-elect-retry-period: must be more than 0 and shorter than --leader-elect-renew-deadline
= 2

# A webhook needs a certificate and its key, or makes them
cluster
$ basalt webhook
! basalt: error: --tls-cert-file: missing; give a certificate and its key, or --self-register to have them made
= 2
$ basalt webhook --tls-cert-file c
! basalt: error: --tls-private-key-file: missing: a certificate and its key go together
= 2
$ basalt webhook --tls-private-key-file k
! basalt: error: --tls-cert-file: missing: a certificate and its key go together
= 2
$ basalt webhook --self-register --ca-cert-file c
! basalt: error: --ca-cert-file: needs --tls-cert-file and --tls-private-key-file
= 2
$ basalt webhook --self-register --webhook-url https://a --webhook-service-name s
! basalt: error: --webhook-url: excludes --webhook-service-name: the API server calls one
= 2
$ basalt webhook --tls-cert-file missing --tls-private-key-file missing
! basalt: error: --tls-cert-file: missing: No such file or directory
= 2
$ basalt webhook --port 65536
! basalt: error: --port: Value 65536 not in range 0 to 65535
= 2
$ basalt webhook --max-queue-depth 0
! basalt: error: --max-queue-depth: "0": want a whole number, 1 or more
= 2
$ basalt webhook --max-queue-depth few
! basalt: error: --max-queue-depth: "few": want a whole number, 1 or more
= 2

# Controllers are chosen by names that are known
cluster
$ basalt controller --controllers job,qeue
! basalt: error: --controllers: qeue is none of cronjob, gc, hypernode, job, jobflow, jobtemplate, podgroup, queue
= 2
$ basalt controller --controllers -nothing
! basalt: error: --controllers: -nothing is none of cronjob, gc, hypernode, job, jobflow, jobtemplate, podgroup, queue
= 2
$ basalt controller --max-requeue-num 0
! basalt: error: --max-requeue-num: "0": want a whole number, 1 or more
= 2

# A descheduler needs a policy that it understands
cluster
file policy.yaml
| profiles: []
file odd.yaml
| profiles: [{name: p, plugins: {}, nonsense: 1}]
$ basalt descheduler
! basalt: error: --policy is required
= 2
$ basalt descheduler --policy missing.yaml
! basalt: error: --policy: missing.yaml: No such file or directory
= 2
$ basalt descheduler --policy odd.yaml
! basalt: error: --policy: odd.yaml: apiVersion: must be descheduler/v1alpha2
= 2
$ basalt descheduler --policy policy.yaml --descheduling-interval never
! basalt: error: --descheduling-interval: "never" is no duration above 0, such as 90s, 10m or 1h30m
= 2
$ basalt descheduler --policy policy.yaml --cron "* *"
! basalt: error: --cron: schedule "* *": has 2 fields; want five: minute, hour, day of month, month, day of week
= 2
$ basalt descheduler --policy policy.yaml --scheduler-name ""
! basalt: error: --scheduler-name: a name must not be empty
= 2

# A dashboard that others would reach asks them who they are
cluster
$ basalt dashboard --listen 0.0.0.0:0
! basalt: error: --listen: others than this machine would reach it: that needs --auth review, by which people log in with their own tokens
= 2
$ basalt dashboard --listen here
! basalt: error: --listen: "here": want ADDRESS:PORT
= 2
$ basalt dashboard --tls-cert-file c
! basalt: error: --tls-cert-file: goes together with --tls-private-key-file
= 2
$ basalt dashboard --tls-cert-file c --tls-private-key-file k
! basalt: error: --tls-cert-file: cannot read c
= 2
$ basalt dashboard --auth anybody
! basalt: error: --auth: "anybody" is not one of token, review.
= 2

# Nodes are simulated where labels choose them
cluster
$ basalt simnode --node-selector "a in ("
! basalt: error: --node-selector: unable to parse requirement: found '', expected: ',', ')' or identifier
= 2

# A role without a cluster says where it looked
$ basalt scheduler
! basalt: error: no cluster to talk to: name a kubeconfig with --kubeconfig PATH or set KUBECONFIG (not in a pod with a service account: KUBERNETES_SERVICE_HOST and _PORT are not set; FOLDER/kubeconfig does not exist)
= 1
$ basalt controller --kubeconfig none
! basalt: error: kubeconfig none: No such file or directory; name one that can be read with --kubeconfig
= 1
$ basalt workloads
! basalt: error: no cluster to talk to: name a kubeconfig with --kubeconfig PATH or set KUBECONFIG (not in a pod with a service account: KUBERNETES_SERVICE_HOST and _PORT are not set; FOLDER/kubeconfig does not exist)
= 1

# An embedded cluster says at once what it cannot do
$ basalt up --listen nowhere
! basalt: error: --listen: "nowhere": want ADDRESS:PORT
= 2
$ basalt up --listen localhost:port
! basalt: error: --listen: "localhost:port": the port is no number from 0 to 65535
= 2
$ basalt up --node-cpu lots
! basalt: error: --node-cpu: "lots": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
= 2
$ basalt up --node-memory -1Gi
! basalt: error: --node-memory: "-1Gi": must not be negative
= 2
$ basalt up --only scheduler
! basalt: error: --only: "scheduler" is not one of api.
= 2
$ basalt up --apply missing.yaml
! basalt: error: --apply: reading missing.yaml: No such file or directory
= 1
file words.yaml
| just words
$ basalt up --apply words.yaml
! basalt: error: --apply: words.yaml, document 1, line 1: not an object but a single value or a list
= 1
file config
| kind: Pod
$ basalt up --kubeconfig config/missing/kubeconfig
! basalt: error: --kubeconfig: FOLDER/config/missing/kubeconfig: its folder cannot be written: Not a directory
= 1
$ basalt up --kubeconfig config
! basalt: error: --kubeconfig: FOLDER/config: it is no kubeconfig: its kind must be Config
= 1
file taken
| x
$ basalt up --data-dir taken
! basalt: error: --data-dir: taken: not a directory; --data-dir names one, or one to be made
= 1
