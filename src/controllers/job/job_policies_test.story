# Each action on a pod that fails does what it says
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 2, policies: [{exitCode: 3, action: RestartPod}, {exitCode: 4, action: RestartTask}, {event: PodFailed, action: AbortJob}], template: {spec: {containers: [{name: c, image: i}]}}}]}}
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
pod train-w-0 Failed 3
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"PodFailed","message":"RestartPod: pod train-w-0 failed with exit code 3"},"minAvailable":2,"running":1,"terminating":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Running":1}}},"runningDuration":"6s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> says ExecuteAction: RestartPod on PodFailed: pod train-w-0 failed with exit code 3
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Running":1}}},"runningDuration":"6s"}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":1,"running":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Pending":1,"Running":1}}},"runningDuration":"6s"}
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":2,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Running":2}}},"runningDuration":"6s"}
pod train-w-1 Failed 4
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:12Z","reason":"PodFailed","message":"RestartTask: pod train-w-1 failed with exit code 4"},"minAvailable":2,"terminating":2,"retryCount":2,"runningDuration":"10s"}
=> DELETE pods/train-w-0
=> PATCH pods/train-w-1 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> says ExecuteAction: RestartTask on PodFailed: pod train-w-1 failed with exit code 4
=> DELETE pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:12Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"retryCount":2,"runningDuration":"10s"}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:12Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":2,"retryCount":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}},"runningDuration":"10s"}
pod train-w-0 Running
pod train-w-1 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:14Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":2,"retryCount":2,"taskStatusCount":{"w":{"phase":{"Running":2}}},"runningDuration":"10s"}
pod train-w-1 Failed 5
=> PATCH jobs/train/status /status {"state":{"phase":"Aborting","lastTransitionTime":"2026-01-01T00:00:16Z","reason":"PodFailed","message":"AbortJob: pod train-w-1 failed with exit code 5"},"minAvailable":2,"failed":1,"terminating":1,"version":1,"retryCount":2,"taskStatusCount":{"w":{"phase":{"Failed":1}}},"runningDuration":"14s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> says ExecuteAction: AbortJob on PodFailed: pod train-w-1 failed with exit code 5
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Aborted","lastTransitionTime":"2026-01-01T00:00:16Z","reason":"PodFailed","message":"AbortJob: pod train-w-1 failed with exit code 5"},"minAvailable":2,"failed":1,"version":1,"retryCount":2,"taskStatusCount":{"w":{"phase":{"Failed":1}}},"runningDuration":"14s"}

# A partition is started again alone
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 4, partitionPolicy: {totalPartitions: 2, partitionSize: 2}, policies: [{event: PodEvicted, action: RestartPartition}], template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
pod train-w-1 Running
pod train-w-2 Running
pod train-w-3 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 4 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":4}
=> POST podgroups/train-UID {"minMember":4,"minTaskMember":{"w":4},"queue":"default","minResources":{"count/pods":"4","pods":"4"},"subGroupPolicy":[{"name":"w","subGroupSize":2,"minSubGroups":0,"labelSelector":{"matchLabels":{"volcano.sh/task-spec":"w"}},"matchLabelKeys":["volcano.sh/partition-id"]}]}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> POST pods/train-w-2
=> POST pods/train-w-3
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 4 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":4,"pending":4,"taskStatusCount":{"w":{"phase":{"Pending":4}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 4 pods 0 are pending, 4 running, 0 succeeded, 0 failed"},"minAvailable":4,"running":4,"taskStatusCount":{"w":{"phase":{"Running":4}}}}
delete pod train-w-2
=> PATCH pods/train-w-3 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"PodEvicted","message":"RestartPartition: pod train-w-2 was deleted"},"minAvailable":4,"running":2,"terminating":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Running":2}}},"runningDuration":"6s"}
=> DELETE pods/train-w-3
=> says ExecuteAction: RestartPartition on PodEvicted: pod train-w-2 was deleted
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 4 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":4,"running":2,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Running":2}}},"runningDuration":"6s"}
=> POST pods/train-w-2
=> POST pods/train-w-3
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 4 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":4,"pending":2,"running":2,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Pending":2,"Running":2}}},"runningDuration":"6s"}

# A policy that waits is dropped when the pod gets over it
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {policies: [{event: PodPending, action: TerminateJob, timeout: 1m}], tasks: [{name: w, replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"w":2},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}}}
+30s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":1,"running":1,"taskStatusCount":{"w":{"phase":{"Pending":1,"Running":1}}}}
pod train-w-1 Running
+1h
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:38Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":2,"taskStatusCount":{"w":{"phase":{"Running":2}}}}

# A group that becomes Unknown is an event of the job
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {policies: [{event: Unknown, action: RestartJob}], tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}}}
groups Unknown
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"Unknown","message":"RestartJob: some pods run and the others cannot be placed"},"minAvailable":1,"terminating":1,"version":1,"retryCount":1,"runningDuration":"6s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> says ExecuteAction: RestartJob on Unknown: some pods run and the others cannot be placed
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"6s"}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}

# Containers that start again too often are the task's failure
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {policies: [{event: TaskFailed, action: TerminateJob}], tasks: [{name: w, replicas: 2, maxRetry: 3, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running 0 1
pod train-w-1 Running 0 1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"w":2},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":2,"taskStatusCount":{"w":{"phase":{"Pending":2}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":2,"taskStatusCount":{"w":{"phase":{"Running":2}}}}
pod train-w-1 Running 0 2
=> PATCH jobs/train/status /status {"state":{"phase":"Terminating","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"TaskFailed","message":"TerminateJob: containers of task w have restarted too often"},"minAvailable":2,"terminating":2,"version":1,"runningDuration":"6s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> PATCH pods/train-w-1 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> says ExecuteAction: TerminateJob on TaskFailed: containers of task w have restarted too often
=> DELETE pods/train-w-0
=> DELETE pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Terminated","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"TaskFailed","message":"TerminateJob: containers of task w have restarted too often"},"minAvailable":2,"version":1,"runningDuration":"6s"}

# A task whose pods have all succeeded may end the job
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: m, replicas: 1, policies: [{event: TaskCompleted, action: CompleteJob}], template: {spec: {containers: [{name: c, image: i}]}}}, {name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-m-0 Running
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"m":1,"w":1},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}
=> POST pods/train-m-0
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":2,"taskStatusCount":{"m":{"phase":{"Pending":1}},"w":{"phase":{"Pending":1}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":2,"running":2,"taskStatusCount":{"m":{"phase":{"Running":1}},"w":{"phase":{"Running":1}}}}
pod train-m-0 Succeeded
=> PATCH jobs/train/status /status {"state":{"phase":"Completing","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"TaskCompleted","message":"CompleteJob: all pods of task m have succeeded"},"minAvailable":2,"succeeded":1,"terminating":1,"version":1,"taskStatusCount":{"m":{"phase":{"Succeeded":1}}},"runningDuration":"6s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> says ExecuteAction: CompleteJob on TaskCompleted: all pods of task m have succeeded
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"TaskCompleted","message":"CompleteJob: all pods of task m have succeeded"},"minAvailable":2,"succeeded":1,"version":1,"taskStatusCount":{"m":{"phase":{"Succeeded":1}}},"runningDuration":"6s"}

# A job that has been started as often as it may has failed
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {maxRetry: 1, policies: [{event: "*", action: RestartJob}], tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}}}
pod train-w-0 Failed 1
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"PodFailed","message":"RestartJob: pod train-w-0 failed with exit code 1"},"minAvailable":1,"failed":1,"version":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Failed":1}}},"runningDuration":"6s"}
=> DELETE podgroups/train-UID
=> says ExecuteAction: RestartJob on PodFailed: pod train-w-0 failed with exit code 1
=> PATCH jobs/train/status /status {"state":{"phase":"Failed","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 1 failed"},"minAvailable":1,"failed":1,"version":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Failed":1}}},"runningDuration":"6s"}
