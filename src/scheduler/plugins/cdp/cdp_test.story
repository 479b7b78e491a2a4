# A pod that has just started is left alone for a while
actions allocate preempt
plugins priority gang conformance predicates cdp
class high value=100
queue q
node n1 cpu=1
group low queue=q min=0
pod low of=low cpu=1 priority=1 preemptable=true metadata.annotations."volcano.sh/cooldown-time"=30s
=> bind low n1
=> group low Completed, Scheduled tasks in gang are ready to be scheduled: 
=> group low Running, 1 running
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100
=> waits high Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is high: 0/1 nodes are available: 1 Insufficient cpu.
+31s
=> promise high n1
=> evict low for ns/high, preempt
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> group low Completed

# A time to cool down that is none protects nobody
actions allocate preempt
plugins priority gang cdp predicates
class high value=100
queue q
node n1 cpu=2
group low queue=q min=0
pod odd of=low on=n1 cpu=1 priority=1 metadata.annotations."volcano.sh/cooldown-time"=soon
pod plain of=low on=n1 cpu=1 priority=1
group high queue=q min=2 class=high
pod h1 of=high cpu=1 class=high priority=100
pod h2 of=high cpu=1 class=high priority=100
=> promise h1 n1
=> evict plain for ns/h1, preempt
=> promise h2 n1
=> evict odd for ns/h2, preempt
=> group low Completed, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 2/2 tasks in gang unschedulable: pod group is not ready, 2 Pipelined, 2 minAvailable
