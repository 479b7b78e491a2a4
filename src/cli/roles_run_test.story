# A role runs until it is told to stop, and ends in order
cluster
$ basalt scheduler &
waits for starting role=scheduler
interrupt
$ basalt scheduler --leader-elect &
waits for leading role=scheduler
interrupt
$ basalt controller &
waits for starting role=controller
interrupt
$ basalt controller --leader-elect --controllers job,queue &
waits for leading role=controller
interrupt
$ basalt webhook --self-register --port 0 &
waits for starting role=webhook
interrupt
$ basalt simnode &
waits for starting role=simnode
interrupt
$ basalt workloads &
waits for starting role=workloads
interrupt
$ basalt dashboard &
waits for dashboard http://127.0.0.1
interrupt
$ vc-scheduler --logtostderr &
waits for leading role=scheduler
interrupt

# A role that cannot reach its server says so, and can be stopped all the same
file kubeconfig
| {apiVersion: v1, kind: Config, current-context: c, clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}], users: [{name: u, user: {token: t}}], contexts: [{name: c, context: {cluster: c, user: u}}]}
$ basalt scheduler &
waits for cannot reach the API server
interrupt
$ basalt controller &
waits for cannot reach the API server
interrupt
$ basalt webhook --self-register --port 0 &
waits for cannot reach the API server
interrupt

# A webhook that would refuse what its own user writes says how to leave it out
cluster
$ basalt webhook --self-register --port 0 &
waits for name it with --own-user user=admin
interrupt

# A scheduler that looks on runs until it is told to stop
cluster
$ basalt scheduler --shadow --shadow-report report.json &
waits for starting
interrupt

# A role says where its health and metrics are
cluster
$ basalt scheduler --listen-address 127.0.0.1:0 --healthz-address 127.0.0.1:0 --log-format json &
waits for "flag":"--listen-address"
interrupt

# An embedded cluster says how to reach it, and leaves no trace in the kubeconfig
$ basalt up --nodes 2 --kubeconfig own &
waits for kubectl create deployment web
interrupt
$ basalt queue list -k own
! basalt: error: kubeconfig own: No such file or directory; name one that can be read with --kubeconfig
= 1
$ basalt up --only api --nodes 0 --kubeconfig own &
waits for kubectl get nodes
interrupt
$ basalt up --nodes 0 --kubeconfig own &
waits for kubectl get queues
interrupt

# An embedded cluster whose terminal is closed leaves no trace either
$ basalt up --only api --nodes 0 --kubeconfig own &
waits for kubectl get nodes
hang up
$ basalt queue list -k own
! basalt: error: kubeconfig own: No such file or directory; name one that can be read with --kubeconfig
= 1

# The folder of a kubeconfig is made where it is missing
$ basalt up --only api --nodes 0 --kubeconfig not/there/yet &
waits for kubectl get nodes
interrupt

# An embedded cluster takes objects, and ends where they cannot be made
file queues.yaml
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: night}, spec: {weight: 3}}
file broken.yaml
| {apiVersion: nothing/v1, kind: Nothing, metadata: {name: night}}
$ basalt up --nodes 1 --kubeconfig own --data-dir data --apply queues.yaml &
waits for ready https://127.0.0.1
interrupt
$ basalt up --nodes 0 --only api --kubeconfig own --apply broken.yaml
! basalt: error: broken.yaml, document 1, line 1: Nothing night: the server serves no kind Nothing in nothing/v1
= 1

# A cluster that is kept starts again
$ basalt up --nodes 1 --kubeconfig own --data-dir data &
waits for ready https://127.0.0.1
interrupt
$ basalt up --kubeconfig own --data-dir data &
waits for kubectl create deployment
interrupt
