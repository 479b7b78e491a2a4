# A command for a job that is not there, or that was there before, goes and does nothing
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
make
| {apiVersion: bus.volcano.sh/v1alpha1, kind: Command, metadata: {name: nobody}, action: AbortJob, target: {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: gone, uid: u}}
| ---
| {apiVersion: bus.volcano.sh/v1alpha1, kind: Command, metadata: {name: former}, action: AbortJob, target: {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: train, uid: another}}
=> DELETE commands/nobody
=> DELETE commands/former

# A command for a queue is left to whoever has queues
controllers job
make
| {apiVersion: bus.volcano.sh/v1alpha1, kind: Command, metadata: {name: close}, action: CloseQueue, target: {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, name: default, uid: u}}
=> nothing

# Commands that came while nobody listened are obeyed in their order
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
kill
command AbortJob job train
+2s
command ResumeJob job train
start
=> DELETE commands/c1
=> DELETE commands/c2
=> says CommandIssued: AbortJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Aborting","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"CommandIssued","message":"AbortJob: by command c1"},"minAvailable":1,"version":1,"runningDuration":"4s"}
=> says CommandIssued: ResumeJob by command c2
=> DELETE podgroups/train-UID
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"CommandIssued","message":"ResumeJob: by command c2"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"4s"}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"4s"}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}

# A job that is aborted hears of nothing but that it is to go on
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
command AbortJob job train
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> DELETE commands/c1
=> says CommandIssued: AbortJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Aborting","lastTransitionTime":"2026-01-01T00:00:04Z","reason":"CommandIssued","message":"AbortJob: by command c1"},"minAvailable":1,"version":1,"runningDuration":"2s"}
=> DELETE podgroups/train-UID
=> PATCH jobs/train/status /status {"state":{"phase":"Aborted","lastTransitionTime":"2026-01-01T00:00:04Z","reason":"CommandIssued","message":"AbortJob: by command c1"},"minAvailable":1,"version":1,"runningDuration":"2s"}
command TerminateJob job train
=> DELETE commands/c2
=> says CommandIssued: TerminateJob by command c2
command RestartJob job train
=> DELETE commands/c3
=> says CommandIssued: RestartJob by command c3
change job train {"spec":{"minAvailable":1}}
=> nothing
command ResumeJob job train
=> DELETE commands/c4
=> says CommandIssued: ResumeJob by command c4
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:12Z","reason":"CommandIssued","message":"ResumeJob: by command c4"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"10s"}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:12Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"10s"}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}

# A job that is being aborted may still be resumed
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
change pod train-w-0 {"metadata":{"finalizers":["example.com/hold"]}}
command AbortJob job train
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
=> DELETE commands/c1
=> says CommandIssued: AbortJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Aborting","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"CommandIssued","message":"AbortJob: by command c1"},"minAvailable":1,"terminating":1,"version":1,"runningDuration":"4s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE pods/train-w-0
command ResumeJob job train
=> DELETE commands/c2
=> says CommandIssued: ResumeJob by command c2
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"CommandIssued","message":"ResumeJob: by command c2"},"minAvailable":1,"terminating":1,"version":1,"retryCount":1,"runningDuration":"6s"}
change pod train-w-0 {"metadata":{"finalizers":null}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"6s"}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}

# A restart by command is a start like any other: after the last the job has failed
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {maxRetry: 2, tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}}}
command RestartJob job train
=> DELETE commands/c1
=> says CommandIssued: RestartJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"CommandIssued","message":"RestartJob: by command c1"},"minAvailable":1,"terminating":1,"version":1,"retryCount":1,"runningDuration":"6s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"6s"}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
groups Inqueue
+2s
pod train-w-0 Running
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"version":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}},"runningDuration":"6s"}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:12Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"version":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Running":1}}},"runningDuration":"6s"}
command RestartJob job train
=> DELETE commands/c2
=> says CommandIssued: RestartJob by command c2
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:14Z","reason":"CommandIssued","message":"RestartJob: by command c2"},"minAvailable":1,"terminating":1,"version":2,"retryCount":2,"runningDuration":"12s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Failed","lastTransitionTime":"2026-01-01T00:00:14Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":2,"retryCount":2,"runningDuration":"12s"}
command ResumeJob job train
=> DELETE commands/c3
=> says CommandIssued: ResumeJob by command c3

# A job that is to end while some of its pods have ended keeps those
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minAvailable: 1, tasks: [{name: w, replicas: 3, minAvailable: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
+2s
pod train-w-0 Succeeded
pod train-w-1 Failed 1
pod train-w-2 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> POST pods/train-w-1
=> POST pods/train-w-2
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":3,"taskStatusCount":{"w":{"phase":{"Pending":3}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 1 running, 1 succeeded, 1 failed"},"minAvailable":1,"running":1,"succeeded":1,"failed":1,"taskStatusCount":{"w":{"phase":{"Failed":1,"Running":1,"Succeeded":1}}}}
command TerminateJob job train
=> DELETE commands/c1
=> says CommandIssued: TerminateJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Terminating","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"CommandIssued","message":"TerminateJob: by command c1"},"minAvailable":1,"succeeded":1,"failed":1,"terminating":1,"version":1,"taskStatusCount":{"w":{"phase":{"Failed":1,"Succeeded":1}}},"runningDuration":"6s"}
=> PATCH pods/train-w-2 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE pods/train-w-2
=> PATCH jobs/train/status /status {"state":{"phase":"Terminated","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"CommandIssued","message":"TerminateJob: by command c1"},"minAvailable":1,"succeeded":1,"failed":1,"version":1,"taskStatusCount":{"w":{"phase":{"Failed":1,"Succeeded":1}}},"runningDuration":"6s"}
delete pod train-w-1
=> nothing
