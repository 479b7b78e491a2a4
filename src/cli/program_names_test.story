# Called as Volcano's tools it does what they do
cluster
given
| {apiVersion: v1, kind: Namespace, metadata: {name: team}}
$ vcctl job run -N a
  run job a successfully
$ vsub -n b -N team --replicas 2
  run job b successfully
$ vjobs
  Name   Creation     Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount
  a      YYYY-MM-DD           Batch     1          1     0         0         0           0        0         0
$ vjobs -N team
  Name   Creation     Phase   JobType   Replicas   Min   Pending   Running   Succeeded   Failed   Unknown   RetryCount
  b      YYYY-MM-DD           Batch     2          1     0         0         0           0        0         0
$ vjobs -n b -N team -o name
  job.batch.volcano.sh/b
$ vsuspend -n b -N team
  suspend job b successfully
$ vresume -n b -N team
  resume job b successfully
$ vcancel -n b -N team
  delete job b successfully
$ vcancel -n b -N team
! basalt: error: jobs.batch.volcano.sh "b" not found
= 1
$ vqueues
  No queues.
$ vcctl queue list
  No queues.
$ vsub
! basalt: error: job run needs a NAME
= 2

# Called as a plugin of kubectl it calls itself that
$ kubectl-basalt qeue
! basalt: error: unknown command qeue. Did you mean queue? See "kubectl basalt help".
= 2
$ kubectl-basalt version
  basalt VERSION
$ /usr/local/bin/kubectl-basalt version
  basalt VERSION
