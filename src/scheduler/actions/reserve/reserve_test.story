# Pods of a gang use what is reserved for them, and nothing of what is not
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
queue q
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":2,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 2 available, 0 used; t 0 on n1 Available; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
group other queue=q min=1
pod other of=other cpu=1
=> waits other Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group other Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is other: 0/1 nodes are available: 1 Insufficient cpu.
group g queue=q min=2
pod g-0 of=g app=web cpu=2
=> group g Inqueue
pod g-1 of=g app=web cpu=2
=> bind g-0 n1
=> bind g-1 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
=> reservation r Succeeded, 0 pending, 0 available, 2 used, by g; t 0 on n1 Succeeded; t 1 on n1 Succeeded; Taken: all 2 tasks were taken

# A gated pod takes what is reserved for it, and its gate goes with the bind
actions enqueue reserve allocate backfill
plugins gang predicates capacity reservation
queue default
queue q capability.cpu=2
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group g queue=q min=1
pod g-0 of=g app=web cpu=2 gated
=> bind g-0 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# What is reserved on a node that is cordoned is reserved elsewhere
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=2
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
node n1 cpu=2 spec.unschedulable=true
node n2 cpu=2
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n2 Available; Reserved: 1 of 1 tasks have their room
+1m
=> nothing
