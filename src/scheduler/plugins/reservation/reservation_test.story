# What is reserved goes to the nodes that it names, and of these to the better one
actions enqueue reserve allocate backfill
plugins gang predicates nodeorder reservation
queue default
node n1 cpu=16
node n2 cpu=4
node n3 cpu=8
reservation r spec={"tasks":[{"name":"t","replicas":1,"reservationNodeNames":["n2","n3","gone"],"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n3 Available; Reserved: 1 of 1 tasks have their room
reservation s spec={"tasks":[{"name":"t","replicas":1,"reservationNodeNames":["gone"],"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation s Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room

# A pod that names a reservation waits for it though there is room elsewhere
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
pod named cpu=1 metadata.annotations."volcano.sh/reservation-name"=r
pod plain cpu=1
+3s
=> bind plain n1
=> waits named InvalidReservation: there is no reservation r in namespace ns

# Of equal nodes that it names the first is taken
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
node n2 cpu=4
node n3 cpu=4
reservation r spec={"tasks":[{"name":"t","replicas":1,"reservationNodeNames":["n3","n2"],"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n2 Available; Reserved: 1 of 1 tasks have their room

# A job that names a reservation enters its queue once that has room for it, and takes no other
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
queue q
node n1 cpu=4
group g queue=q min=1 minimum.cpu=1 phase=Pending
pod g-0 of=g cpu=1 metadata.annotations."volcano.sh/reservation-name"=r
pod g-1 of=g cpu=1 metadata.annotations."volcano.sh/reservation-name"=r
+3s
=> waits g-0 InvalidReservation: there is no reservation r in namespace ns
=> waits g-1 InvalidReservation: there is no reservation r in namespace ns
=> group g Pending, Unschedulable InvalidReservation: there is no reservation r in namespace ns
reservation r spec={"owners":[{"labelSelector":{}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
+3s
=> waits g-0 InvalidReservation: reservation r is not Available but Pending
=> waits g-1 InvalidReservation: reservation r is not Available but Pending
=> group g Pending, Unschedulable InvalidReservation: reservation r is not Available but Pending
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> bind g-0 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits g-1 InvalidReservation: reservation r is not Available but Succeeded
=> group g Running, 1 running
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A gang of which one names a reservation enters its queue though the other has no room yet
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
queue q
node n1 cpu=1
reservation r spec={"owners":[{"labelSelector":{}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group g queue=q min=2 minimum.cpu=2 phase=Pending
pod g-0 of=g cpu=1 metadata.annotations."volcano.sh/reservation-name"=r
pod g-1 of=g cpu=1
=> waits g-1 Unschedulable: only its reservation may give it a place
=> waits g-0 Unschedulable: only its reservation may give it a place
=> group g Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 1 Schedulable, 1 Unschedulable. Origin reason is g-0: only its reservation may give it a place
node n2 cpu=1
=> bind g-0 n1
=> bind g-1 n2
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
