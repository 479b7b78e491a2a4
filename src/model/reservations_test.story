# A reservation holds room that others do not get, and its owner's pods take it one by one
actions enqueue reserve allocate backfill
plugins gang predicates reservation
books
queue default
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":2,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 0 pending, 2 available, 0 used; t 0 on n1 Available; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=2000 pods=2, request cpu=2000 pods=2; tree, allocated cpu=2000 pods=2, request cpu=2000 pods=2
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue
pod big cpu=3
=> waits big Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/podgroup-u4 Inqueue: 0 ready, 0 promised, 1 pending
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1; tree, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue cpu=3000 pods=1
pod w1 app=web cpu=1
=> bind w1 n1
=> reservation r Available, 0 pending, 1 available, 1 used, by w1; t 0 on n1 Succeeded; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/podgroup-u4 Inqueue: 0 ready, 0 promised, 1 pending, parked
=> job ns/podgroup-u5 Running: 1 ready, 0 promised, 0 pending
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1; tree, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue cpu=3000 pods=1
pod w2 app=web cpu=1
=> bind w2 n1
=> reservation r Succeeded, 0 pending, 0 available, 2 used, by w2; t 0 on n1 Succeeded; t 1 on n1 Succeeded; Taken: all 2 tasks were taken
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/podgroup-u4 Inqueue: 0 ready, 0 promised, 1 pending, parked
=> job ns/podgroup-u5 Running: 1 ready, 0 promised, 0 pending
=> job ns/podgroup-u6 Running: 1 ready, 0 promised, 0 pending
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1; tree, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue cpu=3000 pods=1
pod w3 app=web cpu=1
=> bind w3 n1
=> node n1 idle cpu=1000 pods=107, future cpu=1000 pods=107, 3 tasks
=> job ns/podgroup-u4 Inqueue: 0 ready, 0 promised, 1 pending, parked
=> job ns/podgroup-u5 Running: 1 ready, 0 promised, 0 pending
=> job ns/podgroup-u6 Running: 1 ready, 0 promised, 0 pending
=> job ns/podgroup-u7 Running: 1 ready, 0 promised, 0 pending
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=3000 pods=3, request cpu=6000 pods=4, in queue cpu=3000 pods=1; tree, allocated cpu=3000 pods=3, request cpu=6000 pods=4, in queue cpu=3000 pods=1
=> in all cpu=4000 pods=110, held cpu=3000 pods=3, in queue cpu=3000 pods=1
delete pod w1
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/podgroup-u4 Inqueue: 0 ready, 0 promised, 1 pending, parked
=> job ns/podgroup-u6 Running: 1 ready, 0 promised, 0 pending
=> job ns/podgroup-u7 Running: 1 ready, 0 promised, 0 pending
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1; tree, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue cpu=3000 pods=1
delete reservation r
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/podgroup-u4 Inqueue: 0 ready, 0 promised, 1 pending, parked
=> job ns/podgroup-u6 Running: 1 ready, 0 promised, 0 pending
=> job ns/podgroup-u7 Running: 1 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1; tree, allocated cpu=2000 pods=2, request cpu=5000 pods=3, in queue cpu=3000 pods=1
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue cpu=3000 pods=1

# A reservation whose time has come gives its room back, but not what was taken
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
reservation r spec={"ttl":"60s","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":3,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 0 pending, 3 available, 0 used; t 0 on n1 Available; t 1 on n1 Available; t 2 on n1 Available; Reserved: 3 of 3 tasks have their room
pod w1 app=web cpu=1
=> bind w1 n1
=> reservation r Available, 0 pending, 2 available, 1 used, by w1; t 0 on n1 Succeeded; t 1 on n1 Available; t 2 on n1 Available; Reserved: 3 of 3 tasks have their room
pod big cpu=3
=> waits big Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
+59s
=> nothing
+2s
=> bind big n1
=> reservation r Failed, 0 pending, 0 available, 1 used, 2 failed, by w1; t 0 on n1 Succeeded; t 1 on n1 Failed; t 2 on n1 Failed; Expired: it has ended; 1 of 3 tasks were taken

# A reservation that needs fewer than all tasks is available with these
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=2
reservation r spec={"minAvailable":2,"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":3,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 1 pending, 2 available, 0 used; t 0 on n1 Available; t 1 on n1 Available; Reserved: 2 of 3 tasks have their room
node n2 cpu=1
=> reservation r Available, 0 pending, 3 available, 0 used; t 0 on n1 Available; t 1 on n1 Available; t 2 on n2 Available; Reserved: 3 of 3 tasks have their room
delete node n1
=> reservation r Pending, 2 pending, 1 available, 0 used; t 2 on n2 Available; Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.

# A reservation that names its nodes waits for them where it must
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
reservation must spec={"tasks":[{"name":"t","replicas":1,"reservationNodeNames":["n2"],"reservationNodePolicy":"Required","template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
reservation may spec={"tasks":[{"name":"t","replicas":1,"reservationNodeNames":["n2"],"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation may Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> reservation must Pending, 1 pending, 0 available, 0 used; Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.
node n2 cpu=4
=> reservation must Available, 0 pending, 1 available, 0 used; t 0 on n2 Available; Reserved: 1 of 1 tasks have their room

# A pod that names a reservation gets nothing else
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
pod p cpu=1 metadata.annotations."volcano.sh/reservation-name"=r
=> waits p InvalidReservation: there is no reservation r in namespace ns
reservation r spec={"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> waits p InvalidReservation: reservation r is not Available but Pending
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> bind p n1
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by p; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
pod p2 cpu=1 metadata.annotations."volcano.sh/reservation-name"=r
=> waits p2 InvalidReservation: reservation r is not Available but Succeeded

# A reservation counts in its queue, and its pods do not count twice
actions enqueue reserve allocate backfill
plugins gang predicates capacity reservation
books
queue q capability.cpu=3
node n1 cpu=8
reservation r spec={"queue":"q","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":2,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 0 pending, 2 available, 0 used; t 0 on n1 Available; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
=> node n1 idle cpu=6000 pods=108, future cpu=6000 pods=108, 2 tasks
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=2, request cpu=2000 pods=2; tree, allocated cpu=2000 pods=2, request cpu=2000 pods=2
=> in all cpu=8000 pods=110, held cpu=2000 pods=2, in queue
group g queue=q min=1
pod other of=g cpu=2
=> waits other WaitingForQueue: queue q has not enough cpu left
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is other: queue q has not enough cpu left
=> node n1 idle cpu=6000 pods=108, future cpu=6000 pods=108, 2 tasks
=> job ns/g Inqueue: 0 ready, 0 promised, 1 pending
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=2, request cpu=4000 pods=3; tree, allocated cpu=2000 pods=2, request cpu=4000 pods=3
=> in all cpu=8000 pods=110, held cpu=2000 pods=2, in queue
group h queue=q min=1
pod w of=h app=web cpu=1
=> bind w n1
=> group h Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h Running, 1 running
=> reservation r Available, 0 pending, 1 available, 1 used, by h; t 0 on n1 Succeeded; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
=> node n1 idle cpu=6000 pods=108, future cpu=6000 pods=108, 2 tasks
=> job ns/g Inqueue: 0 ready, 0 promised, 1 pending, parked
=> job ns/h Running: 1 ready, 0 promised, 0 pending
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=2, request cpu=4000 pods=3, elastic cpu=1000 pods=1; tree, allocated cpu=2000 pods=2, request cpu=4000 pods=3, elastic cpu=1000 pods=1
=> in all cpu=8000 pods=110, held cpu=2000 pods=2, in queue
delete pod w
=> bind other n1
=> group h Pending
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group h Inqueue
=> node n1 idle cpu=5000 pods=108, future cpu=5000 pods=108, 2 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> job ns/h Inqueue: 0 ready, 0 promised, 0 pending
=> job ns/reservation:r Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=2, request cpu=3000 pods=2, elastic cpu=2000 pods=1; tree, allocated cpu=3000 pods=2, request cpu=3000 pods=2, elastic cpu=2000 pods=1
=> in all cpu=8000 pods=110, held cpu=3000 pods=2, in queue
delete reservation r
=> node n1 idle cpu=6000 pods=109, future cpu=6000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> job ns/h Inqueue: 0 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> in all cpu=8000 pods=110, held cpu=2000 pods=1, in queue

# A pod that asks for more or less than a task holds does not take it
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=3 memory=4Gi
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2","memory":"2Gi"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
pod large app=web cpu=2 memory=3Gi
=> waits large Unschedulable: 0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.
pod small app=web cpu=1 memory=1Gi
=> bind small n1

# A reservation that fits nowhere says so, and holds what it could not once there is room
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=1
pod busy on=n1 cpu=1
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Pending, 1 pending, 0 available, 0 used; Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
delete pod busy
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
restart
=> nothing
pod w app=web cpu=1
=> bind w n1
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by w; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# Owners may be named by their object, and by several selectors
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=8
reservation r spec={"owners":[{"object":{"kind":"ReplicaSet","name":"rs","uid":"u9"}},{"labelSelector":{"matchLabels":{"app":"db"}}}],"tasks":[{"name":"t","replicas":2,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"4"}}}]}}}]}
=> reservation r Available, 0 pending, 2 available, 0 used; t 0 on n1 Available; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
pod a cpu=4 metadata.ownerReferences=[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u9","controller":true}]
=> bind a n1
=> reservation r Available, 0 pending, 1 available, 1 used, by a; t 0 on n1 Succeeded; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
pod b cpu=4 app=db
=> bind b n1
=> reservation r Succeeded, 0 pending, 0 available, 2 used, by b; t 0 on n1 Succeeded; t 1 on n1 Succeeded; Taken: all 2 tasks were taken
pod c cpu=4 app=cache
=> waits c Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.

# A reservation for a pod that is to move counts with the pod until that is gone
actions enqueue reserve allocate backfill
plugins gang predicates capacity reservation
books
queue q capability.cpu=2
node n1 cpu=2
node n2 cpu=2
group g queue=q min=1
pod g-0 of=g on=n1 cpu=2
reservation move metadata.labels."basalt.sh/migrating-pod"=u5 spec={"queue":"q","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> reservation move Available, 0 pending, 1 available, 0 used; t 0 on n2 Available; Reserved: 1 of 1 tasks have their room
=> node n1 idle pods=109, future pods=109, 1 tasks
=> node n2 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> job ns/reservation:move Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> in all cpu=4000 pods=220, held cpu=4000 pods=2, in queue
delete pod g-0
=> group g Pending
=> node n1 idle cpu=2000 pods=110, future cpu=2000 pods=110, 0 tasks
=> node n2 idle pods=109, future pods=109, 1 tasks
=> job ns/g Pending: 0 ready, 0 promised, 0 pending
=> job ns/reservation:move Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1
=> in all cpu=4000 pods=220, held cpu=2000 pods=1, in queue
pod g-1 of=g app=web cpu=2
=> bind g-1 n2
=> group g Inqueue
=> group g Running, 1 running
=> reservation move Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n2 Succeeded; Taken: all 1 tasks were taken
=> node n1 idle cpu=2000 pods=110, future cpu=2000 pods=110, 0 tasks
=> node n2 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> job ns/reservation:move Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> in all cpu=4000 pods=220, held cpu=2000 pods=1, in queue

# A reservation with several tasks holds each of them and survives a restart
actions enqueue reserve allocate backfill
plugins gang predicates reservation
class high value=100
queue default
node n1 cpu=4
node n2 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchExpressions":[{"key":"app","operator":"In","values":["web","db"]}]}}],"tasks":[{"name":"small","replicas":2,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}},{"name":"large","template":{"spec":{"schedulerName":"volcano","priorityClassName":"high","containers":[{"name":"main","resources":{"requests":{"cpu":"4"}}}]}}}]}
=> reservation r Available, 0 pending, 3 available, 0 used; small 0 on n1 Available; small 1 on n1 Available; large 0 on n2 Available; Reserved: 3 of 3 tasks have their room
pod w1 app=web cpu=1
=> bind w1 n1
=> reservation r Available, 0 pending, 2 available, 1 used, by w1; small 0 on n1 Succeeded; small 1 on n1 Available; large 0 on n2 Available; Reserved: 3 of 3 tasks have their room
restart
=> nothing
pod w2 app=db cpu=1
=> bind w2 n1
=> reservation r Available, 0 pending, 1 available, 2 used, by w2; small 0 on n1 Succeeded; small 1 on n1 Succeeded; large 0 on n2 Available; Reserved: 3 of 3 tasks have their room
pod w3 app=cache cpu=1
=> bind w3 n1
pod l app=web cpu=4 class=high
=> bind l n2
=> reservation r Succeeded, 0 pending, 0 available, 3 used, by l; small 0 on n1 Succeeded; small 1 on n1 Succeeded; large 0 on n2 Succeeded; Taken: all 3 tasks were taken
delete pod w1
=> nothing
restart
=> nothing

# The oldest of several reservations is used first, by its owner as by its name
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
reservation first created=-20s spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
reservation second created=-10s spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
reservation third spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation first Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> reservation second Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> reservation third Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
pod named app=web cpu=1 metadata.annotations."volcano.sh/reservation-name"=third
=> bind named n1
=> reservation third Succeeded, 0 pending, 0 available, 1 used, by named; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
pod a app=web cpu=1
=> bind a n1
=> reservation first Succeeded, 0 pending, 0 available, 1 used, by a; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
pod b app=web cpu=1
=> bind b n1
=> reservation second Succeeded, 0 pending, 0 available, 1 used, by b; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A reservation waits for room that others leave
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=1
pod old on=n1 cpu=1 metadata.deletionTimestamp=2026-01-01T00:00:30Z
reservation r spec={"expires":"2026-01-01T00:05:00Z","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Waiting, 1 pending, 0 available, 0 used; t 0 on n1 Waiting; WaitingForRoom: 0 of 1 tasks have their room, 1 get it once the pods that leave are gone
delete pod old
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
+6m
=> reservation r Failed, 0 pending, 0 available, 0 used, 1 failed; t 0 on n1 Failed; Expired: it has ended; 0 of 1 tasks were taken

# A reservation ends when its time has come, to the moment
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=1
reservation r spec={"ttl":"60s","tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
+59s890ms
=> nothing
+20ms
=> reservation r Failed, 0 pending, 0 available, 0 used, 1 failed; t 0 on n1 Failed; Expired: it has ended; 0 of 1 tasks were taken

# What a template leaves to others to fill in is filled in: limits are asked for, host ports are kept free
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
node n2 cpu=4
pod busy on=n1 spec.containers=[{"name":"c","ports":[{"containerPort":80,"hostPort":80}]}]
reservation r spec={"schedulerName":"volcano","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"containers":[{"name":"main","ports":[{"containerPort":80,"hostPort":80}],"resources":{"limits":{"cpu":"3"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n2 Available; Reserved: 1 of 1 tasks have their room
pod plain cpu=2 spec.nodeSelector."kubernetes.io/hostname"=n2
node n2 cpu=4 metadata.labels."kubernetes.io/hostname"=n2
=> waits plain Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.
pod w app=web spec.containers=[{"name":"main","ports":[{"containerPort":80,"hostPort":80}],"resources":{"limits":{"cpu":"3"},"requests":{"cpu":"3"}}}]
=> bind w n2
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by w; t 0 on n2 Succeeded; Taken: all 1 tasks were taken

# Owners are found by any label they need, by a label's presence, and by their name
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=8
reservation exists spec={"owners":[{"labelSelector":{"matchExpressions":[{"key":"gold","operator":"Exists"}]}}],"tasks":[{"name":"t","template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
reservation notin spec={"owners":[{"labelSelector":{"matchExpressions":[{"key":"app","operator":"NotIn","values":["web"]},{"key":"tin","operator":"Exists"}]}}],"tasks":[{"name":"t","template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
reservation in spec={"owners":[{"labelSelector":{"matchExpressions":[{"key":"app","operator":"In","values":["a","b"]}]}}],"tasks":[{"name":"t","template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
reservation named spec={"owners":[{"object":{"kind":"Pod","name":"lucky"}}],"tasks":[{"name":"t","template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation exists Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> reservation in Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> reservation named Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> reservation notin Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
pod g metadata.labels.gold=yes cpu=1
=> bind g n1
=> reservation exists Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
pod t metadata.labels.tin=yes cpu=1
=> bind t n1
=> reservation notin Succeeded, 0 pending, 0 available, 1 used, by t; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
pod b app=b cpu=1
=> bind b n1
=> reservation in Succeeded, 0 pending, 0 available, 1 used, by b; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
pod lucky cpu=1
=> bind lucky n1
=> reservation named Succeeded, 0 pending, 0 available, 1 used, by lucky; t 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A reservation that waits goes on waiting after a restart, and one that is used stays used
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=1
node n2 cpu=1
pod old on=n1 cpu=1 metadata.deletionTimestamp=2026-01-01T00:00:30Z
reservation r spec={"minAvailable":2,"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":2,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Waiting, 2 pending, 0 available, 0 used; t 0 on n2 Waiting; t 1 on n1 Waiting; WaitingForRoom: 0 of 2 tasks have their room, 2 get it once the pods that leave are gone
restart
=> nothing
delete pod old
=> reservation r Available, 0 pending, 2 available, 0 used; t 0 on n2 Available; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
pod w1 app=web cpu=1
=> bind w1 n2
=> reservation r Available, 0 pending, 1 available, 1 used, by w1; t 0 on n2 Succeeded; t 1 on n1 Available; Reserved: 2 of 2 tasks have their room
restart
pod w2 app=web cpu=1
=> bind w2 n1
=> reservation r Succeeded, 0 pending, 0 available, 2 used, by w2; t 0 on n2 Succeeded; t 1 on n1 Succeeded; Taken: all 2 tasks were taken

# The most important template decides how important a reservation is
actions enqueue reserve allocate backfill
plugins priority gang predicates reservation
class high value=100
class low value=1 globalDefault=true
queue default
queue q
group old queue=q min=1 class=low created=-30s
pod old of=old cpu=1 class=low priority=1
reservation plain spec={"tasks":[{"name":"t","template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
reservation r spec={"tasks":[{"name":"a","template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}},{"name":"b","template":{"spec":{"schedulerName":"volcano","priorityClassName":"high","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> waits old Unschedulable: there are no nodes
=> group old Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is old: there are no nodes
=> reservation plain Pending, 1 pending, 0 available, 0 used; Unschedulable: there are no nodes
=> reservation r Pending, 2 pending, 0 available, 0 used; Unschedulable: there are no nodes
node n1 cpu=2
=> waits old Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group old Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is old: 0/1 nodes are available: 1 Insufficient cpu.
=> reservation r Available, 0 pending, 2 available, 0 used; a 0 on n1 Available; b 0 on n1 Available; Reserved: 2 of 2 tasks have their room

# What is reserved once is used once, and what its user leaves is for others
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue q
node n1 cpu=4
reservation r spec={"schedulerName":"volcano","queue":"q","tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"3"}}}]}}}],"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
group g queue=q min=1
pod mine of=g cpu=3 app=web
=> bind mine n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by g; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
group h queue=q min=1
pod other of=h cpu=3
+3s
=> waits other Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group h Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is other: 0/1 nodes are available: 1 Insufficient cpu.
delete pod mine
=> bind other n1
=> group g Pending
=> group h Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group g Inqueue
delete reservation r
=> nothing

# A reservation that is deleted is nobody's any more, and the next one is found
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
reservation s spec={"owners":[{"labelSelector":{"matchExpressions":[{"key":"app","operator":"In","values":["db","web"]}]}},{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> reservation s Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
delete reservation r
pod w app=web cpu=2
=> bind w n1
=> reservation s Succeeded, 0 pending, 0 available, 1 used, by w; t 0 on n1 Succeeded; Taken: all 1 tasks were taken
pod v app=web cpu=2
=> bind v n1
delete reservation s
pod x app=web cpu=1
+3s
=> waits x Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.

# A task of a reservation that wants no pods holds nothing, and the next one is what it asks for
actions enqueue reserve allocate backfill
plugins gang predicates reservation
queue default
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"none","replicas":0,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"4"}}}]}}},{"name":"one","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; one 0 on n1 Available; Reserved: 1 of 1 tasks have their room
pod w app=web cpu=2
=> bind w n1
=> reservation r Succeeded, 0 pending, 0 available, 1 used, by w; one 0 on n1 Succeeded; Taken: all 1 tasks were taken

# A pod that says it is of a reservation's group waits for one that is not there
actions enqueue reserve allocate backfill
plugins gang predicates reservation
books
queue default
node n1 cpu=4
reservation r spec={"owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],"tasks":[{"name":"t","replicas":1,"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n1 Available; Reserved: 1 of 1 tasks have their room
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/reservation:r Running: 1 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
pod p of=reservation:r cpu=1
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/"reservation:r" Pending: 0 ready, 0 promised, 1 pending
=> job ns/reservation:r Running: 1 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
+1m
=> waits p PodGroupNotFound: waits for PodGroup ns/"reservation:r", which does not exist
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/"reservation:r" Pending: 0 ready, 0 promised, 1 pending
=> job ns/reservation:r Running: 1 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
