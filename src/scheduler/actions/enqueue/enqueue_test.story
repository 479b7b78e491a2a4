# Jobs enter their queue as far as the nodes have room for their minima
actions enqueue
plugins gang overcommit
argument overcommit overcommit-factor=1
queues
queue q
node n1 cpu=2
group a queue=q min=1 minimum.cpu=1 phase=Pending created=-30s
group b queue=q min=1 minimum.cpu=1 phase=Pending created=-20s
group c queue=q min=1 minimum.cpu=1 phase=Pending created=-10s
pod a of=a cpu=1
pod b of=b cpu=1
pod c of=c cpu=1
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> waits c Unschedulable: the nodes have not enough cpu left
=> group c Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: the nodes have not enough cpu left
+2s
=> queue q pending=1 inqueue=2 running=0 completed=0 unknown=0
=> queue q pending=1 inqueue=2 running=0 completed=0 unknown=0
node n2 cpu=1
=> group c Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable

# Jobs of two queues take turns
actions enqueue
plugins gang proportion
queue p
queue q
node n1 cpu=3
group p1 queue=p min=1 minimum.cpu=1 phase=Pending created=-30s
group p2 queue=p min=1 minimum.cpu=1 phase=Pending created=-29s
group p3 queue=p min=1 minimum.cpu=1 phase=Pending created=-28s
group q1 queue=q min=1 minimum.cpu=1 phase=Pending created=-20s
group q2 queue=q min=1 minimum.cpu=1 phase=Pending created=-19s
pod p1 of=p1 cpu=1
pod p2 of=p2 cpu=1
pod p3 of=p3 cpu=1
pod q1 of=q1 cpu=1
pod q2 of=q2 cpu=1
=> group p1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> group p2 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> group p3 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> group q1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> group q2 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable

# A job without a minimum enters at once
actions enqueue
plugins gang proportion
queue q capability.cpu=1
node n1 cpu=1
group a queue=q min=1 phase=Pending
pod a of=a cpu=5
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable

# A job whose queue has no room for its minimum waits for others to end
actions enqueue allocate
plugins gang predicates capacity
queue q capability.cpu=2
node n1 cpu=8
group a queue=q min=1 minimum.cpu=2 phase=Pending created=-30s
group b queue=q min=1 minimum.cpu=1 phase=Pending created=-20s
pod a of=a cpu=2
pod b of=b cpu=1
=> bind a n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b WaitingForQueue: queue q has not enough cpu left
=> group b Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: queue q has not enough cpu left
=> group a Running, 1 running
delete pod a
delete group a
=> bind b n1
=> group b Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group b Running, 1 running

# A job whose pods opted in to wait for their queue enters though the nodes have no room for it
plugins gang overcommit predicates capacity
argument overcommit overcommit-factor=1
queue q
node n1 cpu=1
group a queue=q min=1 minimum.cpu=4 phase=Pending
pod a of=a cpu=4 metadata.annotations."scheduling.volcano.sh/queue-allocation-gate"="true"
=> waits a Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is a: 0/1 nodes are available: 1 Insufficient cpu.

# A job that enters makes room neither for itself twice nor for the next
plugins gang predicates proportion
queue q
node n1 cpu=4
group a queue=q min=1 minimum.cpu=3 created=-30s
group b queue=q min=1 minimum.cpu=3 created=-20s
group c queue=q min=1 minimum.cpu=1 created=-10s
pod a of=a cpu=3
pod b of=b cpu=3
pod c of=c cpu=1
=> bind a n1
=> bind c n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b Unschedulable: the nodes have not enough cpu left
=> group b Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: the nodes have not enough cpu left
=> group c Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 1 running
=> group c Running, 1 running
delete pod a
delete group a
=> bind b n1
=> group b Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group b Running, 1 running

# The job of the more important queue enters first
plugins gang predicates capacity
queue p priority=1
queue q priority=9
node n1 cpu=2
group p queue=p min=1 minimum.cpu=2 created=-30s
group q queue=q min=1 minimum.cpu=2 created=-10s
pod p of=p cpu=2
pod q of=q cpu=2
=> bind q n1
=> waits p Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group p Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is p: 0/1 nodes are available: 1 Insufficient cpu.
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Running, 1 running
