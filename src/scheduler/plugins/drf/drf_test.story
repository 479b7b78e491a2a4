# The job with the smaller share of what it has most of goes first
plugins gang drf predicates
queue q
node n1 cpu=8 memory=8Gi
group cpu queue=q min=1 created=-30s
group memory queue=q min=1 created=-20s
pod cpu-0 of=cpu on=n1 cpu=4 memory=1Gi
pod memory-0 of=memory on=n1 cpu=1 memory=2Gi
pod cpu-1 of=cpu cpu=2 memory=1Gi
pod memory-1 of=memory cpu=2 memory=1Gi
pod memory-2 of=memory cpu=1 memory=1Gi
=> bind memory-1 n1
=> bind memory-2 n1
=> waits cpu-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group cpu Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group memory Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group memory Running, 3 running

# Of two jobs the one with the larger share gives way
actions allocate preempt
plugins gang drf conformance predicates
queue q
node n1 cpu=4
group large queue=q min=1
4x pod l-% of=large on=n1 cpu=1
group small queue=q min=3
3x pod s-% of=small cpu=1
group tiny queue=q min=2
2x pod t-% of=tiny cpu=1
=> promise t-0 n1
=> evict l-3 for ns/t-0, preempt
=> promise t-1 n1
=> evict l-2 for ns/t-1, preempt
=> group large Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits s-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits s-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits s-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group small Inqueue, Unschedulable NotEnoughResources: 3/3 tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable; Pending: 3 Unschedulable. Origin reason is s-1: 0/1 nodes are available: 1 Insufficient cpu.
=> group tiny Inqueue, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pipelined, 2 minAvailable
+3s
=> bind t-0 n1
=> bind t-1 n1
=> group tiny Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 

# Branches of a hierarchy share by their weights, and below them their jobs
plugins gang predicates drf:enableHierarchy
queue root
queue a parent=root metadata.annotations."volcano.sh/hierarchy"=root/a metadata.annotations."volcano.sh/hierarchy-weights"=1/3
queue b parent=root metadata.annotations."volcano.sh/hierarchy"=root/b metadata.annotations."volcano.sh/hierarchy-weights"=1/1
node n1 cpu=4
group a queue=a min=1 created=-10s
group b queue=b min=1 created=-20s
4x pod a% of=a cpu=1
4x pod b% of=b cpu=1
=> bind a3 n1
=> bind b0 n1
=> bind a0 n1
=> bind a1 n1
=> waits a2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b3 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits b1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits b2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 3 running
=> group b Running, 1 running

# In a hierarchy a branch takes back what makes it no better off than the one that gives
actions allocate reclaim
plugins gang conformance predicates drf:enableHierarchy
queue root
queue a parent=root metadata.annotations."volcano.sh/hierarchy"=root/a metadata.annotations."volcano.sh/hierarchy-weights"=1/1
queue b parent=root metadata.annotations."volcano.sh/hierarchy"=root/b metadata.annotations."volcano.sh/hierarchy-weights"=1/1
node n1 cpu=4
group b queue=b min=0
4x pod b% of=b on=n1 cpu=1
group a queue=a min=1 phase=Inqueue
3x pod a% of=a cpu=1
=> promise a0 n1
=> evict b3 for ns/a0, reclaim
=> group b Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits a2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits a1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Inqueue, Unschedulable NotEnoughResources: 1/3 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable, 2 Pending; Pending: 2 Unschedulable. Origin reason is a1: 0/1 nodes are available: 1 Insufficient cpu.
+1m
=> bind a0 n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 1 running
