# More may enter than the nodes have, by the factor
plugins gang overcommit predicates
argument overcommit overcommit-factor=1.5
queue q
node n1 cpu=2
group a queue=q min=1 minimum.cpu=2 phase=Pending created=-30s
group b queue=q min=1 minimum.cpu=1 phase=Pending created=-20s
group c queue=q min=1 minimum.cpu=1 phase=Pending created=-10s
pod a of=a cpu=2
pod b of=b cpu=1
pod c of=c cpu=1
=> bind a n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is b: 0/1 nodes are available: 1 Insufficient cpu.
=> waits c Unschedulable: the nodes have not enough cpu left
=> group c Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: the nodes have not enough cpu left
=> group a Running, 1 running

# A gated job enters whatever the nodes have
plugins gang overcommit predicates capacity
argument overcommit overcommit-factor=1
queue q
node n1 cpu=1
group a queue=q min=1 minimum.cpu=4 phase=Pending
pod a of=a cpu=4 gated
group b queue=q min=1 minimum.cpu=4 phase=Pending
pod b of=b cpu=4
=> ungate a
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is a: 0/1 nodes are available: 1 Insufficient cpu.
=> waits b Unschedulable: a pod asks for more cpu than any node has
=> group b Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: a pod asks for more cpu than any node has
=> waits a Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.

# A factor below one is one, and a job without a minimum enters whatever there is
plugins gang overcommit predicates
argument overcommit overcommit-factor=0.5
queue q
node n1 cpu=2
group a queue=q min=1 minimum.cpu=2
group b queue=q min=1 minimum.cpu=1
group c queue=q min=1
pod a of=a cpu=2
pod b of=b cpu=1
pod c of=c cpu=1
=> bind a n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b Unschedulable: the nodes have not enough cpu left
=> group b Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: the nodes have not enough cpu left
=> waits c Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group c Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is c: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Running, 1 running
