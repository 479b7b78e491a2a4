# A queue gets a weight, and may be reclaimed from
create /queues/mutate
| {metadata: {name: q}, spec: {}}
=> add /spec/reclaimable true
=> add /spec/weight 1
with /spec/weight=3 /spec/reclaimable=false
=> allowed
with /metadata/annotations={"volcano.sh/hierarchy":"a/b","volcano.sh/hierarchy-weights":"1/2"}
=> add /metadata/annotations/volcano.sh~1hierarchy "root/a/b"
=> add /metadata/annotations/volcano.sh~1hierarchy-weights "1/1/2"
=> add /spec/reclaimable true
=> add /spec/weight 1
with /metadata/annotations={"volcano.sh/hierarchy":"root/a","volcano.sh/hierarchy-weights":"1/2"}
=> add /spec/reclaimable true
=> add /spec/weight 1
with /metadata/annotations={"volcano.sh/hierarchy":"a"}
=> add /spec/reclaimable true
=> add /spec/weight 1

# The amounts of a queue are in order
queue root {}
create /queues/validate
| {metadata: {name: q}, spec: {weight: 1, guarantee: {resource: {cpu: "1"}}, deserved: {cpu: "2"}, capability: {cpu: "3"}}}
=> allowed
with /spec/guarantee/resource/cpu="3"
=> refused 422: spec.guarantee.resource[cpu]: 3: must not exceed spec.deserved[cpu], which is 2
with /spec/guarantee/resource/cpu="2"
=> allowed
with /spec/deserved/cpu="4"
=> refused 422: spec.deserved[cpu]: 4: must not exceed spec.capability[cpu], which is 3
with /spec/deserved/cpu="3"
=> allowed
with /spec/capability/cpu="-1"
=> refused 422: spec.capability[cpu]: -1: must not be negative; spec.deserved[cpu]: 2: must not exceed spec.capability[cpu], which is -1; spec.guarantee.resource[cpu]: 1: must not exceed spec.capability[cpu], which is -1
with /spec/deserved/memory="-1Gi"
=> refused 422: spec.deserved[memory]: -1Gi: must not be negative
with /spec/guarantee/resource/gpu=-1
=> refused 422: spec.guarantee.resource[gpu]: -1: must not be negative
with /spec/guarantee/resource/memory="5Gi" /spec/capability/memory="4Gi"
=> refused 422: spec.guarantee.resource[memory]: 5Gi: must not exceed spec.capability[memory], which is 4Gi
with /spec/weight=0
=> allowed
with /spec/weight=-1
=> refused 422: spec.weight: -1: must be positive
with /status={"state":"Closing"}
=> refused 422: status.state: Closing: must be Open or Closed
with /status={"state":"Unknown"}
=> refused 422: status.state: Unknown: must be Open or Closed
with /status={"state":"Closed"}
=> allowed

# The hierarchy of a queue has a weight for each part
queue root {}
create /queues/validate
| {metadata: {name: q, annotations: {volcano.sh/hierarchy: root/a, volcano.sh/hierarchy-weights: 1/2}}, spec: {weight: 1}}
=> allowed
with /metadata/annotations={"volcano.sh/hierarchy":"root/a","volcano.sh/hierarchy-weights":"1"}
=> refused 422: metadata.annotations[volcano.sh/hierarchy]: "root/a" must have as many parts as volcano.sh/hierarchy-weights, "1"
with /metadata/annotations={"volcano.sh/hierarchy":"root/a","volcano.sh/hierarchy-weights":"1/0"}
=> refused 422: metadata.annotations[volcano.sh/hierarchy-weights]: "1/0": "0" is no positive number
with /metadata/annotations={"volcano.sh/hierarchy":"root/a","volcano.sh/hierarchy-weights":"1/x"}
=> refused 422: metadata.annotations[volcano.sh/hierarchy-weights]: "1/x": "x" is no positive number
with /metadata/annotations={"volcano.sh/hierarchy":"root/a","volcano.sh/hierarchy-weights":"1/2.5"}
=> allowed
with /metadata/annotations={"volcano.sh/hierarchy":"root/a"}
=> refused 422: metadata.annotations[volcano.sh/hierarchy]: "root/a" must have as many parts as volcano.sh/hierarchy-weights, ""

# A queue has a place in the tree
queue root {}
queue a {}
queue b {"spec":{"parent":"a"}}
queue c {"spec":{"parent":"b"}}
queue d {"spec":{"parent":"c"}}
queue e {"spec":{"parent":"d"}}
queue busy {"status":{"allocated":{"pods":"2"}}}
create /queues/validate
| {metadata: {name: q}, spec: {weight: 1}}
=> allowed
with /spec/parent="root"
=> allowed
with /spec/parent="d"
=> allowed
with /spec/parent="e"
=> refused 422: spec.parent: "e": more than 5 levels below root (--max-queue-depth)
with /spec/parent="q"
=> refused 422: spec.parent: queue "q" cannot be its own parent
with /spec/parent="nowhere"
=> refused 422: spec.parent: there is no queue "nowhere"; create it first
with /spec/parent="busy"
=> refused 422: spec.parent: queue "busy" has 2 pods of its own and cannot become a parent; move them first
with /metadata/name="a" /spec/parent="c"
=> refused 422: spec.parent: "c" is below queue "a": the tree would become a circle
with /metadata/name="root" /spec/parent="a"
=> refused 422: spec.parent: the root queue has no parent; leave it out

# No queue has more than the queues above it
queue root {}
queue team {"spec":{"capability":{"cpu":"4"},"deserved":{"cpu":"3"}}}
queue other {"spec":{"parent":"team","deserved":{"cpu":"2"},"guarantee":{"resource":{"cpu":"1"}}}}
create /queues/validate
| {metadata: {name: q}, spec: {weight: 1, parent: team, capability: {cpu: "4"}, deserved: {cpu: "1"}}}
=> allowed
with /spec/capability/cpu="5"
=> refused 422: spec.capability[cpu]: 5: more than the 4 of queue "team" above it
with /spec/deserved/cpu="2"
=> refused 422: spec.deserved[cpu]: the children of queue "team" have 4 together, more than its deserved of 3
with /spec/guarantee={"resource":{"cpu":"1"}}
=> allowed
with /spec/guarantee={"resource":{"cpu":"3"}} /spec/deserved/cpu="3"
=> refused 422: spec.deserved[cpu]: the children of queue "team" have 5 together, more than its deserved of 3; spec.guarantee.resource[cpu]: the children of queue "team" have 4 together, more than its deserved of 3
with /spec/capability/memory="100Gi"
=> allowed

# A queue that shrinks leaves room for those below it
queue root {}
queue team {"spec":{"capability":{"cpu":"4"}}}
queue child {"spec":{"parent":"team","capability":{"cpu":"3"},"deserved":{"cpu":"2"}}}
queue grandchild {"spec":{"parent":"child","capability":{"memory":"8Gi"}}}
update /queues/validate
| {metadata: {name: team}, spec: {weight: 1, capability: {cpu: "4"}}}
=> allowed
with /spec/capability/cpu="3"
=> allowed
with /spec/capability/cpu="2"
=> refused 422: spec.capability[cpu]: 2: less than the 3 of queue "child" below it
with /spec/capability/memory="8Gi"
=> allowed
with /spec/capability/memory="7Gi"
=> refused 422: spec.capability[memory]: 7Gi: less than the 8Gi of queue "grandchild" below it
with /spec/deserved={"cpu":"1"}
=> refused 422: spec.deserved[cpu]: the children of queue "team" have 2 together, more than its deserved of 1
with /spec/deserved={"cpu":"2"}
=> allowed
with /spec/weight=0
=> refused 422: spec.weight: 0: must be positive
with /spec/weight=2
=> allowed
with /spec/parent="child"
=> refused 422: spec.parent: "child" is below queue "team": the tree would become a circle

# The root queue is the whole cluster
queue root {}
update /queues/validate
| {metadata: {name: root}, spec: {weight: 1}}
=> allowed
with /spec/capability={"cpu":"1"}
=> refused 422: spec: the amounts of the root queue cannot be changed: it is the whole cluster
with /spec/weight=2
=> allowed

# A queue goes when nothing is in it or below it
queue root {}
queue default {}
queue empty {}
queue parent {}
queue child {"spec":{"parent":"parent"}}
queue busy {}
group g {"metadata":{"namespace":"default"},"spec":{"queue":"busy"}}
queue pods {"status":{"allocated":{"pods":"3"}}}
queue jobs {"status":{"pending":1,"inqueue":1,"running":1,"unknown":1}}
delete /queues/validate root
=> refused 403: queue "root" is always there and cannot be deleted
delete /queues/validate default
=> refused 403: queue "default" is always there and cannot be deleted
delete /queues/validate empty
=> allowed
delete /queues/validate parent
=> refused 403: queue "parent" has 1 child queues, such as "child"; delete or move them first
delete /queues/validate child
=> allowed
delete /queues/validate busy
=> refused 403: queue "busy" has 1 jobs; wait for them, or delete them first
delete /queues/validate pods
=> refused 403: queue "pods" has 3 pods; wait for them, or delete them first
delete /queues/validate jobs
=> refused 403: queue "jobs" has 4 jobs; wait for them, or delete them first
delete /queues/validate nowhere
=> allowed
