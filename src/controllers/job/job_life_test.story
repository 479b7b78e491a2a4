# A job's group is made first, its pods when the group has been let in, and both are counted
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {queue: default, tasks: [{name: m, replicas: 1, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}, {name: w, replicas: 2, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 500m}}}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":3}
=> POST podgroups/train-UID {"minMember":3,"minTaskMember":{"m":1,"w":2},"queue":"default","minResources":{"count/pods":"3","cpu":"2","pods":"3","requests.cpu":"2"}}
groups Inqueue
=> POST pods/train-m-0
=> POST pods/train-w-0
=> POST pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":3,"pending":3,"taskStatusCount":{"m":{"phase":{"Pending":1}},"w":{"phase":{"Pending":2}}}}
pod train-m-0 Running
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":3,"pending":1,"running":2,"taskStatusCount":{"m":{"phase":{"Running":1}},"w":{"phase":{"Pending":1,"Running":1}}}}
pod train-w-1 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 3 running, 0 succeeded, 0 failed"},"minAvailable":3,"running":3,"taskStatusCount":{"m":{"phase":{"Running":1}},"w":{"phase":{"Running":2}}}}
pod train-m-0 Succeeded
pod train-w-0 Succeeded
pod train-w-1 Succeeded
=> PATCH jobs/train/status /status {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 3 succeeded, 0 failed"},"minAvailable":3,"succeeded":3,"taskStatusCount":{"m":{"phase":{"Succeeded":1}},"w":{"phase":{"Succeeded":2}}},"runningDuration":"8s"}
=> DELETE podgroups/train-UID
+1h
=> nothing

# A job that runs undisturbed costs no write
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
groups Inqueue
+2s
groups Inqueue
+2s
pod train-w-0 Running
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}}}
+24h
=> nothing

# Some that succeed are enough where the job says so
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {minSuccess: 1, tasks: [{name: w, replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}}
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
pod train-w-0 Succeeded
=> PATCH jobs/train/status /status {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 1 running, 1 succeeded, 0 failed"},"minAvailable":2,"running":1,"succeeded":1,"taskStatusCount":{"w":{"phase":{"Running":1,"Succeeded":1}}},"runningDuration":"6s"}
=> PATCH pods/train-w-1 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 1 running, 1 succeeded, 0 failed"},"minAvailable":2,"succeeded":1,"taskStatusCount":{"w":{"phase":{"Succeeded":1}}},"runningDuration":"6s"}

# A job of which too few succeed has failed
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
pod train-w-0 Succeeded
pod train-w-1 Failed 1
=> PATCH jobs/train/status /status {"state":{"phase":"Failed","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 1 succeeded, 1 failed"},"minAvailable":2,"succeeded":1,"failed":1,"taskStatusCount":{"w":{"phase":{"Failed":1,"Succeeded":1}}},"runningDuration":"6s"}
=> DELETE podgroups/train-UID

# A command is obeyed once, and says so
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
command AbortJob job train
=> DELETE commands/c1
=> says CommandIssued: AbortJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Aborting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"CommandIssued","message":"AbortJob: by command c1"},"minAvailable":1,"terminating":1,"version":1,"runningDuration":"6s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Aborted","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"CommandIssued","message":"AbortJob: by command c1"},"minAvailable":1,"version":1,"runningDuration":"6s"}
command ResumeJob job train
=> DELETE commands/c2
=> says CommandIssued: ResumeJob by command c2
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"CommandIssued","message":"ResumeJob: by command c2"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"8s"}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"version":1,"retryCount":1,"runningDuration":"8s"}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
groups Inqueue
+2s
pod train-w-0 Running
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:10Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"version":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}},"runningDuration":"8s"}
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:14Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 1 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"version":1,"retryCount":1,"taskStatusCount":{"w":{"phase":{"Running":1}}},"runningDuration":"8s"}
command CompleteJob job train
=> DELETE commands/c3
=> says CommandIssued: CompleteJob by command c3
=> PATCH jobs/train/status /status {"state":{"phase":"Completing","lastTransitionTime":"2026-01-01T00:00:16Z","reason":"CommandIssued","message":"CompleteJob: by command c3"},"minAvailable":1,"terminating":1,"version":2,"retryCount":1,"runningDuration":"14s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:16Z","reason":"CommandIssued","message":"CompleteJob: by command c3"},"minAvailable":1,"version":2,"retryCount":1,"runningDuration":"14s"}
command ResumeJob job train
=> DELETE commands/c4
=> says CommandIssued: ResumeJob by command c4

# What a command asks for that nobody knows is said, and the command goes
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
command OpenQueue job train
=> DELETE commands/c1
=> says CommandIssued: OpenQueue is nothing that a Command can ask of a job: use AbortJob, ResumeJob, RestartJob, TerminateJob or CompleteJob

# More replicas are made, and of fewer the last go, which is nobody's failure
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {policies: [{event: PodEvicted, action: TerminateJob}], minAvailable: 1, tasks: [{name: w, replicas: 2, minAvailable: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
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
change job train {"spec":{"tasks":[{"name":"w","replicas":3,"minAvailable":1,"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}]}}
=> POST pods/train-w-2
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"running":2,"taskStatusCount":{"w":{"phase":{"Pending":1,"Running":2}}}}
change job train {"spec":{"tasks":[{"name":"w","replicas":1,"minAvailable":1,"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}]}}
=> PATCH pods/train-w-1 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> PATCH pods/train-w-2 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE pods/train-w-1
=> DELETE pods/train-w-2
=> PATCH jobs/train/status /status {"state":{"phase":"Running","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 2 running, 0 succeeded, 0 failed"},"minAvailable":1,"running":1,"taskStatusCount":{"w":{"phase":{"Running":1}}}}

# A task waits for those that it depends on
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: m, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}, {name: w, replicas: 1, dependsOn: {name: [m]}, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"m":1,"w":1},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}
groups Inqueue
=> POST pods/train-m-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":1,"taskStatusCount":{"m":{"phase":{"Pending":1}}}}
pod train-m-0 Running
=> PATCH podgroups/train-UID {"spec":{"minMember":2}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"pending":1,"running":1,"taskStatusCount":{"m":{"phase":{"Running":1}},"w":{"phase":{"Pending":1}}}}
groups Inqueue
=> nothing

# A task that waits for any of several begins with the first
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: a, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}, {name: b, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}, {name: w, replicas: 1, dependsOn: {name: [a, b], iteration: any}, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":3}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"a":1,"b":1,"w":1},"queue":"default","minResources":{"count/pods":"3","pods":"3"}}
=> POST pods/train-a-0
=> POST pods/train-b-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":3,"pending":2,"taskStatusCount":{"a":{"phase":{"Pending":1}},"b":{"phase":{"Pending":1}}}}
pod train-b-0 Succeeded
=> PATCH podgroups/train-UID {"spec":{"minMember":3}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 3 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":3,"pending":2,"succeeded":1,"taskStatusCount":{"a":{"phase":{"Pending":1}},"b":{"phase":{"Succeeded":1}},"w":{"phase":{"Pending":1}}}}

# A claim that is made has a name that the job remembers
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {volumes: [{mountPath: /a, volumeClaim: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}], tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> PATCH jobs/train /spec/volumes/0/volumeClaimName "train-pvc-RANDOM"
=> POST persistentvolumeclaims/train-pvc-RANDOM
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"controlledResources":{"volume-pvc-train-pvc-RANDOM":"train-pvc-RANDOM"}}

# A claim that is not there is waited for, and named
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {volumes: [{mountPath: /a, volumeClaimName: disk}], tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> says PVCError: spec.volumes: the PersistentVolumeClaim disk that is to be mounted at /a does not exist: create it
make
| {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
+5m
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"controlledResources":{"volume-pvc-disk":"disk"}}

# A group that cannot be placed is told on the job
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
groups Pending "conditions":[{"type":"Unschedulable","status":"True","reason":"NotEnoughResources","message":"there is no room"}]
=> says PodGroupPending: PodGroup train-UID is not scheduled: NotEnoughResources: there is no room

# A controller that was away counts what it missed once
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {policies: [{event: PodFailed, action: RestartJob}], tasks: [{name: w, replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}]}}
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
kill
pod train-w-0 Failed 3
pod train-w-1 Failed 3
start
=> PATCH jobs/train/status /status {"state":{"phase":"Restarting","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"PodFailed","message":"RestartJob: pod train-w-0 failed with exit code 3"},"minAvailable":2,"terminating":2,"version":1,"retryCount":1,"runningDuration":"6s"}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> PATCH pods/train-w-1 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> says ExecuteAction: RestartJob on PodFailed: pod train-w-0 failed with exit code 3
=> DELETE pods/train-w-0
=> DELETE pods/train-w-1
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:08Z","reason":"OutOfSync","message":"SyncJob: of 2 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":2,"version":1,"retryCount":1,"runningDuration":"6s"}
=> POST podgroups/train-UID {"minMember":2,"minTaskMember":{"w":2},"queue":"default","minResources":{"count/pods":"2","pods":"2"}}

# A job that is deleted is left alone
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
+2s
groups Inqueue
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}}}
delete job train
=> nothing

# Plugins make what a job asks for before its pods, and a word that is not understood is said
controllers job
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: {plugins: {svc: ["--nonsense=1"], env: [], ssh: []}, tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1}
=> POST configmaps/train-svc
=> POST services/train
=> POST networkpolicies/train
=> POST secrets/train-ssh
=> says PluginError: plugin svc: it has no argument --nonsense
=> POST podgroups/train-UID {"minMember":1,"minTaskMember":{"w":1},"queue":"default","minResources":{"count/pods":"1","pods":"1"}}
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"controlledResources":{"plugin-env":"env","plugin-ssh":"ssh","plugin-svc":"svc"}}
groups Inqueue
=> POST pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Pending","lastTransitionTime":"2026-01-01T00:00:02Z","reason":"OutOfSync","message":"SyncJob: of 1 pods 0 are pending, 0 running, 0 succeeded, 0 failed"},"minAvailable":1,"pending":1,"taskStatusCount":{"w":{"phase":{"Pending":1}}},"controlledResources":{"plugin-env":"env","plugin-ssh":"ssh","plugin-svc":"svc"}}
command TerminateJob job train
=> DELETE commands/c1
=> says CommandIssued: TerminateJob by command c1
=> PATCH jobs/train/status /status {"state":{"phase":"Terminating","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"CommandIssued","message":"TerminateJob: by command c1"},"minAvailable":1,"terminating":1,"version":1,"runningDuration":"4s","controlledResources":{"plugin-env":"env","plugin-ssh":"ssh","plugin-svc":"svc"}}
=> PATCH pods/train-w-0 {"metadata":{"annotations":{"volcano.sh/controller-out-of-sync":"true"}}}
=> DELETE podgroups/train-UID
=> DELETE configmaps/train-svc
=> DELETE services/train
=> DELETE networkpolicies/train
=> DELETE secrets/train-ssh
=> DELETE pods/train-w-0
=> PATCH jobs/train/status /status {"state":{"phase":"Terminated","lastTransitionTime":"2026-01-01T00:00:06Z","reason":"CommandIssued","message":"TerminateJob: by command c1"},"minAvailable":1,"version":1,"runningDuration":"4s"}

# A job whose time to live is over goes, and an aborted one stays
controllers gc
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: done}, spec: {ttlSecondsAfterFinished: 60, tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}, status: {state: {phase: Completed, lastTransitionTime: "2026-01-01T00:00:00Z"}}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: stopped}, spec: {ttlSecondsAfterFinished: 60, tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}, status: {state: {phase: Aborted, lastTransitionTime: "2026-01-01T00:00:00Z"}}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: kept}, spec: {tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}, status: {state: {phase: Failed, lastTransitionTime: "2026-01-01T00:00:00Z"}}}
=> nothing
+50s
=> nothing
+10s
=> DELETE jobs/done Foreground
