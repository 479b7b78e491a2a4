# A queue's pods go to its node groups, and prefer some of them
plugins gang predicates nodegroup
queue must spec.affinity={"nodeGroupAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":["gold"]}}
queue likes spec.affinity={"nodeGroupAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":["gold","tin"],"preferredDuringSchedulingIgnoredDuringExecution":["tin"]}}
queue avoids spec.affinity={"nodeGroupAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":["gold"]}}
queue free
node a cpu=4 metadata.labels."volcano.sh/nodegroup-name"=gold
node b cpu=4 metadata.labels."volcano.sh/nodegroup-name"=tin
node c cpu=4
group must queue=must min=1
group likes queue=likes min=1
group avoids queue=avoids min=1
group free queue=free min=1
pod must of=must cpu=1
pod likes of=likes cpu=1
pod avoids of=avoids cpu=1
pod free of=free cpu=1
=> bind likes b
=> bind must a
=> group must Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group likes Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits avoids Unschedulable: 0/3 nodes are available: 1 node group label not found, 2 node does not satisfy the node group affinity.
=> group avoids Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is avoids: 0/3 nodes are available: 1 node group label not found, 2 node does not satisfy the node group affinity.
=> waits free Unschedulable: 0/3 nodes are available: 1 node group label not found, 2 node group affinity not specified.
=> group free Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is free: 0/3 nodes are available: 1 node group label not found, 2 node group affinity not specified.
=> group likes Running, 1 running
=> group must Running, 1 running
pod big of=must cpu=4
+3s
=> waits big Unschedulable: 0/3 nodes are available: 1 node group label not found, 2 Insufficient cpu.

# Where it is not strict a node without a group takes those whose queue says nothing
plugins gang predicates nodegroup
argument nodegroup strict=false
queue free
queue empty spec.affinity={"nodeGroupAffinity":{}}
queue must spec.affinity={"nodeGroupAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":["gold"]}}
node a cpu=4 metadata.labels."volcano.sh/nodegroup-name"=gold
node c cpu=4
group free queue=free min=1
group empty queue=empty min=1
group must queue=must min=1
pod free of=free cpu=3
pod empty of=empty cpu=1
pod must of=must cpu=1
=> bind empty c
=> bind free c
=> bind must a
=> group free Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group empty Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group must Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group empty Running, 1 running
=> group free Running, 1 running
=> group must Running, 1 running

# Of the groups that a queue prefers the earlier ones count more where that is asked for
plugins gang predicates nodegroup
argument nodegroup enablePreferredOrder=true
queue q spec.affinity={"nodeGroupAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":["gold","tin","lead"]}}
node a cpu=1 metadata.labels."volcano.sh/nodegroup-name"=lead
node b cpu=1 metadata.labels."volcano.sh/nodegroup-name"=gold
node c cpu=1 metadata.labels."volcano.sh/nodegroup-name"=tin
group q queue=q min=1
pod p1 of=q cpu=1
pod p2 of=q cpu=1
pod p3 of=q cpu=1
=> bind p1 b
=> bind p2 c
=> bind p3 a
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Running, 3 running

# A group that a queue had rather avoid is taken last, and one that it must avoid never
plugins gang predicates nodegroup
queue q spec.affinity={"nodeGroupAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":["gold","tin"]},"nodeGroupAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":["lead"],"requiredDuringSchedulingIgnoredDuringExecution":["tin"]}}
node a cpu=1 metadata.labels."volcano.sh/nodegroup-name"=lead
node b cpu=1 metadata.labels."volcano.sh/nodegroup-name"=gold
node c cpu=1 metadata.labels."volcano.sh/nodegroup-name"=tin
group q queue=q min=1
pod p1 of=q cpu=1
=> bind p1 b
=> group q Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group q Running, 1 running
pod p2 of=q cpu=1
=> bind p2 a
=> group q Running, 2 running
pod p3 of=q cpu=1
+3s
=> waits p3 Unschedulable: 0/3 nodes are available: 1 node does not satisfy the node group affinity, 2 Insufficient cpu.

# In a tree a queue without rules has those of the nearest above it
plugins gang predicates nodegroup:enableHierarchy
queue root
queue team parent=root spec.affinity={"nodeGroupAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":["gold"]}}
queue child parent=team
queue other parent=root
node a cpu=4 metadata.labels."volcano.sh/nodegroup-name"=gold
node b cpu=4 metadata.labels."volcano.sh/nodegroup-name"=tin
group child queue=child min=1
group other queue=other min=1
pod child of=child cpu=1
pod other of=other cpu=1
=> bind child a
=> group child Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits other Unschedulable: 0/2 nodes are available: 2 node group affinity not specified.
=> group other Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is other: 0/2 nodes are available: 2 node group affinity not specified.
=> group child Running, 1 running
