# A job that has waited for too long goes before others and enters whatever there is
plugins sla / gang overcommit predicates
argument sla sla-waiting-time=1m
argument overcommit overcommit-factor=1
queue q
node n1 cpu=2
group a queue=q min=1 minimum.cpu=2 phase=Pending created=-50s
group b queue=q min=1 minimum.cpu=2 phase=Pending created=-40s
group c queue=q min=1 minimum.cpu=2 phase=Pending metadata.annotations."volcano.sh/sla-waiting-time"=5s
pod a of=a cpu=2
pod b of=b cpu=2
pod c of=c cpu=2
=> bind c n1
=> waits a Unschedulable: the nodes have not enough cpu left
=> group a Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: the nodes have not enough cpu left
=> waits b Unschedulable: the nodes have not enough cpu left
=> group b Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: the nodes have not enough cpu left
=> group c Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group c Running, 1 running
+6s
=> nothing
+15s
=> waits a Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is a: 0/1 nodes are available: 1 Insufficient cpu.
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is b: 0/1 nodes are available: 1 Insufficient cpu.

# A waiting time that is none is no limit
plugins sla / gang overcommit predicates
argument sla sla-waiting-time=soon
argument overcommit overcommit-factor=1
queue q
node n1 cpu=2
group a queue=q min=1 minimum.cpu=3 phase=Pending created=-50s
pod a of=a cpu=3
=> waits a Unschedulable: a pod asks for more cpu than any node has
=> group a Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: a pod asks for more cpu than any node has
+2m
=> nothing

# A job is late from the moment that its time is over
plugins sla / gang overcommit predicates
argument sla sla-waiting-time=1m
argument overcommit overcommit-factor=1
queue q
node n1 cpu=2
group a queue=q min=1 minimum.cpu=3 phase=Pending created=-50s
pod a of=a cpu=3
=> waits a Unschedulable: a pod asks for more cpu than any node has
=> group a Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: a pod asks for more cpu than any node has
+9s890ms
=> nothing
+20ms
=> waits a Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is a: 0/1 nodes are available: 1 Insufficient cpu.

# A job's own waiting time goes before the plugin's
plugins sla gang predicates proportion
argument sla sla-waiting-time=1h
queue q
node n1 cpu=1
group patient queue=q min=1 minimum.cpu=1 created=-30m
group hasty queue=q min=1 minimum.cpu=1 created=-10m metadata.annotations."sla-waiting-time"=5m
pod patient of=patient cpu=1
pod hasty of=hasty cpu=1
=> bind hasty n1
=> waits patient Unschedulable: the nodes have not enough cpu left
=> group patient Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: the nodes have not enough cpu left
=> group hasty Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group hasty Running, 1 running
