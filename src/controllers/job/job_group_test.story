# A group of the job's name that is there already is used
controllers job
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: train}, spec: {minMember: 1, queue: default}, status: {phase: Inqueue}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> PATCH podgroups/train {"spec":{"minMember":2,"minResources":{"count/pods":"2","pods":"2"},"minTaskMember":{"w":2}}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}}}

# A group that somebody deletes is made again, and the pods stay
controllers job
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: train}, spec: {minMember: 1, queue: default}, status: {phase: Inqueue}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> PATCH podgroups/train {"spec":{"minResources":{"count/pods":"1","pods":"1"},"minTaskMember":{"w":1}}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:04Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}}}
delete group train
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}

# What changes of a job changes in its group
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 1, tasks: [{name: w, replicas: 2, minAvailable: 1, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","cpu":"1","pods":"1","requests.cpu":"1"}}
change job train {"spec":{"minAvailable":2}}
=> PATCH podgroups/train-UID {"spec":{"minMember":2,"minResources":{"count/pods":"2","cpu":"2","pods":"2","requests.cpu":"2"}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
change job train {"spec":{"priorityClassName":"high"}}
=> PATCH podgroups/train-UID {"spec":{"priorityClassName":"high"}}
change job train {"spec":{"priorityClassName":null}}
=> PATCH podgroups/train-UID {"spec":{"priorityClassName":null}}
change job train {"metadata":{"labels":{"a":"b"}}}
=> nothing

# Of tasks that are not equally important the more important ones are what the group needs at least
controllers job
make
| {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 10}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 3, tasks: [{name: a, replicas: 2, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}, {name: b, replicas: 2, template: {spec: {priorityClassName: high, containers: [{name: c, image: i, resources: {requests: {cpu: "10"}, limits: {cpu: "20"}}}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 4 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":3}
=> POST podgroups/train-UID {"minMember":3,"minTaskMember":{"a":2,"b":2},"queue":"default","minResources":{"count/pods":"3","cpu":"21","limits.cpu":"40","pods":"3","requests.cpu":"21"}}

# A group hears what its job says of the network, of the whole and of its partitions
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {networkTopology: {mode: soft, highestTierName: rack}, tasks: [{name: w, replicas: 4, partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 1, networkTopology: {mode: hard, highestTierAllowed: 1}}, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 4 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"w":2},"queue":"default","minResources":{"count/pods":"2","pods":"2"},"networkTopology":{"mode":"soft","highestTierName":"rack"},"subGroupPolicy":[{"name":"w","subGroupSize":2,"minSubGroups":1,"labelSelector":{"matchLabels":{"volcano.sh/task-spec":"w"}},"matchLabelKeys":["volcano.sh/partition-id"],"networkTopology":{"mode":"hard","highestTierAllowed":1}}]}

# A job of a queue that is served by other clusters says so
controllers job
make
| {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: far}, spec: {weight: 1, extendClusters: [{name: east, weight: 1}]}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {queue: far, tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> PATCH jobs/train {"metadata":{"annotations":{"volcano.sh/job-forwarding":"true"}}}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"far","minResources":{"count/pods":"1","pods":"1"}}

# A group that waits is told on the job again when the reason is another
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
groups Pending "conditions":[{"type":"Unschedulable","status":"True","reason":"NotEnoughResources","message":"no room"}]
=> says PodGroupPending: PodGroup train-UID is not scheduled: NotEnoughResources: no room
groups Pending "pending":1
=> nothing
groups Pending "conditions":[{"type":"Unschedulable","status":"True","reason":"QueueClosed","message":"the queue is closed"}]
=> says PodGroupPending: PodGroup train-UID is not scheduled: QueueClosed: the queue is closed
groups Pending "conditions":[{"type":"Unschedulable","status":"False","reason":"QueueClosed","message":"the queue is closed"}]
=> nothing
