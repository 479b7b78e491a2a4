# A gang that is one short gets nothing, and all of it once there is room
plugins gang predicates
queue q
node n1 cpu=3
group g queue=q min=2
pod a of=g cpu=2
pod b of=g cpu=2
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits a Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 1 Schedulable, 1 Unschedulable. Origin reason is b: 0/1 nodes are available: 1 Insufficient cpu.
node n2 cpu=2
=> bind a n1
=> bind b n2
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 

# Of two jobs the older one goes first, and of two queues the one that is worse off
plugins gang predicates proportion
queue p
queue q
node n1 cpu=2
group p-old queue=p min=1 created=-30s
group p-new queue=p min=1 created=-20s
group q-old queue=q min=1 created=-10s
pod p-new of=p-new cpu=1
pod p-old of=p-old cpu=1
pod q-old of=q-old cpu=1
=> bind p-old n1
=> bind q-old n1
=> group p-old Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits p-new Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group p-new Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is p-new: 0/1 nodes are available: 1 Insufficient cpu.
=> group q-old Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group p-old Running, 1 running
=> group q-old Running, 1 running

# A pod is promised a node that others leave, and gets it when they are gone
plugins gang predicates
queue q
node n1 cpu=2
group old queue=q min=1
group new queue=q min=1
pod old of=old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:00:30Z
pod new of=new cpu=2
=> promise new n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> group new Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
delete pod old
=> bind new n1
=> group new Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# A pod that should be gone long ago is not waited for any more
plugins gang predicates
queue q
node n1 cpu=2
group old queue=q min=1
group new queue=q min=1
pod old of=old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:00:30Z
pod new of=new cpu=2
=> promise new n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> group new Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
+2m25s
=> nothing
+10s
=> promise new nothing any more
=> group new Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is new: 0/1 nodes are available: 1 Insufficient cpu.
node n2 cpu=2
=> bind new n2
=> group new Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# A queue claim that finds no node lapses after its time, and its queue's room is for others
plugins gang predicates capacity
argument allocate gateHoldTimeout=10m
queue q capability.cpu=2
node n1 cpu=1
group g queue=q min=1
group h queue=q min=1
pod g of=g cpu=2 gated
pod h of=h cpu=1 gated
=> ungate g
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g: 0/1 nodes are available: 1 Insufficient cpu.
=> group h Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is h: queue q has not enough cpu left
=> waits g Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
+9m
=> nothing
+2m
=> ungate h
=> bind h n1
=> group h Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
node n2 cpu=2
=> waits g WaitingForQueue: queue q has not enough cpu left
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g: queue q has not enough cpu left
delete pod h
=> bind g n2
=> group h Pending
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group h Inqueue

# What does not fit is passed over for what does
plugins gang predicates
queue q
node n1 cpu=2
group big queue=q min=1 created=-30s
group small queue=q min=1 created=-10s
pod big of=big cpu=3
pod small of=small cpu=1
=> bind small n1
=> waits big Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group big Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is big: 0/1 nodes are available: 1 Insufficient cpu.
=> group small Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group small Running, 1 running
node n2 cpu=3
=> bind big n2
=> group big Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# A gang grows beyond its minimum while there is room
plugins gang predicates
queue q
node n1 cpu=3
group g queue=q min=2
pod a of=g cpu=1
pod b of=g cpu=1
pod c of=g cpu=1
pod d of=g cpu=1
=> bind a n1
=> bind b n1
=> bind c n1
=> waits d Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 3 running
node n2 cpu=1
=> bind d n2
=> group g Running, 4 running

# A gang of two kinds of pods starts only with enough of each
plugins gang predicates
queue q
node n1 cpu=3
group g queue=q min=3 role.master=1 role.worker=2
pod w1 of=g task=worker cpu=1
pod w2 of=g task=worker cpu=1
pod m of=g task=master cpu=2
=> waits m Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits w2 Unschedulable: the pod's group cannot start: m: 0/1 nodes are available: 1 Insufficient cpu.
=> waits w1 Unschedulable: the pod's group cannot start: m: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/3 tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable; Pending: 2 Schedulable, 1 Unschedulable. Origin reason is m: 0/1 nodes are available: 1 Insufficient cpu.
node n2 cpu=2
=> bind w1 n1
=> bind w2 n1
=> bind m n2
=> group g Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 

# A gang some of whose members a gate of somebody else holds waits for them
plugins gang predicates
queue q
node n1 cpu=4
group g queue=q min=2
pod a of=g cpu=1
pod b of=g cpu=1 spec.schedulingGates=[{"name":"foreign"}]
=> waits a WaitingForGates: the group needs 2 pods and cannot start without those behind gates: b is held back by scheduling gate foreign
=> group g Inqueue, Unschedulable WaitingForGates: the group needs 2 pods and cannot start without those behind gates: b is held back by scheduling gate foreign
+10s
=> nothing
pod b of=g cpu=1
=> bind a n1
=> bind b n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running

# A closed queue takes nothing until it is open again
plugins gang predicates proportion
queue q state=Closed
node n1 cpu=4
group g queue=q min=1
pod a of=g cpu=1
=> waits a WaitingForQueue: queue is not open
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is a: queue is not open
queue q
=> bind a n1
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# A lease that ends is looked at when it ends
plugins gang predicates
queue q
node n1 cpu=2
group old queue=q min=1
group new queue=q min=1
pod old of=old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:00:30Z
pod new of=new cpu=2
=> promise new n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> group new Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
+2m29s860ms
=> nothing
+10ms
=> promise new nothing any more
=> group new Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is new: 0/1 nodes are available: 1 Insufficient cpu.

# A gate is there until the bind where that is asked for, and goes before where no node fits
plugins gang predicates capacity
argument allocate gateRemoval=bind
queue q capability.cpu=4
node n1 cpu=2
group fits queue=q min=1
group waits queue=q min=1
pod fits of=fits cpu=1 gated
pod waits of=waits cpu=2 gated
=> bind fits n1
=> ungate waits
=> group fits Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group waits Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is waits: 0/1 nodes are available: 1 Insufficient cpu.
=> waits waits Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group fits Running, 1 running

# Of a gang at the gate that has started only the pods that find no node are let out
plugins gang predicates capacity
argument allocate gateRemoval=bind
queue q capability.cpu=8
node n1 cpu=2
group g queue=q min=1
pod g-p-0 of=g cpu=1 gated
pod g-p-1 of=g cpu=1 gated
pod g-p-2 of=g cpu=1 gated
=> bind g-p-0 n1
=> bind g-p-1 n1
=> ungate g-p-2
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits g-p-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Running, 2 running
node n2 cpu=1
=> bind g-p-2 n2
=> group g Running, 3 running

# Who is kept from every node by its volume waits for that and for nothing else
plugins gang predicates
queue q
node n1 cpu=4
group g queue=q min=1
pod g of=g cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]
+3s
=> waits g Unschedulable: persistentvolumeclaim "c" not found
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g: persistentvolumeclaim "c" not found
node n2 cpu=4
=> nothing
volume v spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"namespace":"ns","name":"c"}} status.phase=Bound
claim c spec={"accessModes":["ReadWriteOnce"],"volumeName":"v","resources":{"requests":{"storage":"1Gi"}}} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
=> bind g n1
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Promises outlive a restart of the scheduler
plugins gang predicates
queue q
node n1 cpu=2
group old queue=q min=1
group new queue=q min=1
pod old of=old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:00:30Z
pod new of=new cpu=2
=> promise new n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> group new Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
restart
=> nothing
delete pod old
=> bind new n1
=> group new Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Jobs that are alike start one after the other as far as there is room
plugins gang predicates
queue q
node n1 cpu=1
3x group g-% queue=q min=1
3x pod p-% of=g-% cpu=2
+3s
=> waits p-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g-0 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is p-0: 0/1 nodes are available: 1 Insufficient cpu.
=> group g-1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> group g-2 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> waits p-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g-1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is p-1: 0/1 nodes are available: 1 Insufficient cpu.
=> waits p-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g-2 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is p-2: 0/1 nodes are available: 1 Insufficient cpu.
node n2 cpu=4
=> bind p-0 n2
=> bind p-1 n2
=> group g-0 Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group g-1 Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Who waits because its queue has its share says so, whether others of the queue are at the gate or not
plugins gang predicates proportion
queue mine
queue theirs
node n1 cpu=4 pods=2
group runs queue=mine min=1
group other queue=theirs min=1
group plain queue=mine min=1
pod runs of=runs on=n1 cpu=2
pod other of=other cpu=4
pod plain of=plain cpu=1
=> group runs Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits other Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group other Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is other: 0/1 nodes are available: 1 Insufficient cpu.
=> waits plain WaitingForQueue: queue mine has all that it deserves
=> group plain Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: queue mine has all that it deserves
group gated queue=mine min=1
pod gated of=gated cpu=1 gated
=> ungate gated
=> bind gated n1
=> group gated Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group gated Running, 1 running
=> waits plain Unschedulable: 0/1 nodes are available: 1 Too many pods.
=> group plain Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: 0/1 nodes are available: 1 Too many pods.

# A group that is promised room is promised nothing beyond a pod that no node can take
plugins gang predicates
queue q
node n1 cpu=2
group old queue=q min=1
group g queue=q min=1
pod old of=old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:00:30Z
pod g-0 of=g cpu=1 created=-30s
pod g-1 of=g cpu=1 created=-20s spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]
pod g-2 of=g cpu=1 created=-10s
=> promise g-0 n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> waits g-2 Unschedulable: the pod's group cannot start: g-1: persistentvolumeclaim "c" not found
=> waits g-1 Unschedulable: persistentvolumeclaim "c" not found
=> group g Inqueue, Unschedulable NotEnoughResources: 1/3 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable, 2 Pending; Pending: 2 Unschedulable. Origin reason is g-1: persistentvolumeclaim "c" not found
delete pod old
=> bind g-0 n1
=> bind g-2 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running

# A gang of which its queue takes a part looks for no node
plugins gang predicates capacity
queue q capability.cpu=3
node n1 cpu=1
group g queue=q min=1
pod g-0 of=g cpu=2 gated
=> ungate g-0
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g-0: 0/1 nodes are available: 1 Insufficient cpu.
=> waits g-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
group g queue=q min=2
pod g-1 of=g cpu=2 gated
node n1 cpu=4
=> waits g-0 WaitingForQueue: the pod's group cannot start: g-1: queue q has not enough cpu left
=> group g Inqueue, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 2 Unschedulable. Origin reason is g-1: queue q has not enough cpu left
queue q capability.cpu=4
=> ungate g-1
=> bind g-0 n1
=> bind g-1 n1
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 

# A gang that loses one promise loses the other too, though there is room for that now
plugins gang predicates
queue q
node n1 cpu=2
node n2 cpu=2
group old queue=q min=1
group g queue=q min=2
pod old of=old on=n2 cpu=2 metadata.deletionTimestamp=2026-01-01T00:00:30Z
pod g-0 of=g cpu=2
pod g-1 of=g cpu=2
=> promise g-1 n2
=> promise g-0 n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> group g Inqueue, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pipelined, 2 minAvailable
node n2 cpu=2 spec.unschedulable=true
=> promise g-1 nothing any more
=> promise g-0 nothing any more
=> group g Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 1 Schedulable, 1 Unschedulable. Origin reason is g-1: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.

# Of the pods at the gate those are let out that their queue has room for
plugins gang predicates capacity
queue q capability.cpu=1
node n1 cpu=4
group g queue=q min=1
pod g-0 of=g cpu=1 gated
pod g-1 of=g cpu=1 gated
=> ungate g-0
=> bind g-0 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running

# What was promised to a group that may not start any more goes to the next at once
plugins gang predicates
queue q
node n1 cpu=2
group old queue=q min=1
group g queue=q min=1
group next queue=q min=1
pod old of=old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:00:30Z
pod g of=g cpu=2
pod next of=next cpu=2
=> promise g n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> waits next Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group next Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is next: 0/1 nodes are available: 1 Insufficient cpu.
group g queue=q min=1 spec.networkTopology={"mode":"hard","highestTierAllowed":1}
=> promise next n1
=> promise g nothing any more
=> group g Pending, Unschedulable NotSupported: the group asks for a hard network topology (spec.networkTopology), by which nothing is scheduled yet: make its mode soft, or remove it
=> group next Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
