# The more important job goes first, and of its pods the more important one
plugins priority gang predicates
class high value=100
queue q
node n1 cpu=2
group low queue=q min=1 created=-30s
group high queue=q min=1 class=high
pod low of=low cpu=1
pod h-0 of=high cpu=1 priority=100
pod h-1 of=high cpu=1 priority=200
pod h-2 of=high cpu=1 priority=150
=> bind h-1 n1
=> bind h-2 n1
=> waits low Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group low Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is low: 0/1 nodes are available: 1 Insufficient cpu.
=> waits h-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group high Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group high Running, 2 running

# A job with a pod that matters more is not for that reason before one that matters more itself
plugins priority predicates
class high value=100
class low value=1
queue q
node n1 cpu=1
group a queue=q min=1 class=low created=-20s
group b queue=q min=1 class=high created=-10s
pod a of=a cpu=1 class=high priority=100
pod b of=b cpu=1 class=low priority=1
=> bind b n1
=> waits a Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Inqueue
=> group b Inqueue
=> group b Running, 1 running
