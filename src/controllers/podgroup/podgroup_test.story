# A workload that asks for a gang gets a group, and its pods belong to it
controllers podgroup
make
| {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, annotations: {scheduling.volcano.sh/group-min-member: "2", scheduling.volcano.sh/queue-name: q}}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {schedulerName: volcano, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}}
=> POST podgroups/podgroup-UID {"minMember":2,"queue":"q","minResources":{"cpu":"2","pods":"2"}}

# A plain pod that asks for nothing gets no group
controllers podgroup
make
| {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}
=> nothing

# A statefulset's gang follows its annotations
controllers podgroup
make
| {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, annotations: {scheduling.volcano.sh/group-min-member: "2"}}, spec: {replicas: 2, serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}}}
=> POST podgroups/podgroup-UID {"minMember":2,"queue":"default","minResources":{"pods":"2"}}
=> says GroupNeverComplete: a group of more than one pod never completes while podManagementPolicy is OrderedReady, which makes a pod only when the one before it is ready; use Parallel
change statefulset db {"metadata":{"annotations":{"scheduling.volcano.sh/group-min-member":"3"}}}
=> PATCH podgroups/podgroup-UID {"spec":{"minMember":3,"minResources":{"pods":"3"}}}
change statefulset db {"metadata":{"annotations":{"scheduling.volcano.sh/group-min-member":"many"}}}
=> says InvalidGroup: no PodGroup is made: the annotation scheduling.volcano.sh/group-min-member is "many" and must be a positive integer
change statefulset db {"metadata":{"annotations":{"scheduling.volcano.sh/group-min-member":null}}}
=> DELETE podgroups/podgroup-UID

# A workload of another scheduler is left alone
controllers podgroup
make
| {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, annotations: {scheduling.volcano.sh/group-min-member: "2"}}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {schedulerName: other, containers: [{name: c, image: i}]}}}}
=> nothing

# A pod of no workload that asks is a group of its own, and says that it belongs there
controllers podgroup
make
| {apiVersion: v1, kind: Pod, metadata: {name: p, annotations: {scheduling.volcano.sh/group-min-member: "1"}}, spec: {schedulerName: volcano, priorityClassName: system-node-critical, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}
=> PATCH pods/p {"metadata":{"annotations":{"scheduling.k8s.io/group-name":"podgroup-UID"}}}
=> POST podgroups/podgroup-UID {"minMember":1,"queue":"default","minResources":{"cpu":"1","pods":"1"},"priorityClassName":"system-node-critical"}
delete pod p
=> nothing

# Pods of an owner that nobody knows are a group of that owner
controllers podgroup
make
| {apiVersion: v1, kind: Pod, metadata: {name: p-0, annotations: {scheduling.volcano.sh/group-min-member: "2"}, ownerReferences: [{apiVersion: example.com/v1, kind: Train, name: t, uid: 00000000-0000-0000-0000-000000000001, controller: true}]}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}
| ---
| {apiVersion: v1, kind: Pod, metadata: {name: p-1, annotations: {scheduling.volcano.sh/group-min-member: "2"}, ownerReferences: [{apiVersion: example.com/v1, kind: Train, name: t, uid: 00000000-0000-0000-0000-000000000001, controller: true}]}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}
=> PATCH pods/p-0 {"metadata":{"annotations":{"scheduling.k8s.io/group-name":"podgroup-UID"}}}
=> PATCH pods/p-1 {"metadata":{"annotations":{"scheduling.k8s.io/group-name":"podgroup-UID"}}}
=> POST podgroups/podgroup-UID {"minMember":2,"queue":"default","minResources":{"pods":"2"}}

# A pod whose wish cannot be understood waits, and its owner is told
controllers podgroup
make
| {apiVersion: v1, kind: Pod, metadata: {name: p, annotations: {scheduling.volcano.sh/group-min-resources: "plenty"}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}
=> PATCH pods/p {"metadata":{"annotations":{"scheduling.k8s.io/group-name":"podgroup-UID"}}}
=> says InvalidGroup: no PodGroup is made: the annotation scheduling.volcano.sh/group-min-resources is "plenty": it is no JSON; it must be an object of amounts such as {"cpu":"4","memory":"8Gi"}
change pod p {"metadata":{"annotations":{"scheduling.volcano.sh/group-min-resources":"[]"}}}
=> says InvalidGroup: no PodGroup is made: the annotation scheduling.volcano.sh/group-min-resources is "[]": it is no object; it must be an object of amounts such as {"cpu":"4","memory":"8Gi"}
change pod p {"metadata":{"annotations":{"scheduling.volcano.sh/group-min-resources":"{\"cpu\":true}"}}}
=> says InvalidGroup: no PodGroup is made: the annotation scheduling.volcano.sh/group-min-resources is "{"cpu":true}": the amount of cpu is neither a string nor an integer; it must be an object of amounts such as {"cpu":"4","memory":"8Gi"}
change pod p {"metadata":{"annotations":{"scheduling.volcano.sh/group-min-resources":"{\"cpu\":\"-1\"}"}}}
=> says InvalidGroup: no PodGroup is made: the annotation scheduling.volcano.sh/group-min-resources is "{"cpu":"-1"}": "-1" is no amount of cpu; it must be an object of amounts such as {"cpu":"4","memory":"8Gi"}
change pod p {"metadata":{"annotations":{"scheduling.volcano.sh/group-min-resources":"{\"cpu\":4,\"memory\":\"8Gi\"}"}}}
=> POST podgroups/podgroup-UID {"minMember":1,"queue":"default","minResources":{"cpu":"4","memory":"8Gi"}}

# The template of a workload is heard before the workload
controllers podgroup
make
| {apiVersion: batch/v1, kind: Job, metadata: {name: batch, annotations: {scheduling.volcano.sh/group-min-member: "2", scheduling.volcano.sh/queue-name: outer, example.com/team: a}}, spec: {parallelism: 3, template: {metadata: {annotations: {scheduling.volcano.sh/group-min-member: "3", scheduling.volcano.sh/queue-name: inner}}, spec: {schedulerName: volcano, restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: 500m}}}]}}}}
=> POST podgroups/podgroup-UID {"minMember":3,"queue":"inner","minResources":{"cpu":"1500m","pods":"3"}}
change batchjob batch {"metadata":{"annotations":{"example.com/team":"b"}}}
=> PATCH podgroups/podgroup-UID {"metadata":{"annotations":{"example.com/team":"b"}}}
change batchjob batch {"spec":{"suspend":true}}
=> DELETE podgroups/podgroup-UID
change batchjob batch {"spec":{"suspend":false}}
=> POST podgroups/podgroup-UID {"minMember":3,"queue":"inner","minResources":{"cpu":"1500m","pods":"3"}}

# What a workload says of the network goes to its group, and a group that only moves on is left alone
controllers podgroup
make
| {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: d, annotations: {scheduling.volcano.sh/group-min-member: "1", volcano.sh/network-topology-mode: soft, volcano.sh/network-topology-highest-tier: "2"}}, spec: {selector: {matchLabels: {app: d}}, template: {metadata: {labels: {app: d, volcano.sh/preemptable: "true"}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}}}
=> POST podgroups/podgroup-UID {"minMember":1,"queue":"default","minResources":{"pods":"1"},"networkTopology":{"mode":"soft","highestTierAllowed":2}}
groups Running
=> nothing
change daemonset d {"metadata":{"annotations":{"volcano.sh/network-topology-highest-tier":"3"}}}
=> PATCH podgroups/podgroup-UID {"metadata":{"annotations":{"volcano.sh/network-topology-highest-tier":"3"}},"spec":{"networkTopology":{"mode":"soft","highestTierAllowed":3}}}

# A set that is scaled to nothing needs no group
controllers podgroup
make
| {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, annotations: {scheduling.volcano.sh/group-min-member: "2"}}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}}}
=> POST podgroups/podgroup-UID {"minMember":2,"queue":"default","minResources":{"pods":"2"}}
change replicaset web {"spec":{"replicas":0}}
=> DELETE podgroups/podgroup-UID
change replicaset web {"spec":{"replicas":2}}
=> POST podgroups/podgroup-UID {"minMember":2,"queue":"default","minResources":{"pods":"2"}}

# The queue of a namespace is that of its groups
controllers podgroup
change namespace default {"metadata":{"annotations":{"scheduling.volcano.sh/queue-name":"team"}}}
+2s
make
| {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, annotations: {scheduling.volcano.sh/group-min-member: "1"}}, spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {schedulerName: volcano, containers: [{name: c, image: i}]}}}}
=> POST podgroups/podgroup-UID {"minMember":1,"queue":"team","minResources":{"pods":"1"}}
