# A queue takes back what another has beyond its share
actions allocate reclaim
plugins gang conformance predicates proportion
queue p
queue q
node n1 cpu=2
group p queue=p min=1
pod p-0 of=p on=n1 cpu=1
pod p-1 of=p on=n1 cpu=1
group q queue=q min=1
pod q-0 of=q cpu=1
pod q-1 of=q cpu=1
=> promise q-0 n1
=> evict p-1 for ns/q-0, reclaim
=> group p Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits q-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group q Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 Pipelined, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is q-1: 0/1 nodes are available: 1 Insufficient cpu.
+3s
=> bind q-0 n1
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Running, 1 running

# Nothing is taken from a queue that may not be reclaimed, nor for one that is at its share
actions allocate reclaim
plugins gang conformance predicates proportion
queue p reclaimable=false
queue q
node n1 cpu=2
group p queue=p min=1
pod p-0 of=p on=n1 cpu=1
pod p-1 of=p on=n1 cpu=1
group q queue=q min=1
pod q-0 of=q cpu=1
=> group p Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits q-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group q Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is q-0: 0/1 nodes are available: 1 Insufficient cpu.

# By capacity a queue takes back up to what it deserves
actions allocate reclaim
plugins gang conformance predicates capacity
queue p deserved.cpu=1
queue q deserved.cpu=2
node n1 cpu=3
group p queue=p min=1
pod p-0 of=p on=n1 cpu=1
pod p-1 of=p on=n1 cpu=1
pod p-2 of=p on=n1 cpu=1
group q queue=q min=1
pod q-0 of=q cpu=1
pod q-1 of=q cpu=1
pod q-2 of=q cpu=1
=> promise q-1 n1
=> evict p-2 for ns/q-1, reclaim
=> group p Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits q-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits q-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group q Inqueue, Unschedulable NotEnoughResources: 1/3 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable, 2 Pending; Pending: 2 Unschedulable. Origin reason is q-2: 0/1 nodes are available: 1 Insufficient cpu.
+3s
=> bind q-1 n1
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Running, 1 running
+3s
=> nothing

# A job that has what it needs takes nothing back
actions allocate reclaim
plugins gang conformance predicates proportion
queue p
queue q
node n1 cpu=4
group p queue=p min=1
pod p-0 of=p on=n1 cpu=1
pod p-1 of=p on=n1 cpu=1
pod p-2 of=p on=n1 cpu=1
group q queue=q min=1
pod q-0 of=q on=n1 cpu=1
pod q-1 of=q cpu=1
=> group p Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits q-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group q Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# What is taken back is taken from the queue that is furthest beyond its share, and no pod too many
actions enqueue allocate reclaim
plugins gang conformance predicates proportion
queue a weight=1
queue b weight=1
queue c weight=1
node n1 cpu=6
group b queue=b min=0
group c queue=c min=0
4x pod b-% of=b on=n1 cpu=1
2x pod c-% of=c on=n1 cpu=1
group a queue=a min=2
pod a-0 of=a cpu=1
pod a-1 of=a cpu=1
=> promise a-0 n1
=> evict b-2 for ns/a-0, reclaim
=> promise a-1 n1
=> evict b-1 for ns/a-1, reclaim
=> group b Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> group c Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> group a Inqueue, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pipelined, 2 minAvailable

# A gang is not broken to take something back
actions enqueue allocate reclaim
plugins gang conformance predicates proportion
queue a weight=1
queue b weight=1
node n1 cpu=4
group whole queue=b min=4
4x pod whole-% of=whole on=n1 cpu=1
group a queue=a min=1
pod a-0 of=a cpu=1
=> group whole Running, 4 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits a-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is a-0: 0/1 nodes are available: 1 Insufficient cpu.

# A gated pod is let out first, and then takes back what its queue deserves
actions enqueue allocate reclaim
plugins gang conformance predicates capacity
queue a deserved.cpu=2
queue b deserved.cpu=2
node n1 cpu=4
group b queue=b min=0
4x pod b-% of=b on=n1 cpu=1
group a queue=a min=1
pod a-0 of=a cpu=1 gated
=> ungate a-0
=> group b Running, 4 running, Scheduled tasks in gang are ready to be scheduled: 
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is a-0: 0/1 nodes are available: 1 Insufficient cpu.
=> promise a-0 n1
=> evict b-3 for ns/a-0, reclaim
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group b Running, 3 running

# Nothing is taken back for a queue that has all that it deserves
actions enqueue allocate reclaim
plugins gang conformance predicates capacity
queue a deserved.cpu=1
queue b deserved.cpu=2
node n1 cpu=4
group b queue=b min=0
3x pod b-% of=b on=n1 cpu=1
group a queue=a min=1
pod a-0 of=a on=n1 cpu=1
group more queue=a min=1
pod more of=more cpu=1
+3s
=> group b Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits more Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group more Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is more: 0/1 nodes are available: 1 Insufficient cpu.

# Of several queues with jobs that wait each takes back its own part
actions enqueue allocate reclaim
plugins gang conformance predicates capacity
queue a deserved.cpu=1
queue b deserved.cpu=1
queue c deserved.cpu=1
node n1 cpu=3
group c queue=c min=0
3x pod c-% of=c on=n1 cpu=1
group a queue=a min=1
pod a-0 of=a cpu=1
pod a-1 of=a cpu=1
group b queue=b min=1
pod b-0 of=b cpu=1
=> promise a-0 n1
=> evict c-2 for ns/a-0, reclaim
=> promise b-0 n1
=> evict c-1 for ns/b-0, reclaim
=> group c Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits a-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 Pipelined, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is a-1: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
+3s
=> bind a-0 n1
=> bind b-0 n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 1 running
=> group b Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
