# The queues that are always there are made, and what names no parent is below the root
controllers queue
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: team}, spec: {weight: 1}}
=> PATCH queues/team {"metadata":{"finalizers":["basalt.sh/queue-protection"]},"spec":{"parent":"root"}}
=> PATCH queues/team/status {"status":{"state":"Open"}}

# A queue that is closed waits for its jobs, and takes its children along
controllers queue
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: team}, spec: {weight: 1}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 1, parent: team}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {queue: a, minMember: 1}, status: {phase: Running}}
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
=> PATCH queues/team {"metadata":{"finalizers":["basalt.sh/queue-protection"]},"spec":{"parent":"root"}}
=> PATCH queues/team/status {"status":{"state":"Open"}}
=> PATCH queues/a {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/a/status {"status":{"state":"Open"}}
command CloseQueue queue team
=> PATCH queues/team/status {"status":{"state":"Closed"}}
=> says CloseQueue: CloseQueue by command c1
=> DELETE commands/c1
=> PATCH queues/a {"metadata":{"annotations":{"volcano.sh/closed-by-parent":"true"}}}
=> PATCH queues/a/status {"status":{"state":"Closing"}}
status group g {"phase":"Completed"}
=> nothing
delete group g
=> PATCH queues/a/status {"status":{"state":"Closed"}}
command OpenQueue queue a
=> DELETE commands/c2
=> says OpenQueue: its parent team is Closed: open that first
command OpenQueue queue team
=> PATCH queues/team/status {"status":{"state":"Open"}}
=> says OpenQueue: OpenQueue by command c3
=> DELETE commands/c3
=> PATCH queues/a {"metadata":{"annotations":{"volcano.sh/closed-by-parent":"false"}}}
=> PATCH queues/a/status {"status":{"state":"Open"}}
command Explode queue team
=> DELETE commands/c4
=> says Explode: Explode is no action of queues: use OpenQueue or CloseQueue

# A queue that is deleted is kept until nothing is in it
controllers queue
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: team}, spec: {weight: 1}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {queue: team, minMember: 1}, status: {phase: Running}}
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
=> PATCH queues/team {"metadata":{"finalizers":["basalt.sh/queue-protection"]},"spec":{"parent":"root"}}
=> PATCH queues/team/status {"status":{"state":"Open"}}
delete queue team
=> PATCH queues/team/status {"status":{"state":"Closing"}}
delete group g
=> PATCH queues/team {"metadata":{"finalizers":[]}}
=> PATCH queues/team/status {"status":{"state":"Closed"}}
