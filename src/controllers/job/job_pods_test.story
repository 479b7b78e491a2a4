# A job that is scaled to nothing keeps its phase, and goes on when it has pods again
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 1, tasks: [{name: w, replicas: 1, minAvailable: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}}}
change job train {"spec":{"minAvailable":0,"tasks":[{"name":"w","replicas":0,"minAvailable":0,"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}]}}
=> PATCH podgroups/train-UID {"spec":{"minMember":0,"minResources":{"count/pods":null,"pods":null},"minTaskMember":{"w":0}}}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"}}
+1h
=> nothing
change job train {"spec":{"minAvailable":1,"tasks":[{"name":"w","replicas":1,"minAvailable":1,"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}]}}
=> PATCH podgroups/train-UID {"spec":{"minMember":1,"minResources":{"count/pods":"1","pods":"1"},"minTaskMember":{"w":1}}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T01:00:12Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 1 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}

# A job that has lost too many of its pods pends again
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 2, tasks: [{name: w, replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
pod train-w-1 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"w":2},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":2,"taskStatusCount":{"w":{"phase":{"Running":2}}}}
delete pod train-w-1
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 1 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":1,"running":1,"taskStatusCount":{"w":{"phase":{"Pending":1,"Running":1}}}}
pod train-w-1 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":2,"taskStatusCount":{"w":{"phase":{"Running":2}}}}

# A pod that nobody hears of is counted as unknown
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}}}
pod train-w-0 Unknown
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"unknown":1,"taskStatusCount":{"w":{"phase":{"Unknown":1}}}}

# An eviction starts the job over where it says so
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {policies: [{event: PodEvicted, action: RestartJob}], tasks: [{name: w, replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
pod train-w-1 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"w":2},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":2,"taskStatusCount":{"w":{"phase":{"Running":2}}}}
delete pod train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"PodEvicted","message":"RestartJob: pod train-w-0 was deleted"},"minAvailable":2,"terminating":1,"version":1,"retryCount":1,"runningDuration":"6s"}
=> PATCH pods/train-w-1 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> says ExecuteAction: RestartJob on PodEvicted: pod train-w-0 was deleted
=> DELETE pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"version":1,"retryCount":1,"runningDuration":"6s"}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"w":2},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}

# A failure that may be got over is forgotten when a pod of that name runs again
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 1, policies: [{event: PodFailed, action: TerminateJob, timeout: 1m}], tasks: [{name: w, replicas: 2, minAvailable: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
pod train-w-1 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":2,"taskStatusCount":{"w":{"phase":{"Running":2}}}}
pod train-w-0 Failed 1
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"failed":1,"taskStatusCount":{"w":{"phase":{"Failed":1,"Running":1}}}}
delete pod train-w-0
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"running":1,"taskStatusCount":{"w":{"phase":{"Pending":1,"Running":1}}}}
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":2,"taskStatusCount":{"w":{"phase":{"Running":2}}}}
+1h
=> nothing

# A failure that is not got over has its effect when its time has come
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 1, policies: [{event: PodFailed, action: TerminateJob, timeout: 1m}], tasks: [{name: w, replicas: 2, minAvailable: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
pod train-w-1 Running
pod train-w-0 Failed 1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 1 running, 0 succeeded, 1 failed"},"minAvailable":1,"running":1,"failed":1,"taskStatusCount":{"w":{"phase":{"Failed":1,"Running":1}}}}
+50s
=> nothing
+10s
=> PATCH jobs/train/status /status {"state":{"phase":"Terminating","lastTransitionTime":"2026-01-01T00:01:06Z","reason":"PodFailed","message":"TerminateJob: pod train-w-0 failed with exit code 1"},"minAvailable":1,"failed":1,"terminating":1,"version":1,"taskStatusCount":{"w":{"phase":{"Failed":1}}},"runningDuration":"1m4s"}
=> PATCH pods/train-w-1 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> says ExecuteAction: TerminateJob on PodFailed: pod train-w-0 failed with exit code 1
=> DELETE pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Terminated","lastTransitionTime":"2026-01-01T00:01:06Z","reason":"PodFailed","message":"TerminateJob: pod train-w-0 failed with exit code 1"},"minAvailable":1,"failed":1,"version":1,"taskStatusCount":{"w":{"phase":{"Failed":1}}},"runningDuration":"1m4s"}

# An exit code of which nobody has said anything is only counted
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 1, policies: [{exitCode: 137, action: RestartJob}], tasks: [{name: w, replicas: 2, minAvailable: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
pod train-w-1 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":2,"taskStatusCount":{"w":{"phase":{"Running":2}}}}
pod train-w-0 Failed 1
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"failed":1,"taskStatusCount":{"w":{"phase":{"Failed":1,"Running":1}}}}
pod train-w-1 Failed 137
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"PodFailed","message":"RestartJob: pod train-w-1 failed with exit code 137"},"minAvailable":1,"terminating":2,"version":1,"retryCount":1,"runningDuration":"8s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> PATCH pods/train-w-1 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> says ExecuteAction: RestartJob on PodFailed: pod train-w-1 failed with exit code 137
=> DELETE pods/train-w-0
=> DELETE pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"8s"}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}

# What plugins made goes with a restart and is made again before the next pods
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {plugins: {svc: [--disable-network-policy=true]}, tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST configmaps/train-svc
=> POST services/train
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"controlledResources":{"plugin-svc":"svc"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}},"controlledResources":{"plugin-svc":"svc"}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}},"controlledResources":{"plugin-svc":"svc"}}
command RestartJob job train
=> DELETE commands/c1
=> says CommandIssued: RestartJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"CommandIssued","message":"RestartJob: by command c1"},"minAvailable":1,"terminating":1,"version":1,"retryCount":1,"runningDuration":"6s","controlledResources":{"plugin-svc":"svc"}}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE configmaps/train-svc
=> DELETE services/train
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"6s"}
=> POST configmaps/train-svc
=> POST services/train
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"6s","controlledResources":{"plugin-svc":"svc"}}
groups Inqueue
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"version":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}},"runningDuration":"6s","controlledResources":{"plugin-svc":"svc"}}

# The list of hosts follows the number of pods
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 1, plugins: {svc: [], ssh: []}, tasks: [{name: w, replicas: 1, minAvailable: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST configmaps/train-svc
=> POST services/train
=> POST networkpolicies/train
=> POST secrets/train-ssh
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"controlledResources":{"plugin-ssh":"ssh","plugin-svc":"svc"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}},"controlledResources":{"plugin-ssh":"ssh","plugin-svc":"svc"}}
change job train {"spec":{"tasks":[{"name":"w","replicas":2,"minAvailable":1,"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}]}}
=> PATCH configmaps/train-svc {"metadata":{"ownerReferences":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","name":"train","uid":"UID","controller":true,"blockOwnerDeletion":true}]},"data":{"w.host":"train-w-0.train\ntrain-w-1.train","VC_W_HOSTS":"train-w-0.train,train-w-1.train","VC_W_NUM":"2"}}
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}},"controlledResources":{"plugin-ssh":"ssh","plugin-svc":"svc"}}

# The head of a Ray cluster has a service of its own
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: r}, spec: {plugins: {ray: [], svc: []}, tasks: [{name: head, replicas: 1, template: {spec: {containers: [{name: head, image: i}]}}}, {name: worker, replicas: 1, template: {spec: {containers: [{name: worker, image: i}]}}}]}}
=> PATCH jobs/r/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> POST configmaps/r-svc
=> POST services/r
=> POST networkpolicies/r
=> POST services/r-head-svc
=> POST podgroups/r-UID {"minMember":2,"minTaskMember":{"head":1,"worker":1},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}
=> PATCH jobs/r/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"controlledResources":{"plugin-ray":"ray","plugin-svc":"svc"}}

# A claim that is there already under its name is the job's
controllers job
make
| {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {volumes: [{mountPath: /a, volumeClaimName: disk}, {mountPath: /b, volumeClaimName: scratch, volumeClaim: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}], tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST persistentvolumeclaims/scratch
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"controlledResources":{"volume-pvc-disk":"disk","volume-pvc-scratch":"scratch"}}
command AbortJob job train
=> DELETE commands/c1
=> says CommandIssued: AbortJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Aborting","lastTransitionTime":"2026-01-01T00:00:04Z","reason":"CommandIssued","message":"AbortJob: by command c1"},"minAvailable":1,"version":1,"runningDuration":"2s","controlledResources":{"volume-pvc-disk":"disk","volume-pvc-scratch":"scratch"}}
=> DELETE podgroups/train-UID
=> PATCH jobs/train/status /status {"state":{"phase":"Aborted","lastTransitionTime":"2026-01-01T00:00:04Z","reason":"CommandIssued","message":"AbortJob: by command c1"},"minAvailable":1,"version":1,"runningDuration":"2s","controlledResources":{"volume-pvc-disk":"disk","volume-pvc-scratch":"scratch"}}
