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
