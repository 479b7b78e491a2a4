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
