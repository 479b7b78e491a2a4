# A gang says how many of it wait and why
plugins gang predicates
queue q
node n1 cpu=1
group g queue=q min=2
pod g-0 of=g cpu=1
pod g-1 of=g cpu=1
+3s
=> waits g-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> waits g-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; Pending: 1 Schedulable, 1 Unschedulable. Origin reason is g-1: 0/1 nodes are available: 1 Insufficient cpu.
node n2 cpu=1
=> bind g-0 n1
=> bind g-1 n2
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
+5s
=> nothing

# A gang without enough pods says so after a while
plugins gang predicates
queue q
node n1 cpu=4
group g queue=q min=3
pod g-0 of=g cpu=1
=> group g Inqueue
+10s
=> waits g-0 NotEnoughTasks: the group needs 3 pods and has 1
=> group g Inqueue, Unschedulable NotEnoughTasks: the group needs 3 pods and has 1
group r queue=q min=2 role.master=1 role.worker=1
pod r-0 of=r task=worker cpu=1
pod r-1 of=r task=worker cpu=1
=> group r Inqueue
+10s
=> waits r-0 NotEnoughPodsOfTask: the group needs 1 pods of task master and has 0
=> waits r-1 NotEnoughPodsOfTask: the group needs 1 pods of task master and has 0
=> group r Inqueue, Unschedulable NotEnoughPodsOfTask: the group needs 1 pods of task master and has 0

# A gang some of whose pods are gated says so
plugins gang predicates
queue q
node n1 cpu=4
group g queue=q min=2
pod g-0 of=g cpu=1
pod g-1 of=g cpu=1 spec.schedulingGates=[{"name":"foreign"}]
+10s
=> waits g-0 WaitingForGates: the group needs 2 pods and cannot start without those behind gates: g-1 is held back by scheduling gate foreign
=> group g Inqueue, Unschedulable WaitingForGates: the group needs 2 pods and cannot start without those behind gates: g-1 is held back by scheduling gate foreign

# A gang that lost pods below its minimum says so and asks anew
plugins gang predicates
queue q
node n1 cpu=2
group g queue=q min=2
pod g-0 of=g cpu=1
pod g-1 of=g cpu=1
=> bind g-0 n1
=> bind g-1 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
delete pod g-1
=> group g Unknown, 1 running, Unschedulable NotEnoughTasks: the group needs 2 pods and has 1
pod g-2 of=g cpu=2
=> waits g-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Unknown, 1 running, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 Running, 2 minAvailable; Pending: 1 Unschedulable. Origin reason is g-2: 0/1 nodes are available: 1 Insufficient cpu.
pod g-0 of=g cpu=1 spec.nodeName=n1 status.phase=Succeeded
=> bind g-2 n1
=> group g Pending, 1 succeeded, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running, 1 succeeded

# The most that a gang can give up is what it has beyond its minimum
actions allocate preempt
plugins priority / gang conformance / predicates
class high value=100
queue q
node n1 cpu=3
group g queue=q min=2
pod g-0 of=g on=n1 cpu=1 priority=1
pod g-1 of=g on=n1 cpu=1 priority=1
pod g-2 of=g on=n1 cpu=1 priority=1
group h queue=q min=2 class=high
pod h-0 of=h cpu=1 priority=100 class=high
pod h-1 of=h cpu=1 priority=100 class=high
=> promise h-1 n1
=> evict g-2 for ns/h-1, preempt
=> promise h-0 n1
=> evict g-1 for ns/h-0, preempt
=> group g Unknown, 1 running, Unschedulable NotEnoughTasks: the group needs 2 pods and has 1
=> group h Inqueue, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pipelined, 2 minAvailable

# A gang of roles starts only when each has its minimum, however many pods there are
plugins gang predicates
queue q
node n1 cpu=3
node n2 cpu=1 zone=a
group g queue=q min=3 role.master=1 role.worker=2
pod w1 of=g task=worker cpu=1
pod w2 of=g task=worker cpu=1
pod w3 of=g task=worker cpu=1
pod m of=g task=master cpu=1 spec.nodeSelector.zone=b
=> waits m Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.
=> waits w3 Unschedulable: the pod's group cannot start: m: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.
=> waits w2 Unschedulable: the pod's group cannot start: m: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.
=> waits w1 Unschedulable: the pod's group cannot start: m: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.
=> group g Inqueue, Unschedulable NotEnoughResources: 0/4 tasks in gang unschedulable: pod group is not ready, 3 minAvailable, 4 Pending; Pending: 3 Schedulable, 1 Unschedulable. Origin reason is m: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector.
node n2 cpu=1 zone=b
=> bind w1 n1
=> bind w2 n1
=> bind w3 n1
=> bind m n2
=> group g Running, 4 running, Scheduled tasks in gang are ready to be scheduled: 

# A role that has lost its pods makes the whole gang wait
plugins gang predicates
queue q
node n1 cpu=4
group g queue=q min=2 role.master=1 role.worker=1
pod w1 of=g task=worker cpu=1
pod w2 of=g task=worker cpu=1
+10s
=> group g Inqueue
=> waits w1 NotEnoughPodsOfTask: the group needs 1 pods of task master and has 0
=> waits w2 NotEnoughPodsOfTask: the group needs 1 pods of task master and has 0
=> group g Inqueue, Unschedulable NotEnoughPodsOfTask: the group needs 1 pods of task master and has 0
pod m of=g task=master cpu=1
=> bind w1 n1
=> bind w2 n1
=> bind m n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 3 running
