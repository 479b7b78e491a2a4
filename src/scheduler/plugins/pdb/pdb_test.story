# Of pods that a budget guards as many are preempted as it allows
actions allocate preempt
plugins priority gang conformance predicates pdb
class high value=100
queue q
node n1 cpu=3
group low queue=q min=0
pod low-0 of=low on=n1 cpu=1 app=web priority=1 status.conditions=[{"type":"Ready","status":"True"}]
pod low-1 of=low on=n1 cpu=1 app=web priority=1 status.conditions=[{"type":"Ready","status":"True"}]
pod low-2 of=low on=n1 cpu=1 app=web priority=1 status.conditions=[{"type":"Ready","status":"True"}]
budget b spec.selector.matchLabels.app=web status.disruptionsAllowed=1
group high queue=q min=1 class=high
pod h-0 of=high cpu=1 class=high priority=100
=> promise h-0 n1
=> evict low-2 for ns/h-0, preempt
=> group low Running, 2 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
budget b spec.selector.matchLabels.app=web status.disruptionsAllowed=0
group more queue=q min=1 class=high
pod m-0 of=more cpu=1 class=high priority=100
=> waits m-0 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group more Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is m-0: 0/1 nodes are available: 1 Insufficient cpu.

# Budgets of other pods and other namespaces guard nobody here
actions allocate preempt
plugins priority gang pdb predicates
class high value=100
queue q
node n1 cpu=2
budget other/b spec={"minAvailable":2,"selector":{"matchLabels":{"app":"low"}}} status.disruptionsAllowed=0
budget c spec={"minAvailable":2,"selector":{"matchLabels":{"app":"others"}}} status.disruptionsAllowed=0
group low queue=q min=0
pod low-0 of=low on=n1 cpu=1 priority=1 metadata.labels.app=low
pod low-1 of=low on=n1 cpu=1 priority=1 metadata.labels.app=low
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100
=> promise high n1
=> evict low-1 for ns/high, preempt
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
