# What pods hold is in the books of their node, their queue and all queues above
plugins gang predicates
books
queue root
queue team parent=root
queue a parent=team capability.cpu=4
queue b parent=team
node n1 cpu=4 memory=8Gi
node n2 cpu=4 memory=8Gi gpu=2
group g queue=a min=2 minimum.cpu=2
pod g-0 of=g cpu=1 memory=1Gi
pod g-1 of=g cpu=1 memory=1Gi
pod g-2 of=g cpu=1 memory=1Gi
=> bind g-2 n1
=> bind g-0 n1
=> bind g-1 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 3 running
=> node n1 idle cpu=1000 memory=5368709120 pods=107, future cpu=1000 memory=5368709120 pods=107, 3 tasks
=> node n2 idle cpu=4000 memory=8589934592 pods=110 nvidia.com/gpu=2000, future cpu=4000 memory=8589934592 pods=110 nvidia.com/gpu=2000, 0 tasks
=> job ns/g Running: 3 ready, 0 promised, 0 pending
=> queue a; own, allocated cpu=3000 memory=3221225472 pods=3, request cpu=3000 memory=3221225472 pods=3, elastic cpu=1000 memory=3221225472 pods=3; tree, allocated cpu=3000 memory=3221225472 pods=3, request cpu=3000 memory=3221225472 pods=3, elastic cpu=1000 memory=3221225472 pods=3
=> queue b; own; tree
=> queue root; own; tree, allocated cpu=3000 memory=3221225472 pods=3, request cpu=3000 memory=3221225472 pods=3, elastic cpu=1000 memory=3221225472 pods=3
=> queue team; own; tree, allocated cpu=3000 memory=3221225472 pods=3, request cpu=3000 memory=3221225472 pods=3, elastic cpu=1000 memory=3221225472 pods=3
=> in all cpu=8000 memory=17179869184 pods=220 nvidia.com/gpu=2000, held cpu=3000 memory=3221225472 pods=3, in queue
group h queue=b min=1
pod h-0 of=h gpu=2 cpu=3
=> bind h-0 n2
=> group h Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h Running, 1 running
=> node n1 idle cpu=1000 memory=5368709120 pods=107, future cpu=1000 memory=5368709120 pods=107, 3 tasks
=> node n2 idle cpu=1000 memory=8589934592 pods=109, future cpu=1000 memory=8589934592 pods=109, 1 tasks
=> job ns/g Running: 3 ready, 0 promised, 0 pending
=> job ns/h Running: 1 ready, 0 promised, 0 pending
=> queue a; own, allocated cpu=3000 memory=3221225472 pods=3, request cpu=3000 memory=3221225472 pods=3, elastic cpu=1000 memory=3221225472 pods=3; tree, allocated cpu=3000 memory=3221225472 pods=3, request cpu=3000 memory=3221225472 pods=3, elastic cpu=1000 memory=3221225472 pods=3
=> queue b; own, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000; tree, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000
=> queue root; own; tree, allocated cpu=6000 memory=3221225472 pods=4 nvidia.com/gpu=2000, request cpu=6000 memory=3221225472 pods=4 nvidia.com/gpu=2000, elastic cpu=4000 memory=3221225472 pods=4 nvidia.com/gpu=2000
=> queue team; own; tree, allocated cpu=6000 memory=3221225472 pods=4 nvidia.com/gpu=2000, request cpu=6000 memory=3221225472 pods=4 nvidia.com/gpu=2000, elastic cpu=4000 memory=3221225472 pods=4 nvidia.com/gpu=2000
=> in all cpu=8000 memory=17179869184 pods=220 nvidia.com/gpu=2000, held cpu=6000 memory=3221225472 pods=4 nvidia.com/gpu=2000, in queue
delete pod g-2
=> group g Running, 2 running
=> node n1 idle cpu=2000 memory=6442450944 pods=108, future cpu=2000 memory=6442450944 pods=108, 2 tasks
=> node n2 idle cpu=1000 memory=8589934592 pods=109, future cpu=1000 memory=8589934592 pods=109, 1 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> job ns/h Running: 1 ready, 0 promised, 0 pending
=> queue a; own, allocated cpu=2000 memory=2147483648 pods=2, request cpu=2000 memory=2147483648 pods=2, elastic memory=2147483648 pods=2; tree, allocated cpu=2000 memory=2147483648 pods=2, request cpu=2000 memory=2147483648 pods=2, elastic memory=2147483648 pods=2
=> queue b; own, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000; tree, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000
=> queue root; own; tree, allocated cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, request cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, elastic cpu=3000 memory=2147483648 pods=3 nvidia.com/gpu=2000
=> queue team; own; tree, allocated cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, request cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, elastic cpu=3000 memory=2147483648 pods=3 nvidia.com/gpu=2000
=> in all cpu=8000 memory=17179869184 pods=220 nvidia.com/gpu=2000, held cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, in queue
group g queue=b min=2 minimum.cpu=2 phase=Running
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle cpu=2000 memory=6442450944 pods=108, future cpu=2000 memory=6442450944 pods=108, 2 tasks
=> node n2 idle cpu=1000 memory=8589934592 pods=109, future cpu=1000 memory=8589934592 pods=109, 1 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> job ns/h Running: 1 ready, 0 promised, 0 pending
=> queue a; own, allocated cpu=2000 memory=2147483648 pods=2, request cpu=2000 memory=2147483648 pods=2, elastic memory=2147483648 pods=2; tree, allocated cpu=2000 memory=2147483648 pods=2, request cpu=2000 memory=2147483648 pods=2, elastic memory=2147483648 pods=2
=> queue b; own, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000; tree, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000
=> queue root; own; tree, allocated cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, request cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, elastic cpu=3000 memory=2147483648 pods=3 nvidia.com/gpu=2000
=> queue team; own; tree, allocated cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, request cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, elastic cpu=3000 memory=2147483648 pods=3 nvidia.com/gpu=2000
=> in all cpu=8000 memory=17179869184 pods=220 nvidia.com/gpu=2000, held cpu=5000 memory=2147483648 pods=3 nvidia.com/gpu=2000, in queue
delete pod g-0
delete pod g-1
delete group g
=> node n1 idle cpu=4000 memory=8589934592 pods=110, future cpu=4000 memory=8589934592 pods=110, 0 tasks
=> node n2 idle cpu=1000 memory=8589934592 pods=109, future cpu=1000 memory=8589934592 pods=109, 1 tasks
=> job ns/h Running: 1 ready, 0 promised, 0 pending
=> queue a; own; tree
=> queue b; own, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000; tree, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000
=> queue root; own; tree, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000
=> queue team; own; tree, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000
=> in all cpu=8000 memory=17179869184 pods=220 nvidia.com/gpu=2000, held cpu=3000 pods=1 nvidia.com/gpu=2000, in queue
delete queue b
=> node n1 idle cpu=4000 memory=8589934592 pods=110, future cpu=4000 memory=8589934592 pods=110, 0 tasks
=> node n2 idle cpu=1000 memory=8589934592 pods=109, future cpu=1000 memory=8589934592 pods=109, 1 tasks
=> job ns/h Running: 1 ready, 0 promised, 0 pending
=> queue a; own; tree
=> queue b; own, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000; tree, allocated cpu=3000 pods=1 nvidia.com/gpu=2000, request cpu=3000 pods=1 nvidia.com/gpu=2000, elastic cpu=3000 pods=1 nvidia.com/gpu=2000
=> queue root; own; tree
=> queue team; own; tree
=> in all cpu=8000 memory=17179869184 pods=220 nvidia.com/gpu=2000, held cpu=3000 pods=1 nvidia.com/gpu=2000, in queue

# A queue that is moved takes what its jobs hold with it
plugins gang predicates
books
queue root
queue left parent=root
queue right parent=root
queue leaf parent=left
node n1 cpu=4
group g queue=leaf min=1
pod g-0 of=g cpu=1
=> bind g-0 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue leaf; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue left; own; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue right; own; tree
=> queue root; own; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
queue leaf parent=right
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue leaf; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue left; own; tree
=> queue right; own; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue root; own; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
queue left parent=leaf
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue leaf; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue left; own; tree
=> queue right; own; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue root; own; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
queue leaf parent=left
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue leaf; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue left; own; tree
=> queue right; own; tree
=> queue root; own; tree
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
delete queue left
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue leaf; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue right; own; tree
=> queue root; own; tree
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
queue left parent=root
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue leaf; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue left; own; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> queue right; own; tree
=> queue root; own; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue

# A queue that its jobs name before it exists is theirs once it does
plugins gang predicates
books
node n1 cpu=4
group g queue=late min=1
pod g-0 of=g cpu=1
=> node n1 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> job ns/g Pending: 0 ready, 0 promised, 1 pending
=> queue late; own, request cpu=1000 pods=1; tree, request cpu=1000 pods=1
=> in all cpu=4000 pods=110, held, in queue
+2s
=> waits g-0 QueueNotFound: queue late does not exist
=> group g Pending, Unschedulable QueueNotFound: queue late does not exist
=> node n1 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> job ns/g Pending: 0 ready, 0 promised, 1 pending, parked
=> queue late; own, request cpu=1000 pods=1; tree, request cpu=1000 pods=1
=> in all cpu=4000 pods=110, held, in queue
queue late
=> bind g-0 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue late; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue

# Pods that end, fail or are being deleted give up what they held
plugins gang predicates
books
queue q
node n1 cpu=4
group g queue=q min=1
pod g-0 of=g on=n1 cpu=1
pod g-1 of=g on=n1 cpu=1
pod g-2 of=g on=n1 cpu=1
=> group g Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle cpu=1000 pods=107, future cpu=1000 pods=107, 3 tasks
=> job ns/g Running: 3 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=3, request cpu=3000 pods=3, elastic cpu=3000 pods=3; tree, allocated cpu=3000 pods=3, request cpu=3000 pods=3, elastic cpu=3000 pods=3
=> in all cpu=4000 pods=110, held cpu=3000 pods=3, in queue
pod g-0 of=g cpu=1 spec.nodeName=n1 status.phase=Succeeded
pod g-1 of=g cpu=1 spec.nodeName=n1 status.phase=Failed
=> group g Running, 1 running, 1 succeeded, 1 failed
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
pod g-2 of=g on=n1 cpu=1 metadata.deletionTimestamp=2026-01-01T00:00:30Z
=> group g Completed, 1 succeeded, 1 failed
=> node n1 idle cpu=3000 pods=109, future cpu=4000 pods=110, 1 tasks
=> job ns/g Completed: 1 ready, 0 promised, 0 pending
=> queue q; own, leaving cpu=1000 pods=1; tree, leaving cpu=1000 pods=1
=> in all cpu=4000 pods=110, held, in queue
pod late of=g cpu=4
=> promise late n1
=> node n1 idle cpu=3000 pods=109, future pods=109, 2 tasks
=> job ns/g Completed: 1 ready, 1 promised, 0 pending
=> queue q; own, allocated cpu=4000 pods=1, promised cpu=4000 pods=1, leaving cpu=1000 pods=1, request cpu=4000 pods=1; tree, allocated cpu=4000 pods=1, promised cpu=4000 pods=1, leaving cpu=1000 pods=1, request cpu=4000 pods=1
=> in all cpu=4000 pods=110, held cpu=4000 pods=1, in queue
+3m
=> promise late nothing any more
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Completed: 1 ready, 0 promised, 1 pending, parked
=> queue q; own, leaving cpu=1000 pods=1, overdue cpu=1000 pods=1, request cpu=4000 pods=1; tree, leaving cpu=1000 pods=1, overdue cpu=1000 pods=1, request cpu=4000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
delete pod g-2
=> bind late n1
=> group g Running, 1 running, 1 succeeded, 1 failed
=> node n1 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=4000 pods=1, request cpu=4000 pods=1, elastic cpu=4000 pods=1; tree, allocated cpu=4000 pods=1, request cpu=4000 pods=1, elastic cpu=4000 pods=1
=> in all cpu=4000 pods=110, held cpu=4000 pods=1, in queue

# A node that goes takes its room with it and a node that shrinks a part
plugins gang predicates
books
queue q
node n1 cpu=4
node n2 cpu=4
group g queue=q min=1
pod g-0 of=g on=n1 cpu=3
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle cpu=1000 pods=109, future cpu=1000 pods=109, 1 tasks
=> node n2 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1; tree, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1
=> in all cpu=8000 pods=220, held cpu=3000 pods=1, in queue
node n1 cpu=3
=> node n1 idle pods=109, future pods=109, 1 tasks
=> node n2 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1; tree, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1
=> in all cpu=7000 pods=220, held cpu=3000 pods=1, in queue
pod g-1 of=g cpu=4
=> bind g-1 n2
=> group g Running, 2 running
=> node n1 idle pods=109, future pods=109, 1 tasks
=> node n2 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=7000 pods=2, request cpu=7000 pods=2, elastic cpu=7000 pods=2; tree, allocated cpu=7000 pods=2, request cpu=7000 pods=2, elastic cpu=7000 pods=2
=> in all cpu=7000 pods=220, held cpu=7000 pods=2, in queue
delete node n2
=> group g Running, 1 running
=> node n1 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1; tree, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1
=> in all cpu=3000 pods=110, held cpu=3000 pods=1, in queue
node n2 cpu=4
=> node n1 idle pods=109, future pods=109, 1 tasks
=> node n2 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1; tree, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1
=> in all cpu=7000 pods=220, held cpu=3000 pods=1, in queue

# A resource that nobody offers is waited for until a node does
plugins gang predicates
books
queue q
node n1 cpu=4
group g queue=q min=1
pod g-0 of=g cpu=1 gpu=1
=> waits g-0 Unschedulable: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g-0: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.
=> node n1 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> job ns/g Inqueue: 0 ready, 0 promised, 1 pending
=> queue q; own, request cpu=1000 pods=1; tree, request cpu=1000 pods=1
=> in all cpu=4000 pods=110, held, in queue
node n2 cpu=4 gpu=1
=> bind g-0 n2
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
=> node n1 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> node n2 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=1000 pods=1 nvidia.com/gpu=1000, request cpu=1000 pods=1 nvidia.com/gpu=1000, elastic cpu=1000 pods=1 nvidia.com/gpu=1000; tree, allocated cpu=1000 pods=1 nvidia.com/gpu=1000, request cpu=1000 pods=1 nvidia.com/gpu=1000, elastic cpu=1000 pods=1 nvidia.com/gpu=1000
=> in all cpu=8000 pods=220 nvidia.com/gpu=1000, held cpu=1000 pods=1 nvidia.com/gpu=1000, in queue
delete pod g-0
delete node n2
=> group g Pending
=> node n1 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> job ns/g Pending: 0 ready, 0 promised, 0 pending
=> queue q; own; tree
=> in all cpu=4000 pods=110, held, in queue

# A gated pod holds its queue's room before it has a node
plugins gang predicates capacity
books
queue q capability.cpu=2
node n1 cpu=1
group g queue=q min=1
pod g-0 of=g cpu=1 gated
pod g-1 of=g cpu=1 gated
pod g-2 of=g cpu=1 gated
=> ungate g-0
=> bind g-0 n1
=> ungate g-1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits g-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Running, 1 running
=> node n1 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 2 pending
=> queue q; own, allocated cpu=1000 pods=1, request cpu=3000 pods=3, claimed cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=3000 pods=3, claimed cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=1000 pods=110, held cpu=1000 pods=1, in queue
node n2 cpu=1
=> bind g-1 n2
=> group g Running, 2 running
=> node n1 idle pods=109, future pods=109, 1 tasks
=> node n2 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 2 ready, 0 promised, 1 pending, parked
=> queue q; own, allocated cpu=2000 pods=2, request cpu=3000 pods=3, elastic cpu=2000 pods=2; tree, allocated cpu=2000 pods=2, request cpu=3000 pods=3, elastic cpu=2000 pods=2
=> in all cpu=2000 pods=220, held cpu=2000 pods=2, in queue
delete pod g-0
=> ungate g-2
=> bind g-2 n1
=> group g Running, 1 running
=> group g Running, 2 running
=> node n1 idle pods=109, future pods=109, 1 tasks
=> node n2 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic cpu=2000 pods=2; tree, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic cpu=2000 pods=2
=> in all cpu=2000 pods=220, held cpu=2000 pods=2, in queue

# A group that comes after its pods finds them, and one that goes leaves them counted
plugins gang predicates
books
queue q
node n1 cpu=4
pod g-0 of=g cpu=1
pod g-1 of=g on=n1 cpu=1
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Pending: 1 ready, 0 promised, 1 pending
=> queue q; own; tree
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
+3s
=> waits g-0 PodGroupNotFound: waits for PodGroup ns/g, which does not exist
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Pending: 1 ready, 0 promised, 1 pending
=> queue q; own; tree
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
group g queue=q min=1
=> bind g-0 n1
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic cpu=2000 pods=2; tree, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic cpu=2000 pods=2
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue
delete group g
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/g Pending: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic cpu=2000 pods=2; tree, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic cpu=2000 pods=2
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue

# A pod of no group stands alone in its queue
plugins gang predicates
books
queue default
queue q
node n1 cpu=4
pod lone cpu=1
pod other cpu=1 queue=q
=> bind lone n1
=> bind other n1
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/podgroup-u4 Running: 1 ready, 0 promised, 0 pending
=> job ns/podgroup-u5 Running: 1 ready, 0 promised, 0 pending
=> queue default; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1
=> queue q; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue
delete pod lone
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/podgroup-u5 Running: 1 ready, 0 promised, 0 pending
=> queue default; own; tree
=> queue q; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue

# Minima of roles count for what a job may still take
plugins gang predicates
books
queue q
node n1 cpu=2
group g queue=q min=3 role.master=1 role.worker=2 minimum.cpu=3
pod m of=g task=master cpu=1
pod w1 of=g task=worker cpu=1
pod w2 of=g task=worker cpu=1
=> waits w2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits w1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits m Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/3 tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable; Pending: 2 Schedulable, 1 Unschedulable. Origin reason is w2: 0/1 nodes are available: 1 Insufficient cpu.
=> node n1 idle cpu=2000 pods=110, future cpu=2000 pods=110, 0 tasks
=> job ns/g Inqueue: 0 ready, 0 promised, 3 pending
=> queue q; own, request cpu=3000 pods=3, in queue cpu=3000; tree, request cpu=3000 pods=3, in queue cpu=3000
=> in all cpu=2000 pods=110, held, in queue cpu=3000
node n2 cpu=1
=> bind m n1
=> bind w1 n1
=> bind w2 n2
=> group g Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle pods=108, future pods=108, 2 tasks
=> node n2 idle pods=109, future pods=109, 1 tasks
=> job ns/g Running: 3 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=3, request cpu=3000 pods=3, elastic pods=3; tree, allocated cpu=3000 pods=3, request cpu=3000 pods=3, elastic pods=3
=> in all cpu=3000 pods=220, held cpu=3000 pods=3, in queue

# Pods that others' rules are about are told apart
plugins gang predicates nodeorder
queue default
node n1 cpu=4 zone=a
node n2 cpu=4 zone=b
node n3 cpu=4
pod web-0 app=web cpu=1
=> bind web-0 n1
pod web-1 app=web cpu=1 spec.affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}]}}
pod web-2 app=web cpu=1 spec.affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}]}}
=> bind web-1 n2
=> bind web-2 n3
pod friend cpu=1 spec.affinity={"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchExpressions":[{"key":"app","operator":"Exists"}]},"topologyKey":"zone"}]}}
pod wish cpu=1 spec.affinity={"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}}]}}
pod spread-0 cpu=1 metadata.labels.s=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"s":"x"}}}]
pod spread-1 cpu=1 metadata.labels.s=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"s":"x"}}}]
pod picky cpu=1 spec.nodeSelector.zone=b
pod affine cpu=1 spec.affinity={"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"DoesNotExist"}]}]}}}
=> bind friend n1
=> bind wish n2
=> bind spread-0 n1
=> bind spread-1 n2
=> bind picky n2
=> bind affine n3

# A pod that a gate of somebody else holds back wants nothing of its queue for now
plugins gang predicates capacity
books
queue q capability.cpu=4
node n1 cpu=4
group g queue=q min=2 minimum.cpu=2 phase=Pending
pod g-0 of=g cpu=1
pod g-1 of=g cpu=1 spec.schedulingGates=[{"name":"foreign"}]
=> waits g-0 WaitingForGates: the group needs 2 pods and cannot start without those behind gates: g-1 is held back by scheduling gate foreign
=> group g Inqueue, Unschedulable WaitingForGates: the group needs 2 pods and cannot start without those behind gates: g-1 is held back by scheduling gate foreign
=> node n1 idle cpu=4000 pods=110, future cpu=4000 pods=110, 0 tasks
=> job ns/g Inqueue: 0 ready, 0 promised, 2 pending
=> queue q; own, request cpu=2000 pods=2, in queue cpu=1000; tree, request cpu=2000 pods=2, in queue cpu=1000
=> in all cpu=4000 pods=110, held, in queue cpu=1000
pod g-1 of=g cpu=1
=> bind g-0 n1
=> bind g-1 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic pods=2; tree, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic pods=2
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue

# Jobs that wait hear of their queue's end, and of another in its place
plugins gang predicates capacity
books
queue q capability.cpu=1
node n1 cpu=4
group a queue=q min=1 created=-20s
group b queue=q min=1 created=-10s
pod a of=a cpu=1
pod b of=b cpu=1
+3s
=> bind a n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b WaitingForQueue: queue q has not enough cpu left
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is b: queue q has not enough cpu left
=> group a Running, 1 running
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/a Running: 1 ready, 0 promised, 0 pending
=> job ns/b Inqueue: 0 ready, 0 promised, 1 pending, parked
=> queue q; own, allocated cpu=1000 pods=1, request cpu=2000 pods=2, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=2000 pods=2, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
delete queue q
+3s
=> waits b QueueNotFound: queue q does not exist
=> group b Inqueue, Unschedulable QueueNotFound: queue q does not exist
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/a Running: 1 ready, 0 promised, 0 pending
=> job ns/b Inqueue: 0 ready, 0 promised, 1 pending, parked
=> queue q; own, allocated cpu=1000 pods=1, request cpu=2000 pods=2, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=2000 pods=2, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
queue q capability.cpu=2
=> bind b n1
=> group b Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle cpu=2000 pods=108, future cpu=2000 pods=108, 2 tasks
=> job ns/a Running: 1 ready, 0 promised, 0 pending
=> job ns/b Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic cpu=2000 pods=2; tree, allocated cpu=2000 pods=2, request cpu=2000 pods=2, elastic cpu=2000 pods=2
=> in all cpu=4000 pods=110, held cpu=2000 pods=2, in queue
delete group b
delete pod b
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/a Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue

# A priority class that is worth more wakes those who wait with it
actions allocate preempt
plugins priority gang conformance predicates
class mid value=50
class low value=10
queue q
node n1 cpu=1
group a queue=q min=0 class=mid
pod a of=a on=n1 cpu=1 priority=50
group b queue=q min=1 class=low
pod b of=b cpu=1 class=low priority=100
+3s
=> group a Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is b: 0/1 nodes are available: 1 Insufficient cpu.
class low value=100
=> promise b n1
=> evict a for ns/b, preempt
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group a Completed

# A job that waits for memory is not helped by CPUs, nor one that waits for a node by its queue
plugins gang predicates capacity
books
queue q capability.cpu=8 capability.memory=4Gi
node n1 cpu=2 memory=2Gi
group m queue=q min=1
pod m of=m cpu=1 memory=3Gi
group c queue=q min=1
pod c of=c cpu=3
+3s
=> waits m Unschedulable: 0/1 nodes are available: 1 Insufficient memory.
=> group m Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is m: 0/1 nodes are available: 1 Insufficient memory.
=> waits c Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group c Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is c: 0/1 nodes are available: 1 Insufficient cpu.
=> node n1 idle cpu=2000 memory=2147483648 pods=110, future cpu=2000 memory=2147483648 pods=110, 0 tasks
=> job ns/c Inqueue: 0 ready, 0 promised, 1 pending, parked
=> job ns/m Inqueue: 0 ready, 0 promised, 1 pending, parked
=> queue q; own, request cpu=4000 memory=3221225472 pods=2; tree, request cpu=4000 memory=3221225472 pods=2
=> in all cpu=2000 memory=2147483648 pods=110, held, in queue
queue q capability.cpu=9 capability.memory=4Gi
=> node n1 idle cpu=2000 memory=2147483648 pods=110, future cpu=2000 memory=2147483648 pods=110, 0 tasks
=> job ns/c Inqueue: 0 ready, 0 promised, 1 pending, parked
=> job ns/m Inqueue: 0 ready, 0 promised, 1 pending, parked
=> queue q; own, request cpu=4000 memory=3221225472 pods=2; tree, request cpu=4000 memory=3221225472 pods=2
=> in all cpu=2000 memory=2147483648 pods=110, held, in queue
node n2 cpu=4
=> bind c n2
=> group c Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle cpu=2000 memory=2147483648 pods=110, future cpu=2000 memory=2147483648 pods=110, 0 tasks
=> node n2 idle cpu=1000 pods=109, future cpu=1000 pods=109, 1 tasks
=> job ns/c Running: 1 ready, 0 promised, 0 pending
=> job ns/m Inqueue: 0 ready, 0 promised, 1 pending, parked
=> queue q; own, allocated cpu=3000 pods=1, request cpu=4000 memory=3221225472 pods=2, elastic cpu=3000 pods=1; tree, allocated cpu=3000 pods=1, request cpu=4000 memory=3221225472 pods=2, elastic cpu=3000 pods=1
=> in all cpu=6000 memory=2147483648 pods=220, held cpu=3000 pods=1, in queue
node n3 cpu=1 memory=4Gi
=> bind m n3
=> group m Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle cpu=2000 memory=2147483648 pods=110, future cpu=2000 memory=2147483648 pods=110, 0 tasks
=> node n2 idle cpu=1000 pods=109, future cpu=1000 pods=109, 1 tasks
=> node n3 idle memory=1073741824 pods=109, future memory=1073741824 pods=109, 1 tasks
=> job ns/c Running: 1 ready, 0 promised, 0 pending
=> job ns/m Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=4000 memory=3221225472 pods=2, request cpu=4000 memory=3221225472 pods=2, elastic cpu=4000 memory=3221225472 pods=2; tree, allocated cpu=4000 memory=3221225472 pods=2, request cpu=4000 memory=3221225472 pods=2, elastic cpu=4000 memory=3221225472 pods=2
=> in all cpu=7000 memory=6442450944 pods=330, held cpu=4000 memory=3221225472 pods=2, in queue

# A pod moves to another group, and its role with it
plugins gang predicates
books
queue q
node n1 cpu=1
group g queue=q min=1 role.a=1
group h queue=q min=1
pod p of=g task=a cpu=2
=> waits p Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is p: 0/1 nodes are available: 1 Insufficient cpu.
=> group h Inqueue
=> node n1 idle cpu=1000 pods=110, future cpu=1000 pods=110, 0 tasks
=> job ns/g Inqueue: 0 ready, 0 promised, 1 pending
=> job ns/h Inqueue: 0 ready, 0 promised, 0 pending
=> queue q; own, request cpu=2000 pods=1; tree, request cpu=2000 pods=1
=> in all cpu=1000 pods=110, held, in queue
pod p of=h task=b cpu=2
=> group g Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods of task a and has 0
=> waits p Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group h Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is p: 0/1 nodes are available: 1 Insufficient cpu.
=> node n1 idle cpu=1000 pods=110, future cpu=1000 pods=110, 0 tasks
=> job ns/g Inqueue: 0 ready, 0 promised, 0 pending
=> job ns/h Inqueue: 0 ready, 0 promised, 1 pending, parked
=> queue q; own, request cpu=2000 pods=1; tree, request cpu=2000 pods=1
=> in all cpu=1000 pods=110, held, in queue

# A pod that grows in place changes what its node and its queue have
plugins gang predicates
books
queue q
node n1 cpu=4
group g queue=q min=1
pod a of=g on=n1 cpu=1
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle cpu=3000 pods=109, future cpu=3000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1; tree, allocated cpu=1000 pods=1, request cpu=1000 pods=1, elastic cpu=1000 pods=1
=> in all cpu=4000 pods=110, held cpu=1000 pods=1, in queue
pod a of=g on=n1 cpu=3
=> node n1 idle cpu=1000 pods=109, future cpu=1000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1; tree, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1
=> in all cpu=4000 pods=110, held cpu=3000 pods=1, in queue

# A pod that has no node holds nothing of any, and one that is promised a node is not in its room now
plugins gang predicates
books
queue q
node n1 cpu=2
group old queue=q min=1
group new queue=q min=1
pod old of=old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:05:00Z
pod new of=new cpu=2
=> promise new n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> group new Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> node n1 idle pods=109, future pods=109, 2 tasks
=> job ns/new Inqueue: 0 ready, 1 promised, 0 pending
=> job ns/old Inqueue: 0 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=1, promised cpu=2000 pods=1, leaving cpu=2000 pods=1, request cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, promised cpu=2000 pods=1, leaving cpu=2000 pods=1, request cpu=2000 pods=1
=> in all cpu=2000 pods=110, held cpu=2000 pods=1, in queue
delete pod old
=> bind new n1
=> group new Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle pods=109, future pods=109, 1 tasks
=> job ns/new Running: 1 ready, 0 promised, 0 pending
=> job ns/old Inqueue: 0 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> in all cpu=2000 pods=110, held cpu=2000 pods=1, in queue

# Requests of init containers and overhead count as the kubelet counts them
plugins gang predicates
books
queue q
node n1 cpu=8 memory=8Gi
group g queue=q min=1
pod init of=g spec.containers=[{"name":"c","resources":{"requests":{"cpu":"1"}}},{"name":"d","resources":{"requests":{"cpu":"1"}}}] spec.initContainers=[{"name":"i","resources":{"requests":{"cpu":"3","memory":"1Gi"}}}]
pod side of=g spec.containers=[{"name":"c","resources":{"requests":{"cpu":"1"}}}] spec.initContainers=[{"name":"s","restartPolicy":"Always","resources":{"requests":{"cpu":"500m"}}},{"name":"i","resources":{"requests":{"cpu":"1"}}}] spec.overhead={"cpu":"250m"}
=> bind init n1
=> bind side n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
=> node n1 idle cpu=3250 memory=7516192768 pods=108, future cpu=3250 memory=7516192768 pods=108, 2 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=4750 memory=1073741824 pods=2, request cpu=4750 memory=1073741824 pods=2, elastic cpu=4750 memory=1073741824 pods=2; tree, allocated cpu=4750 memory=1073741824 pods=2, request cpu=4750 memory=1073741824 pods=2, elastic cpu=4750 memory=1073741824 pods=2
=> in all cpu=8000 memory=8589934592 pods=110, held cpu=4750 memory=1073741824 pods=2, in queue

# A queue in a tree counts for those above it, wherever it is moved
plugins gang predicates capacity:enableHierarchy
books
queue root
queue a parent=root
queue b parent=root
queue c parent=a
node n1 cpu=8
group g queue=c min=1
pod g of=g cpu=2
=> bind g n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
=> node n1 idle cpu=6000 pods=109, future cpu=6000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue a; own; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> queue b; own; tree
=> queue c; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> queue root; own; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> in all cpu=8000 pods=110, held cpu=2000 pods=1, in queue
queue c parent=b
=> node n1 idle cpu=6000 pods=109, future cpu=6000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue a; own; tree
=> queue b; own; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> queue c; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> queue root; own; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> in all cpu=8000 pods=110, held cpu=2000 pods=1, in queue
delete queue c
=> node n1 idle cpu=6000 pods=109, future cpu=6000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue a; own; tree
=> queue b; own; tree
=> queue c; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> queue root; own; tree
=> in all cpu=8000 pods=110, held cpu=2000 pods=1, in queue

# A node that is gone for a moment finds its pods again
plugins gang predicates
books
queue q
node n1 cpu=4
group g queue=q min=1
pod a of=g on=n1 cpu=3
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle cpu=1000 pods=109, future cpu=1000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1; tree, allocated cpu=3000 pods=1, request cpu=3000 pods=1, elastic cpu=3000 pods=1
=> in all cpu=4000 pods=110, held cpu=3000 pods=1, in queue
delete node n1
=> group g Pending
=> job ns/g Pending: 0 ready, 0 promised, 0 pending
=> queue q; own; tree
=> in all, held, in queue
node n1 cpu=4
pod b of=g cpu=2
=> bind b n1
=> group g Inqueue
=> group g Running, 1 running
=> node n1 idle cpu=2000 pods=109, future cpu=2000 pods=109, 1 tasks
=> job ns/g Running: 1 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1; tree, allocated cpu=2000 pods=1, request cpu=2000 pods=1, elastic cpu=2000 pods=1
=> in all cpu=4000 pods=110, held cpu=2000 pods=1, in queue

# The smallest and the largest amounts add up exactly
plugins gang predicates
books
queue q
node n1 cpu=1 memory=9007199254740991 gpu=1
group g queue=q min=1
pod a of=g on=n1 cpu=1m memory=1
pod b of=g on=n1 cpu=999m memory=9007199254740990
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> node n1 idle pods=108 nvidia.com/gpu=1000, future pods=108 nvidia.com/gpu=1000, 2 tasks
=> job ns/g Running: 2 ready, 0 promised, 0 pending
=> queue q; own, allocated cpu=1000 memory=9007199254740991 pods=2, request cpu=1000 memory=9007199254740991 pods=2, elastic cpu=1000 memory=9007199254740991 pods=2; tree, allocated cpu=1000 memory=9007199254740991 pods=2, request cpu=1000 memory=9007199254740991 pods=2, elastic cpu=1000 memory=9007199254740991 pods=2
=> in all cpu=1000 memory=9007199254740991 pods=110 nvidia.com/gpu=1000, held cpu=1000 memory=9007199254740991 pods=2, in queue
pod c of=g memory=1
pod d of=g cpu=1m
+3s
=> waits c Unschedulable: 0/1 nodes are available: 1 Insufficient memory.
=> waits d Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> node n1 idle pods=108 nvidia.com/gpu=1000, future pods=108 nvidia.com/gpu=1000, 2 tasks
=> job ns/g Running: 2 ready, 0 promised, 2 pending, parked
=> queue q; own, allocated cpu=1000 memory=9007199254740991 pods=2, request cpu=1001 memory=9007199254740992 pods=4, elastic cpu=1000 memory=9007199254740991 pods=2; tree, allocated cpu=1000 memory=9007199254740991 pods=2, request cpu=1001 memory=9007199254740992 pods=4, elastic cpu=1000 memory=9007199254740991 pods=2
=> in all cpu=1000 memory=9007199254740991 pods=110 nvidia.com/gpu=1000, held cpu=1000 memory=9007199254740991 pods=2, in queue
