# A job is made at each time, and the oldest that ended go
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "*/5 * * * *", successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
=> nothing
+5m
=> POST jobs/c-29453765
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453765","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:05:00Z"}}
=> says SuccessfulCreate: Created job c-29453765
status job c-29453765 {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:06:00Z"}}
=> PATCH cronjobs/c/status {"status":{"active":[],"lastScheduleTime":"2026-01-01T00:05:00Z","lastSuccessfulTime":"2026-01-01T00:06:00Z"}}
=> says SawCompletedJob: Job c-29453765 has ended: Completed
+5m
=> POST jobs/c-29453770
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453770","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:10:00Z","lastSuccessfulTime":"2026-01-01T00:06:00Z"}}
=> says SuccessfulCreate: Created job c-29453770
status job c-29453770 {"state":{"phase":"Failed","lastTransitionTime":"2026-01-01T00:11:00Z"}}
=> DELETE jobs/c-29453770 Background
=> says SawCompletedJob: Job c-29453770 has ended: Failed
=> PATCH cronjobs/c/status {"status":{"active":[],"lastScheduleTime":"2026-01-01T00:10:00Z","lastSuccessfulTime":"2026-01-01T00:06:00Z"}}
=> says SuccessfulDelete: Deleted job c-29453770
+5m
=> POST jobs/c-29453775
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453775","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:15:00Z","lastSuccessfulTime":"2026-01-01T00:06:00Z"}}
=> says SuccessfulCreate: Created job c-29453775
status job c-29453775 {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:16:00Z"}}
=> DELETE jobs/c-29453765 Background
=> says SawCompletedJob: Job c-29453775 has ended: Completed
=> PATCH cronjobs/c/status {"status":{"active":[],"lastScheduleTime":"2026-01-01T00:15:00Z","lastSuccessfulTime":"2026-01-01T00:16:00Z"}}
=> says SuccessfulDelete: Deleted job c-29453765

# One that still runs is not joined by another where that is forbidden
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "*/5 * * * *", concurrencyPolicy: Forbid, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+5m
=> POST jobs/c-29453765
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453765","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:05:00Z"}}
=> says SuccessfulCreate: Created job c-29453765
+5m
=> says ForbidConcurrent: Not starting the job of 2026-01-01T00:10:00Z: c-29453765 has not ended
status job c-29453765 {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:11:00Z"}}
=> POST jobs/c-29453770
=> says SawCompletedJob: Job c-29453765 has ended: Completed
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453770","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:10:00Z","lastSuccessfulTime":"2026-01-01T00:11:00Z"}}
=> says SuccessfulCreate: Created job c-29453770

# One that still runs is replaced where that is asked for
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "*/5 * * * *", concurrencyPolicy: Replace, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+5m
=> POST jobs/c-29453765
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453765","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:05:00Z"}}
=> says SuccessfulCreate: Created job c-29453765
+5m
=> DELETE jobs/c-29453765 Background
=> POST jobs/c-29453770
=> says ReplaceConcurrent: Deleted job c-29453765
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453770","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:10:00Z"}}
=> says SuccessfulCreate: Created job c-29453770

# What was missed while it was suspended is one job, if it is not too late for it
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "*/5 * * * *", suspend: true, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: late}, spec: {schedule: "0 * * * *", startingDeadlineSeconds: 60, suspend: true, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+62m
=> nothing
change cron c {"spec":{"suspend":false}}
change cron late {"spec":{"suspend":false}}
=> POST jobs/c-29453820
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453820","uid":"UID"}],"lastScheduleTime":"2026-01-01T01:00:00Z"}}
=> says SuccessfulCreate: Created job c-29453820

# A schedule or a time zone that cannot be read is said on the object
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "every so often", jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: z}, spec: {schedule: "0 * * * *", timeZone: Mars/Base, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
=> says InvalidSchedule: spec.schedule: schedule "every so often": has 3 fields; want five: minute, hour, day of month, month, day of week
=> says InvalidTimeZone: spec.timeZone: unknown time zone "Mars/Base"
