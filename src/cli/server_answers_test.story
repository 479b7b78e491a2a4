# Who may not list something is told so in the server's words
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "queues.scheduling.volcano.sh is forbidden: User \"jane\" cannot list resource \"queues\" in API group \"scheduling.volcano.sh\" at the cluster scope"}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "jobs.batch.volcano.sh is forbidden: User \"jane\" cannot list resource \"jobs\" in API group \"batch.volcano.sh\" in the namespace \"default\""}
server answers GET /api/v1/namespaces/volcano-system/secrets/basalt-query 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "secrets \"basalt-query\" is forbidden: User \"jane\" cannot get resource \"secrets\""}
server answers GET /api/v1/namespaces/volcano-system/secrets/basalt-descheduler 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "secrets \"basalt-descheduler\" is forbidden: User \"jane\" cannot get resource \"secrets\""}
server answers POST /apis/scheduling.volcano.sh/v1beta1/queues 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "queues.scheduling.volcano.sh is forbidden: User \"jane\" cannot create resource \"queues\""}
server answers DELETE /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "jobs.batch.volcano.sh \"j\" is forbidden: User \"jane\" cannot delete resource \"jobs\""}
$ basalt queue list
! basalt: error: queues.scheduling.volcano.sh is forbidden: User "jane" cannot list resource "queues" in API group "scheduling.volcano.sh" at the cluster scope
= 1
$ basalt queue list -o json
! basalt: error: queues.scheduling.volcano.sh is forbidden: User "jane" cannot list resource "queues" in API group "scheduling.volcano.sh" at the cluster scope
= 1
$ basalt queue list -w
! basalt: error: queues.scheduling.volcano.sh is forbidden: User "jane" cannot list resource "queues" in API group "scheduling.volcano.sh" at the cluster scope
= 1
$ basalt job list
! basalt: error: jobs.batch.volcano.sh is forbidden: User "jane" cannot list resource "jobs" in API group "batch.volcano.sh" in the namespace "default"
= 1
$ basalt queue create q
! basalt: error: queues.scheduling.volcano.sh is forbidden: User "jane" cannot create resource "queues"
= 1
$ basalt job delete j
! basalt: error: jobs.batch.volcano.sh "j" is forbidden: User "jane" cannot delete resource "jobs"
= 1
$ basalt explain pod p
! basalt: error: you may not read Secret volcano-system/basalt-query (secrets "basalt-query" is forbidden: User "jane" cannot get resource "secrets"). Whoever may "get" it may ask the scheduler
= 1
$ basalt podgroup list
! basalt: error: you may not read Secret volcano-system/basalt-query (secrets "basalt-query" is forbidden: User "jane" cannot get resource "secrets"). Whoever may "get" it may ask the scheduler
= 1
$ basalt status
! basalt: error: you may not read Secret volcano-system/basalt-query (secrets "basalt-query" is forbidden: User "jane" cannot get resource "secrets"). Whoever may "get" it may ask the scheduler
= 1
$ basalt simulate
! basalt: error: you may not read Secret volcano-system/basalt-query (secrets "basalt-query" is forbidden: User "jane" cannot get resource "secrets"). Whoever may "get" it may ask the scheduler
= 1
$ basalt defrag plan
! basalt: error: you may not read Secret volcano-system/basalt-descheduler (secrets "basalt-descheduler" is forbidden: User "jane" cannot get resource "secrets"). Whoever may "get" it may ask the descheduler
= 1
$ basalt defrag status
! basalt: error: you may not read Secret volcano-system/basalt-descheduler (secrets "basalt-descheduler" is forbidden: User "jane" cannot get resource "secrets"). Whoever may "get" it may ask the descheduler
= 1

# Whom the server does not know is told so
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues 401
| {"kind": "Status", "status": "Failure", "reason": "Unauthorized", "code": 401, "message": "Unauthorized"}
server answers GET /api/v1/namespaces/volcano-system/secrets/basalt-query 401
| {"kind": "Status", "status": "Failure", "reason": "Unauthorized", "code": 401, "message": "Unauthorized"}
$ basalt queue list
! basalt: error: Unauthorized
= 1
$ basalt explain pod p
! basalt: error: you may not read Secret volcano-system/basalt-query (Unauthorized). Whoever may "get" it may ask the scheduler
= 1

# A cluster without our kinds is told how to have them
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues 404
| {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404, "message": "the server could not find the requested resource"}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs 404
| 404 page not found
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/j 404
| 404 page not found
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/reservations 404
| 404 page not found
server answers GET /apis/flow.volcano.sh/v1alpha1/namespaces/default/jobflows 404
| 404 page not found
server answers POST /apis/scheduling.volcano.sh/v1beta1/queues 404
| 404 page not found
server answers GET /api/v1/namespaces/default/pods 404
| 404 page not found
$ basalt queue list
! basalt: error: this cluster does not know the kinds of scheduling.volcano.sh: "basalt crds | kubectl apply -f -" makes them known (the server could not find the requested resource)
= 1
$ basalt job list
! basalt: error: this cluster does not know the kinds of batch.volcano.sh: "basalt crds | kubectl apply -f -" makes them known (404 page not found)
= 1
$ basalt job view j
! basalt: error: this cluster does not know the kinds of batch.volcano.sh: "basalt crds | kubectl apply -f -" makes them known (404 page not found)
= 1
$ basalt reservation list
! basalt: error: this cluster does not know the kinds of batch.volcano.sh: "basalt crds | kubectl apply -f -" makes them known (404 page not found)
= 1
$ basalt jobflow list
! basalt: error: this cluster does not know the kinds of flow.volcano.sh: "basalt crds | kubectl apply -f -" makes them known (404 page not found)
= 1
$ basalt queue create q
! basalt: error: this cluster does not know the kinds of scheduling.volcano.sh: "basalt crds | kubectl apply -f -" makes them known (404 page not found)
= 1
$ basalt pod list
! basalt: error: 404 page not found
= 1

# An object that is not there is not taken for a kind that is not there
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues/q 404
| {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404, "message": "queues.scheduling.volcano.sh \"q\" not found"}
$ basalt queue get q
! basalt: error: queues.scheduling.volcano.sh "q" not found
= 1

# What a server refuses is quoted, with all its lines, and each is seen to belong to the error
server answers POST /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs 400
| {"kind": "Status", "status": "Failure", "reason": "BadRequest", "code": 400, "message": "admission webhook \"policy\" denied the request:\nimages must be signed\nbasalt: error: all is well"}
server answers POST /apis/scheduling.volcano.sh/v1beta1/queues 422
| {"kind": "Status", "status": "Failure", "reason": "Invalid", "code": 422, "message": "Queue \"q\" is invalid: spec.weight: Invalid value: 0"}
server answers DELETE /apis/scheduling.volcano.sh/v1beta1/queues/q 409
| {"kind": "Status", "status": "Failure", "reason": "Conflict", "code": 409, "message": "the queue has jobs"}
$ basalt job run j
! basalt: error: admission webhook "policy" denied the request:
!   images must be signed
!   basalt: error: all is well
= 1
$ basalt queue create q
! basalt: error: Queue "q" is invalid: spec.weight: Invalid value: 0
= 1
$ basalt queue delete q
! basalt: error: the queue has jobs
= 1

# A server that answers nonsense is not believed
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues
| <html>a proxy's page</html>
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues/q
| []
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs
| {"items": [null, 7, "text", [], {}, {"metadata": null, "spec": [], "status": 1}]}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/reservations
| {"items": {"not": "a list"}}
server answers GET /api/v1/namespaces/default/pods
| {"items": [{"metadata": {"name": ["p"]}, "spec": {"containers": {}}, "status": {"containerStatuses": [null, {"ready": "yes", "restartCount": "many", "state": []}]}}]}
$ basalt queue list
! basalt: error: the server's answer is no JSON: syntax error
= 1
$ basalt queue get q
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
         0                -        0         0         0         0         0
$ basalt job list
  Name   Creation   Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount
                            Batch     0          0     0         0         0           0        0         0
                            Batch     0          0     0         0         0           0        0         0
$ basalt job list -o name
  job.batch.volcano.sh/
  job.batch.volcano.sh/
$ basalt job list -o wide
  Name   Creation   Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount   Queue   Priority   Scheduler
                            Batch     0          0     0         0         0           0        0         0            -       -          -
                            Batch     0          0     0         0         0           0        0         0            -       -          -
$ basalt reservation list
  No reservations.
$ basalt pod list
  Name    Ready   Status   Restart   Age
  ["p"]   0/0              0         -

# A list is read page by page, whatever its length
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues?limit=500
| {"metadata": {"continue": "next page"}, "items": [{"metadata": {"name": "a"}, "spec": {"weight": 1}}, {"metadata": {"name": "b"}}]}
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues?limit=500&continue=next%20page
| {"metadata": {"continue": ""}, "items": [{"metadata": {"name": "c"}}]}
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues?labelSelector=team%3Dblue&limit=500
| {"metadata": {"continue": "more"}, "items": [{"metadata": {"name": "blue-1"}}]}
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues?labelSelector=team%3Dblue&limit=500&continue=more
| {"items": [{"metadata": {"name": "blue-2"}}]}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs?limit=500
| {"metadata": {"continue": "old"}, "items": [{"metadata": {"name": "a"}}]}
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs?limit=500&continue=old 410
| {"kind": "Status", "status": "Failure", "reason": "Expired", "code": 410, "message": "The provided continue parameter is too old"}
$ basalt queue list -o name
  queue.scheduling.volcano.sh/a
  queue.scheduling.volcano.sh/b
  queue.scheduling.volcano.sh/c
$ basalt queue list
  Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed
  a      1                -        0         0         0         0         0
  b      0                -        0         0         0         0         0
  c      0                -        0         0         0         0         0
$ basalt queue list -l team=blue -o name
  queue.scheduling.volcano.sh/blue-1
  queue.scheduling.volcano.sh/blue-2
$ basalt job list
! basalt: error: The provided continue parameter is too old
= 1

# Objects of Kubernetes' own lists name their kind, as those that kubectl prints do
server answers GET /api/v1/namespaces/default/pods
| {"kind": "PodList", "apiVersion": "v1", "items": [{"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}]}
$ basalt pod list -o json
  {"apiVersion":"v1","kind":"List","items":[{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c"}]},"kind":"Pod","apiVersion":"v1"}]}
$ basalt pod list -o name
  pod/p
$ basalt pod list -o yaml
  apiVersion: v1
  kind: List
  items:
  - metadata:
      name: p
    spec:
      containers:
      - name: c
    kind: Pod
    apiVersion: v1

# A server that is gone is named
file gone
| apiVersion: v1
| kind: Config
| clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
| users: [{name: u, user: {token: t}}]
| contexts: [{name: x, context: {cluster: c, user: u, namespace: team}}]
| current-context: x
$ basalt queue list -k gone
! basalt: error: connecting to HOST:PORT: Connection refused
= 1
$ basalt job view j -k gone
! basalt: error: connecting to HOST:PORT: Connection refused
= 1
$ basalt explain pod p -k gone
! basalt: error: reading Secret volcano-system/basalt-query from https://HOST:PORT: connecting to HOST:PORT: Connection refused
= 1
$ basalt status -k gone
! basalt: error: reading Secret volcano-system/basalt-query from https://HOST:PORT: connecting to HOST:PORT: Connection refused
= 1
$ basalt defrag plan -k gone
! basalt: error: reading Secret volcano-system/basalt-descheduler from https://HOST:PORT: connecting to HOST:PORT: Connection refused
= 1
$ basalt check -k gone
! basalt: error: connecting to HOST:PORT: Connection refused
= 1
$ basalt queue create q -k gone
! basalt: error: connecting to HOST:PORT: Connection refused
= 1
$ basalt simulate --record state.json -k gone
! basalt: error: pods: connecting to HOST:PORT: Connection refused
= 1

# A kubeconfig that cannot be used is named, with what is wrong in it
file no-context
| {apiVersion: v1, kind: Config, clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]}
file no-such-context
| {apiVersion: v1, kind: Config, current-context: nowhere, contexts: [{name: here, context: {cluster: c}}]}
file no-such-cluster
| {apiVersion: v1, kind: Config, current-context: x, contexts: [{name: x, context: {cluster: c}}]}
file no-server
| {apiVersion: v1, kind: Config, current-context: x, clusters: [{name: c, cluster: {}}], contexts: [{name: x, context: {cluster: c}}]}
file no-such-user
| {apiVersion: v1, kind: Config, current-context: x, clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}], contexts: [{name: x, context: {cluster: c, user: u}}]}
file no-certificate
| {apiVersion: v1, kind: Config, current-context: x, clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", certificate-authority: missing.pem}}], contexts: [{name: x, context: {cluster: c}}]}
file no-base64
| {apiVersion: v1, kind: Config, current-context: x, clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", certificate-authority-data: "***"}}], contexts: [{name: x, context: {cluster: c}}]}
file words
| just words
file empty
$ basalt queue list -k no-context
! basalt: error: kubeconfig no-context: current-context: is not set; set it with kubectl config use-context NAME
= 1
$ basalt queue list -k no-such-context
! basalt: error: kubeconfig no-such-context: there is no context 'nowhere'; see kubectl config get-contexts
= 1
$ basalt queue list -k no-such-cluster --context y
! basalt: error: kubeconfig no-such-cluster: there is no context 'y'; see kubectl config get-contexts
= 1
$ basalt queue list -k no-context --context y
! basalt: error: kubeconfig no-context: there is no context 'y'; see kubectl config get-contexts
= 1
$ basalt queue list -k no-such-cluster
! basalt: error: kubeconfig no-such-cluster: contexts[x].cluster: there is no cluster 'c'
= 1
$ basalt queue list -k no-server
! basalt: error: kubeconfig no-server: clusters[c].server: is missing
= 1
$ basalt queue list -k no-such-user
! basalt: error: kubeconfig no-such-user: contexts[x].user: there is no user 'u'
= 1
$ basalt queue list -k no-certificate
! basalt: error: kubeconfig no-certificate: clusters[c].certificate-authority: missing.pem: No such file or directory
= 1
$ basalt queue list -k no-base64
! basalt: error: kubeconfig no-base64: clusters[c].certificate-authority-data: is not base64
= 1
$ basalt queue list -k words
! basalt: error: kubeconfig words: contents: not a kubeconfig: must be a map
= 1
$ basalt queue list -k empty
! basalt: error: kubeconfig empty: current-context: is not set; set it with kubectl config use-context NAME
= 1
$ basalt status -k no-such-context
! basalt: error: kubeconfig no-such-context: there is no context 'nowhere'; see kubectl config get-contexts
= 1
$ basalt explain pod p -k no-such-context
! basalt: error: kubeconfig no-such-context: there is no context 'nowhere'; see kubectl config get-contexts
= 1
$ basalt scheduler --kubeconfig no-such-context
! basalt: error: kubeconfig no-such-context: there is no context 'nowhere'; see kubectl config get-contexts
= 1

# What could not be found out is not called missing
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/train
| {"kind": "Job", "apiVersion": "batch.volcano.sh/v1alpha1", "metadata": {"name": "train", "namespace": "default", "uid": "u"}, "spec": {"queue": "q", "minAvailable": 2, "volumes": [{"mountPath": "/data", "volumeClaimName": "disk"}], "tasks": [{"name": "t", "replicas": 2}]}, "status": {"state": {"phase": "Pending"}, "running": 1}}
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues/q 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "queues.scheduling.volcano.sh \"q\" is forbidden"}
server answers GET /api/v1/namespaces/default/persistentvolumeclaims 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "persistentvolumeclaims is forbidden"}
server answers GET /apis/scheduling.volcano.sh/v1beta1/namespaces/default/podgroups/train-u
| {"metadata": {"name": "train-u"}, "status": {"phase": "Inqueue"}}
server answers GET /api/v1/namespaces/default/pods 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "pods is forbidden"}
server answers GET /api/v1/namespaces/default/events 403
| {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "events is forbidden: User \"jane\" cannot list resource \"events\""}
$ basalt explain job train
  Job default/train
  Stage:   gang
  Reason:  PodsPending
  Message: 1 of its 2 pods run, 2 are the least
$ basalt job view train
  Name:        train
  Namespace:   default
  Age:         -
  Phase:       Pending
  metadata:
    name: train
    namespace: default
    uid: u
  spec:
    queue: q
    minAvailable: 2
    volumes:
    - mountPath: "/data"
      volumeClaimName: disk
    tasks:
    - name: t
      replicas: 2
  status:
    state:
      phase: Pending
    running: 1
  Events cannot be read: events is forbidden: User "jane" cannot list resource "events"
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues/q 404
| {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404, "message": "queues.scheduling.volcano.sh \"q\" not found"}
$ basalt explain job train
  Job default/train
  Stage:   queue
  Reason:  QueueMissing
  Message: there is no queue "q"
  Change:  create it: basalt queue create --name q
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues/q
| {"status": {"state": "Open"}}
server answers GET /api/v1/namespaces/default/persistentvolumeclaims
| {"items": [{"metadata": {"name": "other"}}]}
$ basalt explain job train
  Job default/train
  Stage:   volumes
  Reason:  ClaimMissing
  Message: there is no PersistentVolumeClaim "disk", which it mounts at /data
  Change:  create the claim; the job waits for it

# A job that names no queue is in the default one, and that is the one to create
server answers GET /apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/train
| {"kind": "Job", "metadata": {"name": "train", "namespace": "default", "uid": "u"}, "spec": {"minAvailable": 1}, "status": {"state": {"phase": "Pending"}}}
server answers GET /apis/scheduling.volcano.sh/v1beta1/queues/default 404
| {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404, "message": "queues.scheduling.volcano.sh \"default\" not found"}
$ basalt explain job train
  Job default/train
  Stage:   queue
  Reason:  QueueMissing
  Message: there is no queue "default"
  Change:  create it: basalt queue create --name default
