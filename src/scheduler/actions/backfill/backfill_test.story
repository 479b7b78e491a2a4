# A pod that asks for nothing gets a node though the cluster is full
plugins gang predicates
queue q
node n1 cpu=1
group full queue=q min=1
pod full of=full on=n1 cpu=1
group g queue=q min=1
pod nothing of=g
=> bind nothing n1
=> group full Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running

# A gang of such pods waits for the rest of it
plugins gang predicates
queue q
node n1 cpu=1
group g queue=q min=2
pod nothing of=g
=> group g Inqueue
+10s
=> waits nothing NotEnoughTasks: the group needs 2 pods and has 1
=> group g Inqueue, Unschedulable NotEnoughTasks: the group needs 2 pods and has 1
pod more of=g
=> bind nothing n1
=> bind more n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running

# One that a taint keeps away waits, and the next goes on
plugins gang predicates
queue q
node n1 cpu=1 taint=a=b:NoSchedule
group g queue=q min=1 created=-30s
group h queue=q min=1 created=-20s
pod g of=g
pod h of=h spec.tolerations=[{"key":"a","operator":"Exists"}]
=> bind h n1
=> waits g Unschedulable: 0/1 nodes are available: 1 node(s) had untolerated taint {a: b}.
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h Running, 1 running

# Pods that ask for nothing are not placed where pods are counted and full
plugins gang predicates
queue default
node n1 cpu=1 pods=1
pod a cpu=1
pod b
+3s
=> bind a n1
=> waits b Unschedulable: 0/1 nodes are available: 1 node(s) pod number exceeded.
node n2 cpu=1 pods=1
=> bind b n2

# A gang of pods that ask for nothing starts when it is complete, whatever its queue may have
plugins gang predicates capacity
queue full capability.cpu=1
node n1 cpu=1
group f queue=full min=1
group h queue=full min=2
pod f of=f cpu=1
pod h of=h
+3s
=> bind f n1
=> group f Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h Inqueue
=> group f Running, 1 running
pod h2 of=h
=> bind h n1
=> bind h2 n1
=> group h Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h Running, 2 running

# Pods at the gate that ask for nothing are let out together where no node takes them
plugins gang predicates capacity
queue q
node n1 cpu=4 taint=k=v:NoSchedule
group g queue=q min=2
pod a of=g gated
pod b of=g gated
=> ungate a
=> ungate b
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits a Unschedulable: 0/1 nodes are available: 1 node(s) had untolerated taint {k: v}.
=> waits b Unschedulable: 0/1 nodes are available: 1 node(s) had untolerated taint {k: v}.

# Pods at the gate that ask for nothing are let out as a whole where one of them fits no node
actions enqueue allocate backfill
plugins gang predicates capacity
queue q
node n1 cpu=2
group g queue=q min=2
pod a of=g gated spec.nodeSelector.zone=x
pod b of=g gated
+3s
=> ungate a
=> ungate b
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits a Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.
=> waits b Unschedulable: the pod fits, but its group is not complete
node n2 cpu=2 zone=x
=> bind a n2
=> bind b n1
=> group g Running, 2 running

# Of a group that has started those that fit no node are let out, and no others
actions enqueue allocate backfill
plugins gang predicates capacity
queue q
node n1 cpu=2
group g queue=q min=1
pod runs of=g on=n1 cpu=1
pod a of=g gated spec.nodeSelector.zone=x
pod b of=g gated spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"missing"}}]
+3s
=> ungate a
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits a Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.
