# A job takes the room of one that matters less in its queue, and no more than it needs
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
class low value=1
queue q
node n1 cpu=2
group low queue=q min=0 class=low
pod low-0 of=low on=n1 cpu=1 class=low priority=1
pod low-1 of=low on=n1 cpu=1 class=low priority=1
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100
=> promise high n1
=> evict low-1 for ns/high, preempt
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
+3s
=> bind high n1
=> group high Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# A gang is not broken for one that matters as much
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=2
group a queue=q min=2 class=high
pod a-0 of=a on=n1 cpu=1 class=high priority=100
pod a-1 of=a on=n1 cpu=1 class=high priority=100
group b queue=q min=1 class=high
pod b of=b cpu=1 class=high priority=100
=> group a Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is b: 0/1 nodes are available: 1 Insufficient cpu.

# A gang gets all of its pods' room or none is taken for it
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
class low value=1
queue q
node n1 cpu=2
node n2 cpu=2
group low queue=q min=0 class=low
pod low-0 of=low on=n1 cpu=2 class=low priority=1
pod low-1 of=low on=n2 cpu=1 class=low priority=1
group high queue=q min=3 class=high
pod h-0 of=high cpu=2 class=high priority=100
pod h-1 of=high cpu=2 class=high priority=100
pod h-2 of=high cpu=2 class=high priority=100
=> group low Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits h-2 Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.
=> waits h-1 Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.
=> waits h-0 Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.
=> group high Inqueue, Unschedulable NotEnoughResources: 3/3 tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable; Pending: 3 Unschedulable. Origin reason is h-0: 0/2 nodes are available: 2 Insufficient cpu.
node n3 cpu=2
=> promise h-0 n3
=> promise h-1 n1
=> evict low-0 for ns/h-1, preempt
=> promise h-2 n2
=> evict low-1 for ns/h-2, preempt
=> group high Inqueue, Unschedulable NotEnoughResources: 3/3 tasks in gang unschedulable: pod group is not ready, 3 Pipelined, 3 minAvailable
=> group low Completed
+3s
=> bind h-0 n3
=> bind h-1 n1
=> bind h-2 n2
=> group high Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 

# A pod of the system, or one that may not be preempted, stays
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=1
node n2 cpu=1
group low queue=q min=0
pod low-0 of=low on=n1 cpu=1 spec.priorityClassName=system-node-critical
pod low-1 of=low on=n2 cpu=1 preemptable=false
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100
=> group low Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits high Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is high: 0/2 nodes are available: 2 Insufficient cpu.

# Within a job that has what it needs no task takes the place of another
actions allocate preempt
plugins priority gang conformance predicates
queue q
node n1 cpu=2
group g queue=q min=1
pod g-0 of=g on=n1 cpu=1 priority=1
pod g-1 of=g on=n1 cpu=1 priority=1
pod g-2 of=g cpu=1 priority=9
=> waits g-2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
+3s
=> nothing

# A pod that must not preempt waits
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=1
group low queue=q min=0
pod low of=low on=n1 cpu=1 priority=1
group high queue=q min=1 class=high
pod high of=high cpu=1 priority=100 spec.preemptionPolicy=Never
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits high Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is high: 0/1 nodes are available: 1 Insufficient cpu.

# A budget keeps a pod from being preempted while it allows no disruption
actions allocate preempt
plugins priority gang conformance predicates pdb
class high value=100
queue q
node n1 cpu=1
group low queue=q min=0
pod low of=low on=n1 cpu=1 app=web priority=1 status.conditions=[{"type":"Ready","status":"True"}]
budget b spec.selector.matchLabels.app=web status.disruptionsAllowed=0
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits high Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is high: 0/1 nodes are available: 1 Insufficient cpu.
budget b spec.selector.matchLabels.app=web status.disruptionsAllowed=1
=> promise high n1
=> evict low for ns/high, preempt
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group low Completed
+3s
=> bind high n1
=> group high Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Several jobs that matter more each get what they need
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=3
group low queue=q min=0
pod low-0 of=low on=n1 cpu=1 priority=1
pod low-1 of=low on=n1 cpu=1 priority=1
pod low-2 of=low on=n1 cpu=1 priority=1
group h1 queue=q min=1 class=high created=-20s
group h2 queue=q min=1 class=high created=-10s
pod h1 of=h1 cpu=1 class=high priority=100
pod h2 of=h2 cpu=1 class=high priority=100
=> promise h1 n1
=> evict low-2 for ns/h1, preempt
=> promise h2 n1
=> evict low-1 for ns/h2, preempt
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group h1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group h2 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
+3s
=> bind h1 n1
=> bind h2 n1
=> group h1 Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group h2 Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# A node from which a rule keeps the pod is not freed for it
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=1 zone=a
node n2 cpu=1 zone=b
group low queue=q min=0
pod low-0 of=low on=n1 cpu=1 priority=1
pod low-1 of=low on=n2 cpu=1 priority=1
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100 spec.nodeSelector.zone=b
=> promise high n2
=> evict low-1 for ns/high, preempt
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable

# Each job goes on with its next pod until it has its minimum
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=2
node n2 cpu=2
group low queue=q min=0
pod low-0 of=low on=n1 cpu=1 priority=1
pod low-1 of=low on=n1 cpu=1 priority=1
pod low-2 of=low on=n2 cpu=1 priority=1
pod low-3 of=low on=n2 cpu=1 priority=1
group h1 queue=q min=2 class=high created=-20s
group h2 queue=q min=2 class=high created=-10s
pod h1-0 of=h1 cpu=1 class=high priority=100
pod h1-1 of=h1 cpu=1 class=high priority=100
pod h1-2 of=h1 cpu=1 class=high priority=100
pod h2-0 of=h2 cpu=1 class=high priority=100
pod h2-1 of=h2 cpu=1 class=high priority=100
=> promise h1-0 n1
=> evict low-1 for ns/h1-0, preempt
=> promise h1-1 n1
=> evict low-0 for ns/h1-1, preempt
=> promise h2-0 n2
=> evict low-3 for ns/h2-0, preempt
=> promise h2-1 n2
=> evict low-2 for ns/h2-1, preempt
=> group low Completed, Scheduled tasks in gang are ready to be scheduled: 
=> waits h1-2 Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.
=> group h1 Inqueue, Unschedulable NotEnoughResources: 2/3 tasks in gang unschedulable: pod group is not ready, 1 Pending, 2 Pipelined, 2 minAvailable; Pending: 1 Unschedulable. Origin reason is h1-2: 0/2 nodes are available: 2 Insufficient cpu.
=> group h2 Inqueue, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pipelined, 2 minAvailable
+3s
=> bind h1-0 n1
=> bind h1-1 n1
=> bind h2-0 n2
=> bind h2-1 n2
=> group h1 Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group h1 Running, 2 running
=> group h2 Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 

# A pod that was promised a node waits while others leave it, and preempts again where that is in vain
actions enqueue allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=1
node n2 cpu=1
group low queue=q min=0
pod leaving of=low on=n1 cpu=1 priority=1 metadata.deletionTimestamp=2026-01-01T00:05:00Z
pod low of=low on=n2 cpu=1 priority=1
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100 status.nominatedNodeName=n1
=> promise high n1
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
delete node n1
=> promise high nothing any more
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is high: 0/1 nodes are available: 1 Insufficient cpu.
=> promise high n2
=> evict low for ns/high, preempt
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group low Completed

# Nobody leaves for a job of another queue, nor a pod of no job
actions enqueue allocate preempt
plugins priority gang conformance predicates
class high value=100
queue p
queue q
node n1 cpu=2
group low queue=p min=0
pod low of=low on=n1 cpu=1 priority=1
pod stray on=n1 cpu=1 priority=1 spec.schedulerName=other
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100
+3s
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits high Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is high: 0/1 nodes are available: 1 Insufficient cpu.

# One that asks for nothing makes only those leave that ask for nothing
actions enqueue allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=2 pods=2
group low queue=q min=0
pod heavy of=low on=n1 cpu=1 priority=1
pod light of=low on=n1 priority=5
group high queue=q min=1 class=high
pod high of=high class=high priority=100
=> promise high n1
=> evict light for ns/high, preempt
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
+3s
=> bind high n1
=> group high Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# A pod that was promised a node that does not take it any more preempts elsewhere
actions enqueue allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node n1 cpu=1 taint=a=b:NoSchedule
node n2 cpu=1
group low queue=q min=0
pod low of=low on=n2 cpu=1 priority=1
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100 status.nominatedNodeName=n1
=> promise high n1
=> promise high n2
=> evict low for ns/high, preempt
=> group low Completed, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
+3s
=> bind high n2
=> group high Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# The node whose pods matter least is freed where that is asked for
actions enqueue allocate preempt
plugins priority gang conformance predicates
argument preempt enableTopologyAwarePreemption=true
class high value=100
queue q
node n1 cpu=2
node n2 cpu=2
node n3 cpu=2
group low queue=q min=0
pod a of=low on=n1 cpu=2 priority=5
pod b-0 of=low on=n2 cpu=1 priority=3
pod b-1 of=low on=n2 cpu=1 priority=3
pod c of=low on=n3 cpu=2 priority=4
group high queue=q min=1 class=high
pod high of=high cpu=2 class=high priority=100
=> promise high n2
=> evict b-0 for ns/high, preempt
=> evict b-1 for ns/high, preempt
=> group low Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable

# Jobs that are alike preempt one after the other once they may
actions allocate preempt
plugins priority gang conformance predicates pdb
class high value=100
queue q
node n1 cpu=3
group low queue=q min=0
3x pod low-% of=low on=n1 cpu=1 app=web priority=1 status.conditions=[{"type":"Ready","status":"True"}]
budget b spec.selector.matchLabels.app=web status.disruptionsAllowed=0
2x group h-% queue=q min=1 class=high
2x pod h-% of=h-% cpu=1 class=high priority=100
+3s
=> group low Running, 3 running, Scheduled tasks in gang are ready to be scheduled: 
=> waits h-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group h-0 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is h-0: 0/1 nodes are available: 1 Insufficient cpu.
=> group h-1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> waits h-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group h-1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is h-1: 0/1 nodes are available: 1 Insufficient cpu.
budget b spec.selector.matchLabels.app=web status.disruptionsAllowed=2
=> promise h-0 n1
=> evict low-2 for ns/h-0, preempt
=> promise h-1 n1
=> evict low-1 for ns/h-1, preempt
=> group h-0 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group h-1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group low Running, 1 running

# Pods that may make nobody leave get what others have more than they need
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
class middle value=50
queue q
node n1 cpu=3 pods=3
group low queue=q min=0
3x pod low-% of=low on=n1 cpu=1 priority=1
group middle queue=q min=1 class=middle
pod middle of=middle cpu=3 class=middle priority=50
2x group light-% queue=q min=1 class=high
2x pod light-% of=light-% class=high priority=100
=> promise middle n1
=> evict low-0 for ns/middle, preempt
=> evict low-1 for ns/middle, preempt
=> evict low-2 for ns/middle, preempt
=> promise light-0 n1
=> promise light-1 n1
=> group low Completed, Scheduled tasks in gang are ready to be scheduled: 
=> group middle Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group light-0 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group light-1 Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
