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
