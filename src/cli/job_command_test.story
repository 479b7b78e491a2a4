# A job is run, listed, viewed and deleted
cluster
$ basalt job run --name j --image busybox --replicas 3 --min 2 --requests cpu=500m,memory=1Gi --limits cpu=1
  run job j successfully
$ basalt job list
  Name   Creation     Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount
  j      YYYY-MM-DD           Batch     3          2     0         0         0           0        0         0
$ basalt job list -o name
  job.batch.volcano.sh/j
$ basalt job list -o wide
  Name   Creation     Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount   Queue   Priority   Scheduler
  j      YYYY-MM-DD           Batch     3          2     0         0         0           0        0         0            -       -          volcano
$ basalt job view j
  Name:        j
  Namespace:   default
  Age:         0s
  Phase:
  metadata:
    name: j
    namespace: default
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 1
    resourceVersion: "N"
  spec:
    minAvailable: 2
    schedulerName: volcano
    tasks:
    - name: j
      replicas: 3
      template:
        metadata:
          labels:
            job.volcano.sh: j
        spec:
          restartPolicy: Never
          containers:
          - name: j
            image: busybox
            resources:
              requests:
                cpu: "500m"
                memory: "1Gi"
              limits:
                cpu: "1"
  No events.
$ basalt job view -N j -o name
  job.batch.volcano.sh/j
$ basalt job delete j
  delete job j successfully
$ basalt job list
  No jobs.

# What a job asks for is what was typed, and else what Volcano's tool has
cluster
$ basalt job run j -o yaml
  kind: Job
  apiVersion: batch.volcano.sh/v1alpha1
  metadata:
    name: j
    namespace: default
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 1
    resourceVersion: "N"
  spec:
    minAvailable: 1
    schedulerName: volcano
    tasks:
    - name: j
      replicas: 1
      template:
        metadata:
          labels:
            job.volcano.sh: j
        spec:
          restartPolicy: Never
          containers:
          - name: j
            image: busybox
$ basalt job run k -S other -m 0 -r 0 -i img -L nvidia.com/gpu=2 -o json
  {"kind":"Job","apiVersion":"batch.volcano.sh/v1alpha1","metadata":{"name":"k","namespace":"default","uid":"UID","creationTimestamp":"TIME","generation":1,"resourceVersion":"N"},"spec":{"minAvailable":0,"schedulerName":"other","tasks":[{"name":"k","replicas":0,"template":{"metadata":{"labels":{"job.volcano.sh":"k"}},"spec":{"restartPolicy":"Never","containers":[{"name":"k","image":"img","resources":{"limits":{"nvidia.com/gpu":"2"}}}]}}}]}}

# Amounts that are none are refused with their flag
cluster
$ basalt job run j --requests cpu
! basalt: error: --requests: "cpu": want RESOURCE=AMOUNT, as in cpu=1000m,memory=100Mi
= 1
$ basalt job run j --requests =1
! basalt: error: --requests: "=1": want RESOURCE=AMOUNT, as in cpu=1000m,memory=100Mi
= 1
$ basalt job run j --requests cpu=lots
! basalt: error: --requests: cpu: "lots": want an amount such as 1000m or 100Mi
= 1
$ basalt job run j --limits memory=-1Gi
! basalt: error: --limits: memory: "-1Gi": want an amount such as 1000m or 100Mi
= 1
$ basalt job run j --limits cpu=1,,memory=1Gi
! basalt: error: --limits: "": want RESOURCE=AMOUNT, as in cpu=1000m,memory=100Mi
= 1

# Jobs are run from a file or from standard input, with the namespace that they name
cluster
given
| {apiVersion: v1, kind: Namespace, metadata: {name: team}}
file jobs.yaml
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Job
| metadata: {name: a}
| spec: {minAvailable: 1, tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}
| ---
| apiVersion: batch.volcano.sh/v1alpha1
| kind: Job
| metadata: {name: b, namespace: team}
| spec: {minAvailable: 1, queue: q, tasks: [{name: t, replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}
$ basalt job run -f jobs.yaml
  run job a successfully
  run job b successfully
$ basalt job list -A
  Namespace   Name   Creation     Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount
  default     a      YYYY-MM-DD           Batch     1          1     0         0         0           0        0         0
  team        b      YYYY-MM-DD           Batch     2          1     0         0         0           0        0         0
$ basalt job list -n team
  Name   Creation     Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount
  b      YYYY-MM-DD           Batch     2          1     0         0         0           0        0         0
$ basalt job list -A -q q -o name
  job.batch.volcano.sh/b
$ basalt job list -A --selector a -o name
  job.batch.volcano.sh/a
$ basalt job list -A -S volcano
  No jobs.
$ basalt job run -f - < jobs.yaml
! basalt: error: jobs.batch.volcano.sh "a" already exists
= 1

# Files with something else in them are refused, and it is said where
cluster
file pod.yaml
| apiVersion: v1
| kind: Pod
| metadata: {name: p}
file none.yaml
| just words
file half.yaml
| apiVersion: v1
| kind: Job
file broken.yaml
| a: [
$ basalt job run -f pod.yaml
! basalt: error: pod.yaml, document 1, line 1: want a Job of batch.volcano.sh/v1alpha1, not Pod of v1
= 1
$ basalt job run -f none.yaml
! basalt: error: none.yaml, document 1, line 1: not an object but a single value or a list
= 1
$ basalt job run -f half.yaml
! basalt: error: half.yaml, document 1, line 1: metadata is missing
= 1
$ basalt job run -f broken.yaml
! basalt: error: broken.yaml, document 1, line 2: end of sequence flow not found
= 1
$ basalt job run -f missing.yaml
! basalt: error: reading missing.yaml: No such file or directory
= 1

# What a verb needs is said
$ basalt job run
! basalt: error: job run needs a NAME
= 2
$ basalt job view
! basalt: error: job view needs a NAME
= 2
$ basalt job delete -n x
! basalt: error: job delete needs a NAME
= 2
$ basalt job view a -N b
! basalt: error: two names are given, "a" and "b"
= 2
$ basalt job list a
! basalt: error: job list takes no NAME; --selector chooses by a part of it
= 2
$ basalt job suspend
! basalt: error: job suspend needs a NAME
= 2
$ basalt job resume
! basalt: error: job resume needs a NAME
= 2

# A job is suspended and resumed by a command to its controller
cluster
$ basalt job run j
  run job j successfully
$ basalt job suspend j
  suspend job j successfully
$ basalt job resume -N j
  resume job j successfully
$ basalt job suspend k
! basalt: error: jobs.batch.volcano.sh "k" not found
= 1
$ basalt job view k
! basalt: error: jobs.batch.volcano.sh "k" not found
= 1
$ basalt job delete k
! basalt: error: jobs.batch.volcano.sh "k" not found
= 1

# A job's view has its events and nothing of who wrote which field
cluster
$ basalt job run j
  run job j successfully
given
| apiVersion: v1
| kind: Event
| metadata: {name: e}
| involvedObject: {kind: Job, name: j, namespace: default, apiVersion: batch.volcano.sh/v1alpha1}
| type: Warning
| reason: PVCError
| message: no claim c
| count: 3
| source: {component: controller}
| ---
| apiVersion: v1
| kind: Event
| metadata: {name: f}
| involvedObject: {kind: Job, name: other, namespace: default}
| type: Normal
| reason: Elsewhere
| message: not of this job
$ basalt job view j
  Name:        j
  Namespace:   default
  Age:         0s
  Phase:
  metadata:
    name: j
    namespace: default
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 1
    resourceVersion: "N"
  spec:
    minAvailable: 1
    schedulerName: volcano
    tasks:
    - name: j
      replicas: 1
      template:
        metadata:
          labels:
            job.volcano.sh: j
        spec:
          restartPolicy: Never
          containers:
          - name: j
            image: busybox
  Events:
  Type      Reason     Count   From         Message
  Warning   PVCError   3       controller   no claim c

# Pods of jobs are listed by job, queue and labels
cluster
given
| apiVersion: v1
| kind: Pod
| metadata: {name: a, labels: {volcano.sh/job-name: j, volcano.sh/queue-name: q, tier: x}}
| spec: {nodeName: n1, containers: [{name: c, image: i}]}
| status: {phase: Running, podIP: 10.0.0.1, containerStatuses: [{name: c, image: i, imageID: i, ready: true, restartCount: 1, state: {running: {}}}]}
| ---
| apiVersion: v1
| kind: Pod
| metadata: {name: b, labels: {volcano.sh/job-name: k}}
| spec: {containers: [{name: c, image: i}]}
| ---
| apiVersion: v1
| kind: Pod
| metadata: {name: of-nobody}
| spec: {containers: [{name: c, image: i}]}
$ basalt pod list
  Name   Ready   Status    Restart   Age
  a      1/1     Running   1         0s
  b      0/1     Pending   0         0s
$ basalt pod list -j j
  Name   Ready   Status    Restart   Age
  a      1/1     Running   1         0s
$ basalt pod list -q q -o name
  pod/a
$ basalt pod list -l tier=x -o wide
  Name   Ready   Status    Restart   Age   Node   IP         Queue
  a      1/1     Running   1         0s    n1     10.0.0.1   q
$ basalt pod list -A -j k
  Namespace   Name   Ready   Status    Restart   Age
  default     b      0/1     Pending   0         0s
$ basalt pod list -j zz
  No pods.
$ basalt pod list a
! basalt: error: pod list takes no NAME; --job and --queue choose pods
= 2
$ basalt pod list -n nowhere
  No pods.

# Flows and templates are made from files, shown and deleted
cluster
file flow.yaml
| apiVersion: flow.volcano.sh/v1alpha1
| kind: JobTemplate
| metadata: {name: t}
| spec: {minAvailable: 1, tasks: [{name: t, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}
file flows.yaml
| apiVersion: flow.volcano.sh/v1alpha1
| kind: JobFlow
| metadata: {name: f}
| spec: {jobRetainPolicy: retain, flows: [{name: t}]}
$ basalt jobtemplate create -f flow.yaml
  Created jobtemplate: default/t
$ basalt jobflow create -f flow.yaml
! basalt: error: flow.yaml, document 1, line 1: want a JobFlow of flow.volcano.sh/v1alpha1, not JobTemplate of flow.volcano.sh/v1alpha1
= 1
$ basalt jobflow create -f flows.yaml
  Created jobflow: default/f
$ basalt jobflow create -f flows.yaml
! basalt: error: flows.yaml, document 1, line 1: jobflows.flow.volcano.sh "f" already exists
= 1
$ basalt jobflow list
  Name   Namespace   Phase   Age
  f      default             0s
$ basalt jobflow list -A -o name
  jobflow.flow.volcano.sh/f
$ basalt jobflow get f
  Name   Namespace   Phase   Age
  f      default             0s
$ basalt jobflow get f -o name
  jobflow.flow.volcano.sh/f
$ basalt jobflow describe f
  kind: JobFlow
  apiVersion: flow.volcano.sh/v1alpha1
  metadata:
    name: f
    namespace: default
    uid: "UID"
    creationTimestamp: "TIME"
    generation: 1
    resourceVersion: "N"
  spec:
    jobRetainPolicy: retain
    flows:
    - name: t
$ basalt jobtemplate list
  Name   Namespace   Phase   Age
  t      default     -       0s
$ basalt jobtemplate get u
! basalt: error: jobtemplates.flow.volcano.sh "u" not found
= 1
$ basalt jobflow delete -f flows.yaml
  Deleted jobflow: default/f
$ basalt jobtemplate delete t
  Deleted jobtemplate: default/t
$ basalt jobtemplate delete t
! basalt: error: jobtemplates.flow.volcano.sh "t" not found
= 1
$ basalt jobflow list
  No jobflows.

# What a verb of flows needs is said
$ basalt jobflow create
! basalt: error: jobflow create needs --file
= 2
$ basalt jobflow get
! basalt: error: jobflow get needs a NAME
= 2
$ basalt jobflow describe
! basalt: error: jobflow describe needs a NAME
= 2
$ basalt jobflow delete
! basalt: error: jobflow delete needs a NAME
= 2
$ basalt jobflow list f
! basalt: error: jobflow list takes no NAME
= 2
$ basalt jobtemplate create t
! basalt: error: jobtemplate create needs --file
= 2
