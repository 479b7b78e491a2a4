# Queues share the nodes by weight, as far as they ask for it
plugins gang predicates proportion
queue heavy weight=3
queue light weight=1
node n1 cpu=4
group heavy queue=heavy min=1 created=-10s
group light queue=light min=1 created=-20s
pod h-0 of=heavy cpu=1
pod h-1 of=heavy cpu=1
pod h-2 of=heavy cpu=1
pod h-3 of=heavy cpu=1
pod l-0 of=light cpu=1
pod l-1 of=light cpu=1
=> bind h-0 n1
=> bind l-0 n1
=> bind h-1 n1
=> bind h-2 n1
=> waits h-3 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group heavy Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits l-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group light Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group heavy Running, 3 running
=> group light Running, 1 running

# What one queue does not ask for is for the others
plugins gang predicates proportion
queue heavy weight=3
queue light weight=1
node n1 cpu=4
group heavy queue=heavy min=1
group light queue=light min=1
pod h-0 of=heavy cpu=1
pod l-0 of=light cpu=1
pod l-1 of=light cpu=1
pod l-2 of=light cpu=1
pod l-3 of=light cpu=1
=> bind h-0 n1
=> bind l-3 n1
=> bind l-0 n1
=> bind l-1 n1
=> group heavy Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits l-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group light Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group light Running, 3 running
=> group heavy Running, 1 running

# A gated job is held to its queue's capability and not to its share of the nodes
plugins gang predicates proportion
queue q capability.cpu=2
node n1 cpu=1
group g queue=q min=1 minimum.cpu=2 phase=Pending
pod g-0 of=g cpu=2 gated
group h queue=q min=1 minimum.cpu=2 phase=Pending
pod h-0 of=h cpu=2
=> ungate g-0
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g-0: 0/1 nodes are available: 1 Insufficient cpu.
=> waits h-0 WaitingForQueue: queue q has not enough cpu left
=> group h Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: queue q has not enough cpu left
=> waits g-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.

# A job whose minimum is beyond its queue's capability does not enter
plugins gang predicates proportion
queue q capability.cpu=1 capability.memory=1Gi
node n1 cpu=8 memory=8Gi
group g queue=q min=1 minimum.cpu=2 phase=Pending
pod g-0 of=g cpu=2
=> waits g-0 WaitingForQueue: queue q has not enough cpu left
=> group g Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: queue q has not enough cpu left

# A guarantee is kept though the queue asks for less
plugins gang predicates proportion
queue p guarantee.cpu=1
queue q
node n1 cpu=2
group q queue=q min=1
pod q-0 of=q cpu=1
pod q-1 of=q cpu=1
=> bind q-0 n1
=> waits q-1 WaitingForQueue: queue q has no more than it deserves of cpu
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Running, 1 running

# A job does not enter a queue that is closed
plugins gang predicates proportion
queue q state=Closed
node n1 cpu=4
group g queue=q min=1 minimum.cpu=1 phase=Pending
pod g-0 of=g cpu=1
=> waits g-0 WaitingForQueue: queue q is not open
=> group g Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: queue q is not open
queue q
=> bind g-0 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
