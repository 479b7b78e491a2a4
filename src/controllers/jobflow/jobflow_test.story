# The jobs of a flow follow each other
controllers jobflow jobtemplate
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: a}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: b}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {jobRetainPolicy: delete, flows: [{name: a}, {name: b, dependsOn: {targets: [a]}}]}}
=> POST jobs/f-a
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> PATCH jobtemplates/a/status {"status":{"jobDependsOnList":["f-a"]}}
=> says Created: Created job f-a
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Pending"}}
status job f-a {"state":{"phase":"Running"},"conditions":[{"status":"Running","lastTransitionTime":"2026-01-01T00:00:05Z"}]}
=> PATCH jobflows/f/status /status {"runningJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Running","startTimestamp":"2026-01-01T00:00:02Z","runningHistories":[{"state":"Running","startTimestamp":"2026-01-01T00:00:05Z"}]}],"state":{"phase":"Running"}}
status job f-a {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:09Z"},"conditions":[{"status":"Running","lastTransitionTime":"2026-01-01T00:00:05Z"},{"status":"Completed","lastTransitionTime":"2026-01-01T00:00:09Z"}]}
=> POST jobs/f-b
=> PATCH jobflows/f/status /status {"completedJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z","runningHistories":[{"state":"Running","startTimestamp":"2026-01-01T00:00:05Z","endTimestamp":"2026-01-01T00:00:09Z"},{"state":"Completed","startTimestamp":"2026-01-01T00:00:09Z"}]}],"state":{"phase":"Running"}}
=> PATCH jobtemplates/b/status {"status":{"jobDependsOnList":["f-b"]}}
=> says Created: Created job f-b
=> PATCH jobflows/f/status /status {"completedJobs":["f-a"],"pendingJobs":["f-b"],"jobStatusList":[{"name":"f-a","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z","runningHistories":[{"state":"Running","startTimestamp":"2026-01-01T00:00:05Z","endTimestamp":"2026-01-01T00:00:09Z"},{"state":"Completed","startTimestamp":"2026-01-01T00:00:09Z"}]},{"name":"f-b","state":"","startTimestamp":"2026-01-01T00:00:06Z"}],"state":{"phase":"Running"}}
status job f-b {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:20Z"}}
=> PATCH jobflows/f/status /status {"completedJobs":["f-a","f-b"],"jobStatusList":[{"name":"f-a","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z","runningHistories":[{"state":"Running","startTimestamp":"2026-01-01T00:00:05Z","endTimestamp":"2026-01-01T00:00:09Z"},{"state":"Completed","startTimestamp":"2026-01-01T00:00:09Z"}]},{"name":"f-b","state":"Completed","startTimestamp":"2026-01-01T00:00:06Z","endTimestamp":"2026-01-01T00:00:20Z"}],"state":{"phase":"Succeed"}}
=> DELETE jobs/f-a Background
=> DELETE jobs/f-b Background
=> PATCH jobtemplates/a/status {"status":{"jobDependsOnList":[]}}
=> PATCH jobtemplates/b/status {"status":{"jobDependsOnList":[]}}
+1h
=> nothing

# A flow whose job fails makes no further one
controllers jobflow
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: a}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: [{name: a}, {name: b, dependsOn: {targets: [a]}}]}}
=> POST jobs/f-a
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> says Created: Created job f-a
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Pending"}}
status job f-a {"state":{"phase":"Terminated","lastTransitionTime":"2026-01-01T00:00:09Z"}}
=> PATCH jobflows/f/status /status {"terminatedJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Terminated","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z"}],"state":{"phase":"Failed"}}

# A template that is missing is waited for, and named
controllers jobflow
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: [{name: a, patch: {jobSpec: {queue: other}}}]}}
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> says TemplateMissing: spec.flows: there is no JobTemplate a in namespace default: create it
=> says : spec.flows: there is no JobTemplate a in namespace default: create it
+1h
=> nothing
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: a}, spec: {queue: q, tasks: [{name: w, replicas: 1}]}}
=> POST jobs/f-a
=> says Created: Created job f-a
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T01:00:06Z"}],"state":{"phase":"Pending"}}

# Probes are kept and not looked at, which is said
controllers jobflow
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: a}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: b}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: [{name: a}, {name: b, dependsOn: {targets: [a], probe: {taskStatusList: [{taskName: w, phase: Running}]}}}]}}
=> POST jobs/f-a
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> says ProbeIgnored: spec.flows[].dependsOn.probe is kept and not looked at: a flow's job is made when the jobs that it targets have completed
=> says Created: Created job f-a
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Pending"}}

# A flow without steps is one that waits for nothing
controllers jobflow
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: []}}
=> PATCH jobflows/f/status /status {"state":{"phase":"Succeed"}}

# A step that waits for two begins when both have completed
controllers jobflow
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: a}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: b}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: c}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: [{name: a}, {name: b}, {name: c, dependsOn: {targets: [a, b]}}]}}
=> POST jobs/f-a
=> POST jobs/f-b
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> says Created: Created job f-a
=> says Created: Created job f-b
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a","f-b"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T00:00:02Z"},{"name":"f-b","state":"","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Pending"}}
status job f-a {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:09Z"}}
=> PATCH jobflows/f/status /status {"completedJobs":["f-a"],"pendingJobs":["f-b"],"jobStatusList":[{"name":"f-a","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z"},{"name":"f-b","state":"","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Running"}}
status job f-b {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:10Z"}}
=> POST jobs/f-c
=> PATCH jobflows/f/status /status {"completedJobs":["f-a","f-b"],"jobStatusList":[{"name":"f-a","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z"},{"name":"f-b","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:10Z"}],"state":{"phase":"Running"}}
=> says Created: Created job f-c
=> PATCH jobflows/f/status /status {"completedJobs":["f-a","f-b"],"pendingJobs":["f-c"],"jobStatusList":[{"name":"f-a","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z"},{"name":"f-b","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:10Z"},{"name":"f-c","state":"","startTimestamp":"2026-01-01T00:00:06Z"}],"state":{"phase":"Running"}}

# Each job of a flow is in the list of its phase
controllers jobflow
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: a}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: [{name: a}]}}
=> POST jobs/f-a
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> says Created: Created job f-a
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Pending"}}
status job f-a {"state":{"phase":"Pending"}}
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Pending","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Pending"}}
status job f-a {"state":{"phase":"Restarting"},"retryCount":1}
=> PATCH jobflows/f/status /status {"runningJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Restarting","startTimestamp":"2026-01-01T00:00:02Z","restartCount":1}],"state":{"phase":"Running"}}
status job f-a {"state":{"phase":"Completing"}}
=> PATCH jobflows/f/status /status {"runningJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Completing","startTimestamp":"2026-01-01T00:00:02Z","restartCount":1}],"state":{"phase":"Running"}}
status job f-a {"state":{"phase":"Aborting"}}
=> PATCH jobflows/f/status /status {"unKnowJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Aborting","startTimestamp":"2026-01-01T00:00:02Z","restartCount":1}],"state":{"phase":"Pending"}}
status job f-a {"state":{"phase":"Aborted"}}
=> PATCH jobflows/f/status /status {"unKnowJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Aborted","startTimestamp":"2026-01-01T00:00:02Z","restartCount":1}],"state":{"phase":"Pending"}}
status job f-a {"state":{"phase":"Terminating"}}
=> PATCH jobflows/f/status /status {"terminatedJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Terminating","startTimestamp":"2026-01-01T00:00:02Z","restartCount":1}],"state":{"phase":"Pending"}}
status job f-a {"state":{"phase":"Failed","lastTransitionTime":"2026-01-01T00:00:20Z"}}
=> PATCH jobflows/f/status /status {"failedJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Failed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:20Z","restartCount":1}],"state":{"phase":"Failed"}}

# A job of a flow that somebody deletes before it has completed is made again
controllers jobflow
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: a}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: [{name: a}]}}
=> POST jobs/f-a
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> says Created: Created job f-a
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Pending"}}
delete job f-a
=> POST jobs/f-a
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> says : Created job f-a
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T00:00:04Z"}],"state":{"phase":"Pending"}}

# A flow goes on from where it was when its controller comes back
controllers jobflow
make
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: a}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobTemplate, metadata: {name: b}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: flow.volcano.sh/v1alpha1, kind: JobFlow, metadata: {name: f}, spec: {flows: [{name: a}, {name: b, dependsOn: {targets: [a]}}]}}
=> POST jobs/f-a
=> PATCH jobflows/f/status /status {"state":{"phase":"Pending"}}
=> says Created: Created job f-a
=> PATCH jobflows/f/status /status {"pendingJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"","startTimestamp":"2026-01-01T00:00:02Z"}],"state":{"phase":"Pending"}}
kill
status job f-a {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:00:09Z"}}
+1m
start
=> POST jobs/f-b
=> PATCH jobflows/f/status /status {"completedJobs":["f-a"],"jobStatusList":[{"name":"f-a","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z"}],"state":{"phase":"Running"}}
=> says Created: Created job f-b
=> PATCH jobflows/f/status /status {"completedJobs":["f-a"],"pendingJobs":["f-b"],"jobStatusList":[{"name":"f-a","state":"Completed","startTimestamp":"2026-01-01T00:00:02Z","endTimestamp":"2026-01-01T00:00:09Z"},{"name":"f-b","state":"","startTimestamp":"2026-01-01T00:01:04Z"}],"state":{"phase":"Running"}}
