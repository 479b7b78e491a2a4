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

# A gang takes what is reserved and for the rest what is free, or nothing
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
queue q
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group big queue=q min=3
pod b-0 of=big app=web cpu=2
pod b-1 of=big app=web cpu=2
pod b-2 of=big app=web cpu=2
=> waits b-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits b-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits b-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group big Inqueue, Unschedulable NotEnoughResources: 1/3 tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable; Pending: 2 Schedulable, 1 Unschedulable. Origin reason is b-1: 0/1 nodes are available: 1 Insufficient cpu.
group g queue=q min=2
pod g-0 of=g app=web cpu=2
pod g-1 of=g app=web cpu=2
=> bind g-0 n1
=> bind g-1 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A gang that takes what is reserved is promised the rest that others leave
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
queue q
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
pod old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:00:30Z
group g queue=q min=2
pod g-0 of=g app=web cpu=2
pod g-1 of=g app=web cpu=2
=> promise g-1 n1
=> promise g-0 n1
=> group g Inqueue, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pipelined, 2 minAvailable
delete pod old
=> bind g-0 n1
=> bind g-1 n1
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A gang that is not complete takes nothing of what is reserved
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
queue q
node n1 cpu=2
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group g queue=q min=2
pod g-0 of=g app=web cpu=2
=> group g Inqueue
group h queue=q min=1
pod h-0 of=h app=web cpu=2
=> bind h-0 n1
=> group h Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h Running, 1 running
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by h; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A job that takes what is reserved needs no vote to enter its queue
actions enqueue reserve allocate backfill
plugins gang predicates proportion reservation
queue q
node n1 cpu=4
reservation r spec={"queue":"q","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"3"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group other queue=q min=1 minimum.cpu=9 phase=Pending
pod other of=other cpu=3
group g queue=q min=1 minimum.cpu=9 phase=Pending
pod g of=g app=web cpu=3
=> bind g n1
=> waits other Unschedulable: all nodes together have not enough cpu
=> group other Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: all nodes together have not enough cpu
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A job that names a reservation says why it cannot use it, and uses it once it can
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
queue q
node n1 cpu=4
group g queue=q min=1
pod g-0 of=g app=web cpu=2 metadata.annotations."volcano.sh/reservation-name"=r
+3s
=> waits g-0 InvalidReservation: there is no reservation r in namespace ns
=> group g Inqueue, Unschedulable InvalidReservation: there is no reservation r in namespace ns
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> waits g-0 InvalidReservation: reservation r is not Available but Pending
=> group g Inqueue, Unschedulable InvalidReservation: reservation r is not Available but Pending
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> bind g-0 n1
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
+3s
=> nothing

# What is reserved for one of a gated gang stays where the queue does not let in the rest
actions enqueue reserve allocate backfill
plugins gang predicates capacity reservation
queue default
queue q capability.cpu=3
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group g queue=q min=2
pod g-0 of=g app=web cpu=2 gated
pod g-1 of=g app=web cpu=2 gated
=> group g Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 1 Schedulable, 1 Unschedulable. Origin reason is g-1: queue q has not enough cpu left
queue q capability.cpu=4
=> bind g-0 n1
=> bind g-1 n1
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
+3s
=> nothing

# A job that took what is reserved says nothing any more of the vote that it lost
actions enqueue reserve allocate backfill
plugins gang predicates capacity reservation
queue q capability.cpu=4
node n1 cpu=4
reservation r spec={"queue":"q","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group g queue=q min=1 minimum.cpu=9 phase=Pending
pod g-0 of=g app=web cpu=2
pod g-1 of=g cpu=1 spec.nodeSelector.zone=x
=> bind g-0 n1
=> waits g-1 Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A group that cannot be scheduled takes nothing of what is reserved
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue q
node n1 cpu=2
reservation r spec={"queue":"q","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group g queue=q min=1 spec.networkTopology={"mode":"hard","highestTierAllowed":1}
pod g of=g app=web cpu=2
=> waits g NotSupported: the group asks for a hard network topology (spec.networkTopology), by which nothing is scheduled yet: make its mode soft, or remove it
=> group g Pending, Unschedulable NotSupported: the group asks for a hard network topology (spec.networkTopology), by which nothing is scheduled yet: make its mode soft, or remove it
