# A job whose queue does not exist says so after a second
queue other
node n1 cpu=4
group g queue=nowhere min=1
pod g of=g cpu=1
=> nothing
+2s
=> waits g QueueNotFound: queue nowhere does not exist
=> group g Pending, Unschedulable QueueNotFound: queue nowhere does not exist
queue nowhere
=> bind g n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running

# A pod whose group does not exist says so after two seconds
queue q
node n1 cpu=4
pod g of=g cpu=1
=> nothing
+3s
=> waits g PodGroupNotFound: waits for PodGroup ns/g, which does not exist
group g queue=q min=1
=> bind g n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running

# A pod says once why it waits, however many nodes come that do not help it
plugins gang predicates
queue q
node n1 cpu=1
group g queue=q min=1
pod g of=g cpu=2 memory=1Gi
+3s
=> waits g Unschedulable: 0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g: 0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.
+1m
=> nothing
node n2 cpu=1
=> nothing
node n3 memory=4Gi cpu=1
=> nothing
node n4 memory=4Gi cpu=2
=> bind g n4
=> group g Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Jobs that are alike wait together and go on one after the other
plugins gang predicates
queue q
node n1 cpu=1
group a queue=q min=1 created=-30s
group b queue=q min=1 created=-20s
group c queue=q min=1 created=-10s
pod a of=a cpu=1
pod b of=b cpu=1
pod c of=c cpu=1
=> bind a n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is b: 0/1 nodes are available: 1 Insufficient cpu.
=> group c Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable
=> waits c Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group c Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is c: 0/1 nodes are available: 1 Insufficient cpu.
=> group a Running, 1 running
delete pod a
=> bind b n1
=> group a Pending
=> group b Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group a Inqueue
node n2 cpu=2
=> bind c n2
=> group c Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Jobs that failed are looked at again for each thing that helps them
plugins gang predicates capacity
queue q capability.cpu=1
queue r
node n1 cpu=1 zone=a
group full queue=q min=1
pod full of=full cpu=1
=> bind full n1
=> group full Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group full Running, 1 running
group room queue=r min=1
pod room of=room cpu=1
group limit queue=q min=1
pod limit of=limit cpu=1
group zone queue=r min=1
pod zone of=zone cpu=1 spec.nodeSelector.zone=b
group friend queue=r min=1
pod friend of=friend cpu=1 spec.affinity={"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}]}}
+3s
=> waits room Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group room Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is room: 0/1 nodes are available: 1 Insufficient cpu.
=> waits limit WaitingForQueue: queue q has not enough cpu left
=> group limit Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is limit: queue q has not enough cpu left
=> waits zone Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group zone Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is zone: 0/1 nodes are available: 1 Insufficient cpu.
=> waits friend Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group friend Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is friend: 0/1 nodes are available: 1 Insufficient cpu.
node n2 cpu=1 zone=b
=> bind room n2
=> group room Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
node n3 cpu=3 zone=c
=> nothing
queue q capability.cpu=2
=> bind limit n3
=> group limit Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
group web queue=r min=1
pod web of=web app=web cpu=1
=> bind web n3
=> group web Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> bind friend n3
=> group web Running, 1 running
=> group friend Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
delete pod full
=> group full Pending

# A node that is promised to one pod is not promised to another that matters more
actions allocate preempt
plugins priority gang conformance predicates
class high value=100
class top value=200
queue q
node n1 cpu=1
group low queue=q min=0
pod low of=low on=n1 cpu=1 priority=1
group high queue=q min=1 class=high
pod high of=high cpu=1 priority=100 class=high
=> promise high n1
=> evict low for ns/high, preempt
=> group low Completed, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
group top queue=q min=1 class=top
pod top of=top cpu=1 priority=200 class=top
=> waits top Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group top Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is top: 0/1 nodes are available: 1 Insufficient cpu.
+3s
=> bind high n1
=> group high Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
delete pod top
=> group top Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0

# The status of a group follows its pods
plugins gang predicates
queues
queue q
node n1 cpu=4
group g queue=q min=2 phase=Pending
pod g-0 of=g cpu=1
pod g-1 of=g cpu=1
=> bind g-0 n1
=> bind g-1 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
+2s
=> queue q pending=0 inqueue=0 running=1 completed=0 unknown=0 cpu=2 pods=2
pod g-0 of=g cpu=1 spec.nodeName=n1 status.phase=Succeeded
=> group g Running, 1 running, 1 succeeded
pod g-1 of=g cpu=1 spec.nodeName=n1 status.phase=Failed
=> group g Completed, 1 succeeded, 1 failed, Unschedulable NotEnoughTasks: the group needs 2 pods and has 1
+2s
=> queue q pending=0 inqueue=0 running=0 completed=1 unknown=0

# A pod in a queue that is its own ancestor says so
plugins gang predicates capacity:enableHierarchy
queue root
queue a parent=b
queue b parent=a
node n1 cpu=4
group g queue=a min=1
pod g of=g cpu=1
+3s
=> waits g WaitingForQueue: queue a is its own ancestor: its parent b leads back to it
=> group g Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is g: queue a is its own ancestor: its parent b leads back to it
=> event a QueueCycle: the queue is its own ancestor (a -> b -> a): it is not used in the tree until one of them has another spec.parent
=> event b QueueCycle: the queue is its own ancestor (b -> a -> b): it is not used in the tree until one of them has another spec.parent

# A pod that its queue refuses hears of the queue, or of the nodes where these are short
plugins gang predicates proportion
queue q capability.cpu=4
node n1 cpu=2
group g queue=q min=1
pod g-0 of=g cpu=2
pod g-1 of=g cpu=2
pod g-2 of=g cpu=3
+3s
=> bind g-0 n1
=> waits g-2 WaitingForQueue: queue q has no more than it deserves of cpu
=> waits g-1 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running

# A gated pod is never called unschedulable
plugins gang predicates capacity
queue q capability.cpu=1
node n1 cpu=1
group g queue=q min=1
pod g-0 of=g cpu=1 gated
pod g-1 of=g cpu=1 gated
+5s
=> ungate g-0
=> bind g-0 n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 1 running
delete pod g-0
=> ungate g-1
=> bind g-1 n1
=> group g Pending
=> group g Running, 1 running

# Of many nodes the best is found, however often it is asked for
plugins gang predicates nodeorder
queue default
20x node n% cpu=4 memory=4Gi zone=z%
15x pod a% cpu=1 memory=1Gi
=> bind a0 n0
=> bind a1 n1
=> bind a2 n10
=> bind a3 n11
=> bind a4 n12
=> bind a5 n13
=> bind a6 n14
=> bind a7 n15
=> bind a8 n16
=> bind a9 n17
=> bind a10 n18
=> bind a11 n19
=> bind a12 n2
=> bind a13 n3
=> bind a14 n4
10x pod b% cpu=3 memory=512Mi
=> bind b0 n5
=> bind b1 n6
=> bind b2 n7
=> bind b3 n8
=> bind b4 n9
=> bind b5 n0
=> bind b6 n1
=> bind b7 n10
=> bind b8 n11
=> bind b9 n12
node n7 cpu=16 memory=16Gi
12x pod c% cpu=2
=> bind c0 n7
=> bind c1 n7
=> bind c2 n7
=> bind c3 n7
=> bind c4 n13
=> bind c5 n14
=> bind c6 n15
=> bind c7 n16
=> bind c8 n17
=> bind c9 n18
=> bind c10 n19
=> bind c11 n2
30x pod d% cpu=3 memory=1Gi
+3s
=> bind d0 n7
=> bind d1 n3
=> bind d2 n4
=> waits d3 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d29 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d28 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d27 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d4 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d5 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d6 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d7 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d8 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d9 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d10 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d11 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d12 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d13 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d14 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d15 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d16 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d17 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d18 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d19 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d20 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d21 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d22 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d23 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d24 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d25 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.
=> waits d26 Unschedulable: 0/20 nodes are available: 20 Insufficient cpu.

# Pods that keep apart are placed one by one on many nodes
plugins gang predicates nodeorder
queue default
12x node n% cpu=4 zone=z%
14x pod a% app=web cpu=1 spec.affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}]}}
+3s
=> bind a0 n0
=> bind a1 n1
=> bind a2 n10
=> bind a3 n11
=> bind a4 n2
=> bind a5 n3
=> bind a6 n4
=> bind a7 n5
=> bind a8 n6
=> bind a9 n7
=> bind a10 n8
=> bind a11 n9
=> waits a12 Unschedulable: 0/12 nodes are available: 12 node(s) didn't match pod anti-affinity rules.
=> waits a13 Unschedulable: 0/12 nodes are available: 12 node(s) didn't match pod anti-affinity rules.
12x pod s% metadata.labels.s=x cpu=1 spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"s":"x"}}}]
=> bind s0 n0
=> bind s1 n1
=> bind s2 n10
=> bind s3 n11
=> bind s4 n2
=> bind s5 n3
=> bind s6 n4
=> bind s7 n5
=> bind s8 n6
=> bind s9 n7
=> bind s10 n8
=> bind s11 n9
node n12 cpu=4 zone=z12
=> bind a12 n12
delete pod a3
=> bind a13 n11

# A pod for which room must be made takes the node that suits it best
actions allocate preempt
plugins priority gang conformance predicates nodeorder
class high value=100
queue default
12x node n% cpu=4 zone=z%
group low queue=default min=0
12x pod low% of=low on=n% cpu=4 priority=1 app=web
group high queue=default min=1 class=high
pod high of=high cpu=2 class=high priority=100 spec.affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{"matchLabels":{"app":"web"}},"topologyKey":"zone"}]}}
=> promise high n0
=> evict low0 for ns/high, preempt
=> group low Running, 11 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
+3s
=> bind high n0
=> group high Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# The status of a group counts what has ended, and says when all of it has
plugins gang predicates
queue q
node n1 cpu=4
group g queue=q min=2
pod a of=g on=n1 cpu=1 status.phase=Running
pod b of=g on=n1 cpu=1 status.phase=Running
pod c of=g on=n1 cpu=1 status.phase=Succeeded
=> group g Running, 2 running, 1 succeeded, Scheduled tasks in gang are ready to be scheduled: 
pod a of=g on=n1 cpu=1 status.phase=Succeeded
=> group g Running, 1 running, 2 succeeded
pod b of=g on=n1 cpu=1 status.phase=Failed
=> group g Completed, 2 succeeded, 1 failed

# A group some of whose pods run and whose others find no place is Unknown
plugins gang predicates
queue q
node n1 cpu=2
group g queue=q min=2
pod a of=g cpu=1
pod b of=g cpu=1
=> bind a n1
=> bind b n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
delete pod b
pod big of=g cpu=9
+3s
=> waits big Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group g Unknown, 1 running, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 Running, 2 minAvailable; Pending: 1 Unschedulable. Origin reason is big: 0/1 nodes are available: 1 Insufficient cpu.
node n2 cpu=9
=> bind big n2
=> group g Pending, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running

# Who waits hears of the reason that most nodes have, and of each of them by number
plugins gang predicates
queue q
5x node small-% cpu=1
2x node tainted-% cpu=8 taint=k=v:NoSchedule
node cordoned cpu=8 spec.unschedulable=true
node elsewhere cpu=2 zone=z
group g queue=q min=1
pod p of=g cpu=4 spec.nodeSelector={"zone":"y"}
pod q of=g cpu=4
=> waits p Unschedulable: 0/9 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector, 6 Insufficient cpu.
=> waits q Unschedulable: 0/9 nodes are available: 1 node(s) were unschedulable, 2 node(s) had untolerated taint {k: v}, 6 Insufficient cpu.
=> group g Inqueue, Unschedulable NotEnoughResources: 1/2 tasks in gang unschedulable: pod group is not ready, 1 minAvailable, 2 Pending; Pending: 2 Unschedulable. Origin reason is p: 0/9 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector, 6 Insufficient cpu.

# Jobs that wait are woken by what helps them alone
plugins gang predicates
queue q
node n1 cpu=4 memory=1Gi
group cpu queue=q min=1
group memory queue=q min=1
group label queue=q min=1
pod fill cpu=4 on=n1
pod cpu of=cpu cpu=1
pod memory of=memory memory=2Gi
pod label of=label cpu=1 spec.nodeSelector={"disk":"ssd"}
+3s
=> waits cpu Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group cpu Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is cpu: 0/1 nodes are available: 1 Insufficient cpu.
=> waits memory Unschedulable: 0/1 nodes are available: 1 Insufficient memory.
=> group memory Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is memory: 0/1 nodes are available: 1 Insufficient memory.
=> waits label Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group label Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is label: 0/1 nodes are available: 1 Insufficient cpu.
delete pod fill
=> bind cpu n1
=> group cpu Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
node n2 memory=4Gi cpu=1
=> bind memory n2
=> waits label Unschedulable: 0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.
=> group label Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is label: 0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.
=> group memory Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
node n2 memory=4Gi cpu=1 metadata.labels.disk=ssd
=> bind label n2
=> group label Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# A promise ends when its pod goes, and the room is for the next
plugins priority gang predicates
class high value=100
queue q
node n1 cpu=2
group old queue=q min=1
pod old of=old on=n1 cpu=2 metadata.deletionTimestamp=2026-01-01T00:05:00Z
group a queue=q min=1 class=high
group b queue=q min=1
pod a of=a cpu=2 class=high priority=100
pod b of=b cpu=2
=> promise a n1
=> group old Inqueue, Unschedulable NotEnoughTasks: the group needs 1 pods and has 0
=> group a Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is b: 0/1 nodes are available: 1 Insufficient cpu.
delete pod a
delete group a
=> promise b n1
=> group b Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
delete pod old
=> bind b n1
=> group b Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 

# Pods that must be together go where the first of them went
plugins gang predicates nodeorder
queue q
queue default
node n1 cpu=4 zone=a
node n2 cpu=4 zone=b
group g queue=q min=2
pod a of=g cpu=1 metadata.labels.app=pair spec.affinity={"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"pair"}}}]}}
pod b of=g cpu=1 metadata.labels.app=pair spec.affinity={"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"pair"}}}]}}
=> bind a n1
=> bind b n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
pod lonely cpu=1 spec.affinity={"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"nobody"}}}]}}
+3s
=> waits lonely Unschedulable: 0/2 nodes are available: 2 node(s) didn't match pod affinity rules.

# Rules about pods of other namespaces count those namespaces alone
plugins gang predicates
namespace ns metadata.labels.team=blue
namespace other metadata.labels.team=red
queue default
node n1 cpu=4 zone=a
node n2 cpu=4 zone=b
pod other/web on=n1 cpu=1 metadata.labels.app=web
pod here cpu=1 spec.affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"web"}}}]}}
pod named cpu=1 spec.affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","namespaces":["other"],"labelSelector":{"matchLabels":{"app":"web"}}}]}}
pod chosen cpu=1 spec.affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","namespaceSelector":{"matchLabels":{"team":"red"}},"labelSelector":{"matchLabels":{"app":"web"}}}]}}
=> bind here n1
=> bind named n2
=> bind chosen n2

# Of many members behind gates the first ones are named and the others are counted
plugins gang predicates
queue q
node n1 cpu=8
group g queue=q min=6
pod a of=g cpu=1
5x pod held-% of=g cpu=1 spec.schedulingGates=[{"name":"foreign"},{"name":"other"}]
=> waits a WaitingForGates: the group needs 6 pods and cannot start without those behind gates: held-0 is held back by scheduling gates foreign, other, held-1 is held back by scheduling gates foreign, other, held-2 is held back by scheduling gates foreign, other and 2 more
=> group g Inqueue, Unschedulable WaitingForGates: the group needs 6 pods and cannot start without those behind gates: held-0 is held back by scheduling gates foreign, other, held-1 is held back by scheduling gates foreign, other, held-2 is held back by scheduling gates foreign, other and 2 more

# Members behind gates that a gang can do without keep it from nothing
plugins gang predicates
queue q
node n1 cpu=8
group g queue=q min=2 spec.minTaskMember={"m":1}
pod a of=g cpu=1 metadata.annotations."volcano.sh/task-spec"=m
pod b of=g cpu=1 metadata.annotations."volcano.sh/task-spec"=w
pod held of=g cpu=1 metadata.annotations."volcano.sh/task-spec"=w spec.schedulingGates=[{"name":"foreign"}]
=> bind a n1
=> bind b n1
=> group g Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group g Running, 2 running
group h queue=q min=2 spec.minTaskMember={"m":1}
pod c of=h cpu=1 metadata.annotations."volcano.sh/task-spec"=w
pod d of=h cpu=1 metadata.annotations."volcano.sh/task-spec"=w
pod needed of=h cpu=1 metadata.annotations."volcano.sh/task-spec"=m spec.schedulingGates=[{"name":"foreign"}]
=> waits d WaitingForGates: the group needs 2 pods and cannot start without those behind gates: needed is held back by scheduling gate foreign
=> waits c WaitingForGates: the group needs 2 pods and cannot start without those behind gates: needed is held back by scheduling gate foreign
=> group h Inqueue, Unschedulable WaitingForGates: the group needs 2 pods and cannot start without those behind gates: needed is held back by scheduling gate foreign

# What no node has is named, and is waited for
plugins gang predicates
queue default
node n1 cpu=4
pod a cpu=1 gpu=1
pod b cpu=9 spec.containers=[{"name":"c","resources":{"requests":{"cpu":"1","example.com/fpga":"1","example.com/tpu":"1"}}}]
=> waits a Unschedulable: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.
=> waits b Unschedulable: 0/1 nodes are available: 1 Insufficient example.com/fpga, 1 Insufficient example.com/tpu.
node n2 cpu=4 gpu=1
=> bind a n2

# A tainted node is not emptied for a pod, and one with a rival is emptied of the rival too
actions enqueue allocate preempt
plugins priority gang conformance predicates
class high value=100
queue q
node tainted cpu=1 taint=k=v:NoSchedule
node apart cpu=1 zone=a
group low queue=q min=0
pod t of=low on=tainted cpu=1 priority=1
pod a of=low on=apart cpu=1 priority=1
pod rival of=low on=apart priority=1000 metadata.labels.app=rival
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100 spec.affinity={"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"rival"}}}]}}
=> promise high apart
=> evict rival for ns/high, preempt
=> evict a for ns/high, preempt
=> group low Running, 1 running, Scheduled tasks in gang are ready to be scheduled: 
=> group high Inqueue, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pipelined, 1 minAvailable
node open cpu=1
pod o of=low on=open cpu=1 priority=1
=> group low Running, 2 running

# Nodes that are asked for by name go before better ones
actions enqueue reserve allocate backfill
plugins gang predicates nodeorder reservation
queue default
node n1 cpu=16
node n2 cpu=4
reservation r spec={"tasks":[{"name":"t","replicas":1,"reservationNodeNames":["n2"],"template":{"spec":{"schedulerName":"volcano","containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}}]}
pod plain cpu=1
=> bind plain n1
=> reservation r Available, 0 pending, 1 available, 0 used; t 0 on n2 Available; Reserved: 1 of 1 tasks have their room
