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

# A queue that was closed by hand stays closed when its parent opens again
controllers queue
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: team}, spec: {weight: 1, parent: root}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 1, parent: team}}
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
=> PATCH queues/team {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/team/status {"status":{"state":"Open"}}
=> PATCH queues/a {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/a/status {"status":{"state":"Open"}}
command CloseQueue queue a
=> PATCH queues/a/status {"status":{"state":"Closed"}}
=> says CloseQueue: CloseQueue by command c1
=> DELETE commands/c1
command CloseQueue queue team
=> PATCH queues/team/status {"status":{"state":"Closed"}}
=> says CloseQueue: CloseQueue by command c2
=> DELETE commands/c2
command OpenQueue queue team
=> PATCH queues/team/status {"status":{"state":"Open"}}
=> says OpenQueue: OpenQueue by command c3
=> DELETE commands/c3
command OpenQueue queue a
=> PATCH queues/a/status {"status":{"state":"Open"}}
=> says OpenQueue: OpenQueue by command c4
=> DELETE commands/c4

# The root is never closed, and what is always there is made again
controllers queue
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
command CloseQueue queue root
=> DELETE commands/c1
=> says CloseQueue: the root queue cannot be closed
command CloseQueue queue default
=> PATCH queues/default/status {"status":{"state":"Closed"}}
=> says CloseQueue: CloseQueue by command c2
=> DELETE commands/c2
delete queue default
=> PATCH queues/default {"metadata":{"finalizers":[]}}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}

# A queue that is put below one that is closed closes, and opens below another
controllers queue
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: shut}, spec: {weight: 1, parent: root}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 1, parent: root}}
+2s
command CloseQueue queue shut
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
=> PATCH queues/shut {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/shut/status {"status":{"state":"Open"}}
=> PATCH queues/a {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/a/status {"status":{"state":"Open"}}
=> PATCH queues/shut/status {"status":{"state":"Closed"}}
=> says CloseQueue: CloseQueue by command c1
=> DELETE commands/c1
change queue a {"spec":{"parent":"shut"}}
=> PATCH queues/a {"metadata":{"annotations":{"volcano.sh/closed-by-parent":"true"}}}
=> PATCH queues/a/status {"status":{"state":"Closed"}}
change queue a {"spec":{"parent":"root"}}
=> PATCH queues/a {"metadata":{"annotations":{"volcano.sh/closed-by-parent":"false"}}}
=> PATCH queues/a/status {"status":{"state":"Open"}}

# A queue with queues below it stays until they are gone
controllers queue
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: team}, spec: {weight: 1, parent: root}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: 1, parent: team}}
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
=> PATCH queues/team {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/team/status {"status":{"state":"Open"}}
=> PATCH queues/a {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/a/status {"status":{"state":"Open"}}
delete queue team
=> PATCH queues/team/status {"status":{"state":"Closed"}}
=> PATCH queues/a {"metadata":{"annotations":{"volcano.sh/closed-by-parent":"true"}}}
=> PATCH queues/a/status {"status":{"state":"Closed"}}
command OpenQueue queue team
=> DELETE commands/c1
=> says OpenQueue: a queue that is being deleted cannot be opened
delete queue a
=> PATCH queues/a {"metadata":{"finalizers":[]}}
=> PATCH queues/team {"metadata":{"finalizers":[]}}

# A group that moves leaves a queue that waits to close, and a group without a queue is in the default one
controllers queue
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: team}, spec: {weight: 1, parent: root}}
| ---
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g}, spec: {queue: team, minMember: 1}}
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
=> PATCH queues/team {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/team/status {"status":{"state":"Open"}}
command CloseQueue queue team
=> PATCH queues/team/status {"status":{"state":"Closing"}}
=> says CloseQueue: CloseQueue by command c1
=> DELETE commands/c1
change group g {"spec":{"queue":""}}
=> PATCH queues/team/status {"status":{"state":"Closed"}}
command CloseQueue queue default
=> PATCH queues/default/status {"status":{"state":"Closing"}}
=> says CloseQueue: CloseQueue by command c2
=> DELETE commands/c2

# A command for a queue that is not there goes
controllers queue
=> POST queues/root {"weight":1,"reclaimable":false}
=> POST queues/default {"weight":1,"reclaimable":true,"parent":"root"}
=> PATCH queues/root {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/root/status {"status":{"state":"Open"}}
=> PATCH queues/default {"metadata":{"finalizers":["basalt.sh/queue-protection"]}}
=> PATCH queues/default/status {"status":{"state":"Open"}}
make
| {apiVersion: bus.volcano.sh/v1alpha1, kind: Command, metadata: {name: nobody}, action: CloseQueue, target: {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, name: gone, uid: u}}
| ---
| {apiVersion: bus.volcano.sh/v1alpha1, kind: Command, metadata: {name: former}, action: CloseQueue, target: {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, name: default, uid: another}}
| ---
| {apiVersion: bus.volcano.sh/v1alpha1, kind: Command, metadata: {name: job}, action: AbortJob, target: {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: j, uid: u}}
=> DELETE commands/nobody
=> DELETE commands/former
