# A revocable node takes pods that allow it, within its hours
plugins gang predicates tdm
argument tdm tdm.revocable-zone.z=00:00-06:00
queue default
node n1 cpu=4 metadata.labels."volcano.sh/revocable-zone"=z
node n2 cpu=1
pod plain cpu=2
pod any cpu=2 metadata.annotations."volcano.sh/revocable-zone"=*
pod prefers cpu=1 metadata.annotations."volcano.sh/revocable-zone"=* preemptable=true
pod named cpu=1 metadata.annotations."volcano.sh/revocable-zone"=z
+3s
=> bind any n1
=> bind named n2
=> bind prefers n1
=> waits plain Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 not allow to dispatch to revocable node.

# Outside its hours it takes nobody
plugins gang predicates tdm
argument tdm tdm.revocable-zone.z=10:00-21:00
argument tdm tdm.revocable-zone.night=22:00-22:00
queue default
node n1 cpu=4 metadata.labels."volcano.sh/revocable-zone"=z
node n2 cpu=4 metadata.labels."volcano.sh/revocable-zone"=night
node n3 cpu=4 metadata.labels."volcano.sh/revocable-zone"=unknown
pod any cpu=2 metadata.annotations."volcano.sh/revocable-zone"=*
+3s
=> waits any Unschedulable: 0/3 nodes are available: 1 current time beyond revocable zone night, 1 current time beyond revocable zone unknown, 1 current time beyond revocable zone z.

# Hours that end before they begin end on the next day
plugins gang predicates tdm
argument tdm tdm.revocable-zone.late=00:01-00:00
argument tdm tdm.revocable-zone.always=00:00-00:00
queue default
node n1 cpu=1 metadata.labels."volcano.sh/revocable-zone"=late
node n2 cpu=1 metadata.labels."volcano.sh/revocable-zone"=always
pod a cpu=1 metadata.annotations."volcano.sh/revocable-zone"=*
pod b cpu=1 metadata.annotations."volcano.sh/revocable-zone"=*
+3s
=> bind a n2
=> waits b Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 current time beyond revocable zone late.
+1m
=> bind b n1

# A pod that may use revocable nodes is placed there before others
plugins gang predicates tdm nodeorder
argument tdm tdm.revocable-zone.z=00:00-06:00
queue default
node a cpu=8
node z cpu=4 metadata.labels."volcano.sh/revocable-zone"=z
pod p cpu=1 metadata.annotations."volcano.sh/revocable-zone"=*
pod q cpu=1
=> bind p z
=> bind q a

# For a pod that is not preemptable those that are leave ordinary nodes
actions allocate preempt
plugins priority tdm predicates
argument tdm tdm.revocable-zone.z=00:00-06:00
class high value=100
queue q
node n1 cpu=2
node z cpu=2 metadata.labels."volcano.sh/revocable-zone"=z
group low queue=q min=0
pod low-0 of=low on=n1 cpu=1 priority=1 preemptable=true
pod low-1 of=low on=n1 cpu=1 priority=1 preemptable=false
pod low-2 of=low on=z cpu=2 priority=1 preemptable=true
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100 preemptable=false
=> promise high n1
=> evict low-0 for ns/high, preempt
=> group low Running, 2 running
=> group high Inqueue

# Jobs that are not preemptable go before those that are
plugins tdm predicates
argument tdm tdm.revocable-zone.z=00:00-06:00
queue q
node n1 cpu=1
group soft queue=q min=1 created=-20s metadata.annotations."volcano.sh/preemptable"="true"
group hard queue=q min=1 created=-10s
pod soft of=soft cpu=1 preemptable=true
pod hard of=hard cpu=1
=> bind hard n1
=> waits soft Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group soft Inqueue
=> group hard Inqueue
=> group hard Running, 1 running

# A job's budget says how many of it leave at once
actions allocate preempt
plugins priority tdm predicates
argument tdm tdm.revocable-zone.z=00:00-06:00
class high value=100
queue q
node n1 cpu=4
group low queue=q min=0 metadata.annotations."volcano.sh/jdb-min-available"=50%
pod low-0 of=low on=n1 cpu=1 priority=1 preemptable=true
pod low-1 of=low on=n1 cpu=1 priority=1 preemptable=true
pod low-2 of=low on=n1 cpu=1 priority=1 preemptable=true
pod low-3 of=low on=n1 cpu=1 priority=1 preemptable=true
group high queue=q min=1 class=high
pod high of=high cpu=3 class=high priority=100 preemptable=false
=> group low Running, 4 running
=> waits high Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group high Inqueue
group less queue=q min=1 class=high
pod less of=less cpu=2 class=high priority=100 preemptable=false
=> promise less n1
=> evict low-2 for ns/less, preempt
=> evict low-3 for ns/less, preempt
=> group less Inqueue
=> group low Running, 2 running

# A budget of so many that may be missing counts those that are missing already
actions allocate preempt
plugins priority tdm predicates
argument tdm tdm.revocable-zone.z=00:00-06:00
class high value=100
queue q
node n1 cpu=3
group low queue=q min=0 metadata.annotations."volcano.sh/jdb-max-unavailable"="2"
pod low-0 of=low on=n1 cpu=1 priority=1 preemptable=true
pod low-1 of=low on=n1 cpu=1 priority=1 preemptable=true
pod low-2 of=low on=n1 cpu=1 priority=1 preemptable=true
pod low-3 of=low cpu=9 priority=1 preemptable=true
group high queue=q min=1 class=high
pod high of=high cpu=2 class=high priority=100 preemptable=false
=> waits low-3 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group low Running, 3 running
=> waits high Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group high Inqueue
group one queue=q min=1 class=high
pod one of=one cpu=1 class=high priority=100 preemptable=false
=> promise one n1
=> evict low-2 for ns/one, preempt
=> group low Running, 2 running
=> group one Inqueue

# A job that has no more than its budget asks for gives up nobody
actions allocate preempt
plugins priority tdm predicates
argument tdm tdm.revocable-zone.z=00:00-06:00
class high value=100
queue q
node n1 cpu=2
group low queue=q min=0 metadata.annotations."volcano.sh/jdb-min-available"="2"
pod low-0 of=low on=n1 cpu=1 priority=1 preemptable=true
pod low-1 of=low on=n1 cpu=1 priority=1 preemptable=true
group high queue=q min=1 class=high
pod high of=high cpu=1 class=high priority=100 preemptable=false
=> group low Running, 2 running
=> waits high Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
=> group high Inqueue
