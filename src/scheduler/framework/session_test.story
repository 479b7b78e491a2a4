# A job whose queue does not exist says so after a second
queue other
node n1 cpu=4
group g queue=nowhere min=1
pod g of=g cpu=1
=> nothing
+2s
=> waits g QueueNotFound: queue nowhere does not exist
=> group g Pending, Unschedulable QueueNotFound: queue nowhere does not exist
queue nowhere
=> bind g n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running

# A pod whose group does not exist says so after two seconds
queue q
node n1 cpu=4
pod g of=g cpu=1
=> nothing
+3s
=> waits g PodGroupNotFound: waits for PodGroup ns/g, which does not exist
group g queue=q min=1
=> bind g n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running

# A pod says once why it waits, however many nodes come that do not help it
plugins gang predicates
queue q
node n1 cpu=1
group g queue=q min=1
pod g of=g cpu=2 memory=1Gi
+3s
=> waits g Unschedulable: 0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g: 0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.
+1m
=> nothing
node n2 cpu=1
=> nothing
node n3 memory=4Gi cpu=1
=> nothing
node n4 memory=4Gi cpu=2
=> bind g n4
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Jobs that are alike wait together and go on one after the other
plugins gang predicates
queue q
node n1 cpu=1
group a queue=q min=1 created=-30s
group b queue=q min=1 created=-20s
group c queue=q min=1 created=-10s
pod a of=a cpu=1
pod b of=b cpu=1
pod c of=c cpu=1
=> bind a n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is b: 0/1 nodes are available: 1 Insufficient cpu.
=> group c Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> waits c Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group c Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is c: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Running, 1 running
delete pod a
=> bind b n1
=> group a Pending
=> group b Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group a Inqueue
node n2 cpu=2
=> bind c n2
=> group c Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Jobs that failed are looked at again for each thing that helps them
plugins gang predicates capacity
queue q capability.cpu=1
queue r
node n1 cpu=1 zone=a
group full queue=q min=1
pod full of=full cpu=1
=> bind full n1
=> group full Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group full Running, 1 running
group room queue=r min=1
pod room of=room cpu=1
group limit queue=q min=1
pod limit of=limit cpu=1
group zone queue=r min=1
pod zone of=zone cpu=1 spec.nodeSelector.zone=b
group friend queue=r min=1
pod friend of=friend cpu=1 spec.affinity={"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}]}}
+3s
=> waits room Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group room Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is room: 0/1 nodes are available: 1 Insufficient cpu.
=> waits limit WaitingForQueue: queue q has not enough cpu left
=> group limit Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is limit: queue q has not enough cpu left
=> waits zone Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group zone Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is zone: 0/1 nodes are available: 1 Insufficient cpu.
=> waits friend Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group friend Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is friend: 0/1 nodes are available: 1 Insufficient cpu.
node n2 cpu=1 zone=b
=> bind room n2
=> group room Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
node n3 cpu=3 zone=c
=> waits zone Unschedulable: 0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 Insufficient cpu.
=> group zone Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is zone: 0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 Insufficient cpu.
=> waits friend Unschedulable: 0/3 nodes are available: 1 node(s) didn't match pod affinity rules, 2 Insufficient cpu.
=> group friend Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is friend: 0/3 nodes are available: 1 node(s) didn't match pod affinity rules, 2 Insufficient cpu.
queue q capability.cpu=2
=> bind limit n3
=> group limit Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
group web queue=r min=1
pod web of=web app=web cpu=1
=> bind web n3
=> group web Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> bind friend n3
=> group web Running, 1 running
=> group friend Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
delete pod full
=> group full Pending

# A node that is promised to one pod is not promised to another that matters more
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
class top value=200
queue q
node n1 cpu=1
group low queue=q min=0
pod low of=low on=n1 cpu=1 priority=1
group high queue=q min=1 class=high
pod high of=high cpu=1 priority=100 class=high
=> promise high n1
=> evict low for ns/high, preempt
=> group low Completed, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
group top queue=q min=1 class=top
pod top of=top cpu=1 priority=200 class=top
=> waits top Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group top Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is top: 0/1 nodes are available: 1 Insufficient cpu.
+3s
=> bind high n1
=> group high Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
delete pod top
=> nothing

# The status of a group follows its pods
plugins gang predicates
queues
queue q
node n1 cpu=4
group g queue=q min=2 phase=Pending
pod g-0 of=g cpu=1
pod g-1 of=g cpu=1
=> bind g-0 n1
=> bind g-1 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
+2s
=> queue q pending=0 inqueue=0 running=1 completed=0 unknown=0 cpu=2 pods=2
pod g-0 of=g cpu=1 spec.nodeName=n1 status.phase=Succeeded
=> group g Running, 1 running, 1 succeeded
pod g-1 of=g cpu=1 spec.nodeName=n1 status.phase=Failed
=> group g Completed, 1 succeeded, 1 failed, Unschedulable NotEnoughTasks: the group needs 2 pods and has 1
+2s
=> queue q pending=0 inqueue=0 running=0 completed=1 unknown=0

# A pod in a queue that is its own ancestor says so
plugins gang predicates capacity:enableHierarchy
queue root
queue a parent=b
queue b parent=a
node n1 cpu=4
group g queue=a min=1
pod g of=g cpu=1
+3s
=> waits g WaitingForQueue: queue a is its own ancestor: its parent b leads back to it
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g: queue a is its own ancestor: its parent b leads back to it
=> event a QueueCycle: the queue is its own ancestor (a -> b -> a): it is not used in the tree until one of them has another spec.parent
=> event b QueueCycle: the queue is its own ancestor (b -> a -> b): it is not used in the tree until one of them has another spec.parent

# A pod that its queue refuses hears of the queue, or of the nodes where these are short
plugins gang predicates proportion
queue q capability.cpu=4
node n1 cpu=2
group g queue=q min=1
pod g-0 of=g cpu=2
pod g-1 of=g cpu=2
pod g-2 of=g cpu=3
+3s
=> bind g-0 n1
=> waits g-2 WaitingForQueue: queue q has no more than it deserves of cpu
=> waits g-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running

# A gated pod is never called unschedulable
plugins gang predicates capacity
queue q capability.cpu=1
node n1 cpu=1
group g queue=q min=1
pod g-0 of=g cpu=1 gated
pod g-1 of=g cpu=1 gated
+5s
=> ungate g-0
=> bind g-0 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
delete pod g-0
=> ungate g-1
=> bind g-1 n1
=> group g Pending
=> group g Running, 1 running
