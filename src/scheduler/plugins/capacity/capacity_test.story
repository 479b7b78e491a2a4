# A queue takes no more than its capability, and of what it names no limit for as much as there is
plugins gang predicates capacity
queue q capability.cpu=2
node n1 cpu=8 memory=8Gi gpu=4
group g queue=q min=1
pod a of=g cpu=1 memory=4Gi gpu=1
pod b of=g cpu=1 memory=4Gi gpu=1
pod c of=g cpu=1
=> bind a n1
=> bind b n1
=> waits c WaitingForQueue: queue q has not enough cpu left
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
queue q capability.cpu=3
=> bind c n1
=> group g Running, 3 running

# What is guaranteed to one queue no other gets
plugins gang predicates capacity
queue p guarantee.cpu=2
queue q
node n1 cpu=3
group q queue=q min=1
pod q-0 of=q cpu=1
pod q-1 of=q cpu=1
=> bind q-0 n1
=> waits q-1 WaitingForQueue: queue q has not enough cpu left
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Running, 1 running
group p queue=p min=1
pod p-0 of=p cpu=2
=> bind p-0 n1
=> waits q-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group p Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group p Running, 1 running

# The queue that has the smaller part of what it deserves goes first
plugins gang predicates capacity
queue p deserved.cpu=4
queue q deserved.cpu=1
queue none
node n1 cpu=4
group p queue=p min=1 created=-10s
group q queue=q min=1 created=-20s
group none queue=none min=1 created=-30s
pod none of=none cpu=1
pod q-0 of=q cpu=1
pod q-1 of=q cpu=1
pod p-0 of=p cpu=1
pod p-1 of=p cpu=1
=> bind p-0 n1
=> bind q-1 n1
=> bind p-1 n1
=> bind q-0 n1
=> group p Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits none Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group none Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is none: 0/1 nodes are available: 1 Insufficient cpu.
=> group p Running, 2 running
=> group q Running, 2 running

# A queue of higher priority goes before all others
plugins gang predicates capacity
queue p deserved.cpu=4
queue q deserved.cpu=4 priority=5
node n1 cpu=2
group p queue=p min=1 created=-20s
group q queue=q min=1 created=-10s
pod p-0 of=p cpu=1
pod q-0 of=q cpu=1
pod q-1 of=q cpu=1
=> bind q-0 n1
=> bind q-1 n1
=> waits p-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group p Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is p-0: 0/1 nodes are available: 1 Insufficient cpu.
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Running, 2 running

# In a tree a queue takes no more than every queue above it may
plugins gang predicates capacity:enableHierarchy
queue root
queue team parent=root capability.cpu=3
queue a parent=team capability.cpu=2
queue b parent=team
node n1 cpu=8
group a queue=a min=1 created=-20s
group b queue=b min=1 created=-10s
pod a-0 of=a cpu=1
pod a-1 of=a cpu=1
pod a-2 of=a cpu=1
pod b-0 of=b cpu=1
pod b-1 of=b cpu=1
=> bind a-2 n1
=> bind a-0 n1
=> bind b-0 n1
=> waits a-1 WaitingForQueue: queue a has not enough cpu left
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b-1 WaitingForQueue: queue team has not enough cpu left
=> group b Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 2 running
=> group b Running, 1 running
delete pod a-0
=> bind a-1 n1
=> group a Running, 1 running
=> group a Running, 2 running

# A job in a queue that has queues below it is not placed in a tree
plugins gang predicates capacity:enableHierarchy
queue root
queue team parent=root
queue a parent=team
node n1 cpu=8
group g queue=team min=1
pod g of=g cpu=1
=> waits g WaitingForQueue: queue is not a leaf of the queue tree
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g: queue is not a leaf of the queue tree

# In a tree what branches deserve decides where their queues differ
actions allocate reclaim
plugins gang conformance predicates capacity:enableHierarchy
queue root
queue left parent=root deserved.cpu=2
queue right parent=root deserved.cpu=2
queue l1 parent=left deserved.cpu=1
queue l2 parent=left deserved.cpu=1
queue r1 parent=right deserved.cpu=2
node n1 cpu=4
group l1 queue=l1 min=1
pod l1-0 of=l1 on=n1 cpu=1
pod l1-1 of=l1 on=n1 cpu=1
group l2 queue=l2 min=1
pod l2-0 of=l2 on=n1 cpu=1
pod l2-1 of=l2 on=n1 cpu=1
group r1 queue=r1 min=1
pod r1-0 of=r1 cpu=1
pod r1-1 of=r1 cpu=1
pod r1-2 of=r1 cpu=1
=> promise r1-0 n1
=> evict l2-1 for ns/r1-0, reclaim
=> group l1 Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> group l2 Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits r1-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits r1-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group r1 Inqueue, Unschedulable NotEnoughResources: 1/3 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable, 2 Pending; Pending: 2 Unschedulable. Origin reason is r1-1: 0/1 nodes are available: 1 Insufficient cpu.
+3s
=> bind r1-0 n1
=> group r1 Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group r1 Running, 1 running
+3s
=> nothing

# A job enters its queue as far as its minimum fits beside what others may still take
plugins gang predicates capacity
queue q capability.cpu=3
node n1 cpu=1
group a queue=q min=2 minimum.cpu=2 phase=Pending created=-30s
group b queue=q min=2 minimum.cpu=2 phase=Pending created=-20s
pod a-0 of=a cpu=1
pod a-1 of=a cpu=1
pod b-0 of=b cpu=1
pod b-1 of=b cpu=1
=> waits a-0 Unschedulable: all nodes together have not enough cpu
=> waits a-1 Unschedulable: all nodes together have not enough cpu
=> group a Pending, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 2 Unschedulable. Origin reason is: all nodes together have not enough cpu
=> waits b-0 Unschedulable: all nodes together have not enough cpu
=> waits b-1 Unschedulable: all nodes together have not enough cpu
=> group b Pending, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 2 Unschedulable. Origin reason is: all nodes together have not enough cpu
queue q capability.cpu=4
=> nothing

# Capacity that is shared takes back only what a queue has too much of a resource that it needs
actions allocate reclaim
plugins gang conformance predicates capacity
queue p deserved.cpu=2 deserved.memory=1Gi
queue q deserved.memory=2Gi
node n1 cpu=2 memory=3Gi
group p queue=p min=1
pod p-0 of=p on=n1 cpu=1 memory=1Gi
pod p-1 of=p on=n1 cpu=1 memory=2Gi
group q queue=q min=1
pod q-0 of=q memory=1Gi
=> promise q-0 n1
=> evict p-1 for ns/q-0, reclaim
=> group p Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group q Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable

# A queue deserves no more than it may have, and no less than is guaranteed to it
actions allocate reclaim
plugins gang conformance predicates capacity
queue p
queue limited capability.cpu=1 deserved.cpu=3
queue sure guarantee.cpu=2
node n1 cpu=6
group p queue=p min=0
pod p-0 of=p on=n1 cpu=1
pod p-1 of=p on=n1 cpu=1
pod p-2 of=p on=n1 cpu=1
pod p-3 of=p on=n1 cpu=1
pod p-4 of=p on=n1 cpu=1
pod p-5 of=p on=n1 cpu=1
group limited queue=limited min=1
pod l-0 of=limited cpu=1
pod l-1 of=limited cpu=1
group sure queue=sure min=2
pod s-0 of=sure cpu=1
pod s-1 of=sure cpu=1
pod s-2 of=sure cpu=1
=> promise l-0 n1
=> evict p-3 for ns/l-0, reclaim
=> promise s-0 n1
=> evict p-2 for ns/s-0, reclaim
=> promise s-1 n1
=> evict p-1 for ns/s-1, reclaim
=> group p Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits l-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group limited Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 Pipelined, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is l-1: 0/1 nodes are available: 1 Insufficient cpu.
=> waits s-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group sure Inqueue, Unschedulable NotEnoughResources: 2/3 tasks in gang unschedulable: pod group is not ready, 1 Pending, 2 Pipelined, 2 minAvailable; Pending: 1 Unschedulable. Origin reason is s-2: 0/1 nodes are available: 1 Insufficient cpu.
=> waits l-1 WaitingForQueue: queue limited has not enough cpu left
=> group limited Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 Pipelined, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is l-1: queue limited has not enough cpu left
+3s
=> bind l-0 n1
=> bind s-0 n1
=> bind s-1 n1
=> group sure Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group limited Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group sure Running, 2 running
=> group limited Running, 1 running
+3s
=> nothing

# In a tree what a queue does not limit its parent does, and what is guaranteed beside it is not there
plugins gang predicates capacity:enableHierarchy
queue root
queue team parent=root capability.cpu=4 capability.nvidia.com/gpu=2
queue a parent=team capability.memory=2Gi
queue b parent=team guarantee.cpu=3
node n1 cpu=16 memory=16Gi gpu=8
group a queue=a min=1
pod a-0 of=a cpu=1 memory=512Mi gpu=1
pod a-1 of=a cpu=1 memory=512Mi gpu=1
pod a-memory of=a memory=3Gi
pod a-gpu of=a gpu=2
=> bind a-gpu n1
=> bind a-0 n1
=> waits a-memory WaitingForQueue: queue a has not enough memory left
=> waits a-1 WaitingForQueue: queue a has not enough cpu left
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 2 running
group b queue=b min=1
pod b-0 of=b cpu=1
pod b-1 of=b cpu=1
pod b-2 of=b cpu=1
pod b-3 of=b cpu=1
=> bind b-0 n1
=> bind b-1 n1
=> bind b-2 n1
=> waits b-3 WaitingForQueue: queue team has not enough cpu left
=> group b Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group b Running, 3 running

# Queues of a tree that share a branch take from each other last
actions allocate reclaim
plugins gang conformance predicates capacity:enableHierarchy
argument capacity ancestorReclaimLevel=1
queue root
queue left parent=root deserved.cpu=3
queue right parent=root deserved.cpu=1
queue l1 parent=left deserved.cpu=2
queue l2 parent=left deserved.cpu=1
queue r1 parent=right deserved.cpu=1
node n1 cpu=4
group l2 queue=l2 min=0
pod l2-0 of=l2 on=n1 cpu=1
pod l2-1 of=l2 on=n1 cpu=1
group r1 queue=r1 min=0
pod r1-0 of=r1 on=n1 cpu=1
pod r1-1 of=r1 on=n1 cpu=1
group l1 queue=l1 min=1
pod l1-0 of=l1 cpu=1
pod l1-1 of=l1 cpu=1
=> promise l1-0 n1
=> evict l2-0 for ns/l1-0, reclaim
=> group l2 Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group r1 Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits l1-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group l1 Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 Pipelined, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is l1-1: 0/1 nodes are available: 1 Insufficient cpu.
+3s
=> bind l1-0 n1
=> group l1 Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group l1 Running, 1 running

# Relatives that both deserve nothing do not take it from each other
actions allocate reclaim
plugins gang conformance predicates capacity:enableHierarchy
argument capacity ancestorReclaimLevel=1
queue root
queue left parent=root deserved.cpu=4
queue l1 parent=left
queue l2 parent=left
node n1 cpu=2
group l2 queue=l2 min=0
pod l2-0 of=l2 on=n1 cpu=1
pod l2-1 of=l2 on=n1 cpu=1
group l1 queue=l1 min=1
pod l1-0 of=l1 cpu=1
=> group l2 Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits l1-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group l1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is l1-0: 0/1 nodes are available: 1 Insufficient cpu.
queue l1 parent=left deserved.cpu=1
=> promise l1-0 n1
=> evict l2-1 for ns/l1-0, reclaim
=> group l1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group l2 Running, 1 running

# What a queue deserves beyond what it may have does not put it first
plugins gang predicates capacity
queue limited capability.cpu=2 deserved.cpu=8
queue other deserved.cpu=4
node n1 cpu=3
group limited queue=limited min=1 created=-20s
group other queue=other min=1 created=-10s
pod l-0 of=limited on=n1 cpu=1
pod o-0 of=other on=n1 cpu=1
pod l-1 of=limited cpu=1
pod o-1 of=other cpu=1
=> bind o-1 n1
=> waits l-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group limited Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group other Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group other Running, 2 running

# A queue that is closed, or has what it deserves, takes nothing back
actions allocate reclaim
plugins gang conformance predicates capacity
queue shut deserved.cpu=2 state=Closed
queue full deserved.cpu=2
queue rich deserved.cpu=1
node n1 cpu=6
group rich queue=rich min=0
4x pod rich-% of=rich on=n1 cpu=1
group full queue=full min=0
2x pod full-% of=full on=n1 cpu=1
group more queue=full min=1 phase=Inqueue
pod more of=more cpu=1
group shut queue=shut min=1 phase=Inqueue
pod shut of=shut cpu=1
=> group rich Running, 4 running, Scheduled tasks in gang are ready to be scheduled: 
=> group full Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits more Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group more Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is more: 0/1 nodes are available: 1 Insufficient cpu.
=> waits shut WaitingForQueue: queue is not open
=> group shut Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is shut: queue is not open
queue full deserved.cpu=3
=> promise more n1
=> evict rich-3 for ns/more, reclaim
=> group more Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group rich Running, 3 running

# In a tree a queue takes back what its branch deserves, as far up as is asked for
actions allocate reclaim
plugins gang conformance predicates capacity:enableHierarchy
argument capacity ancestorReclaimLevel=1
queue root
queue a parent=root deserved.cpu=4
queue a1 parent=a deserved.cpu=1
queue b parent=root deserved.cpu=2
queue b1 parent=b deserved.cpu=2
node n1 cpu=6
group b1 queue=b1 min=0
5x pod b1-% of=b1 on=n1 cpu=1
group a1 queue=a1 min=0
pod a1-0 of=a1 on=n1 cpu=1
group more queue=a1 min=1 phase=Inqueue
pod more of=more cpu=1
=> promise more n1
=> evict b1-1 for ns/more, reclaim
=> group b1 Running, 4 running, Scheduled tasks in gang are ready to be scheduled: 
=> group a1 Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group more Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable

# In a tree a queue takes back what is guaranteed to it though it deserves nothing
actions allocate reclaim
plugins gang conformance predicates capacity:enableHierarchy
queue root
queue a parent=root guarantee.cpu=2
queue b parent=root
node n1 cpu=4
group b queue=b min=0
4x pod b-% of=b on=n1 cpu=1
group a queue=a min=1 phase=Inqueue
pod a-0 of=a cpu=1
=> promise a-0 n1
=> evict b-3 for ns/a-0, reclaim
=> group b Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable

# In a tree a branch that has no more than it deserves gives nothing, whatever its queue has
actions allocate reclaim
plugins gang conformance predicates capacity:enableHierarchy
argument capacity ancestorReclaimLevel=1
queue root
queue a parent=root deserved.cpu=4
queue a1 parent=a deserved.cpu=1
queue b parent=root deserved.cpu=6
queue b1 parent=b deserved.cpu=2
node n1 cpu=5
group b1 queue=b1 min=0
5x pod b1-% of=b1 on=n1 cpu=1
group more queue=a1 min=1 phase=Inqueue
pod more of=more cpu=1
=> group b1 Running, 5 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits more Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group more Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is more: 0/1 nodes are available: 1 Insufficient cpu.
queue b parent=root deserved.cpu=4
=> promise more n1
=> evict b1-1 for ns/more, reclaim
=> group more Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group b1 Running, 4 running

# Of what nobody offers a queue has nothing, but may have as much as its capability says
plugins gang predicates capacity
queue q
node n1 cpu=4
group g queue=q min=1 spec.minResources={"example.com/none":"1"} phase=Pending
pod g of=g cpu=1
group h queue=q min=1 spec.minResources={"example.com/none":"1"} phase=Pending
pod h of=h cpu=1 gated
=> ungate h
=> bind h n1
=> waits g Unschedulable: no node has example.com/none
=> group g Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: no node has example.com/none
=> group h Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h Running, 1 running
