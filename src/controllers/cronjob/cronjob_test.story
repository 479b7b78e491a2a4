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

# The hours of a schedule are those of its time zone
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "30 19 * * *", timeZone: America/New_York, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+29m
=> nothing
+1m
=> POST jobs/c-29453790
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453790","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:30:00Z"}}
=> says SuccessfulCreate: Created job c-29453790

# A time at which its job exists already is not made up for twice
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: c-29453765}, spec: {tasks: [{name: w, replicas: 1}]}}
| ---
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "*/5 * * * *", jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+5m
=> POST jobs/c-29453765
=> PATCH cronjobs/c/status {"status":{"active":[],"lastScheduleTime":"2026-01-01T00:05:00Z"}}
+5m
=> POST jobs/c-29453770
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453770","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:10:00Z"}}
=> says SuccessfulCreate: Created job c-29453770

# A job that somebody deletes is no longer active
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "@hourly", concurrencyPolicy: Forbid, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+1h
=> POST jobs/c-29453820
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453820","uid":"UID"}],"lastScheduleTime":"2026-01-01T01:00:00Z"}}
=> says SuccessfulCreate: Created job c-29453820
delete job c-29453820
=> PATCH cronjobs/c/status {"status":{"active":[],"lastScheduleTime":"2026-01-01T01:00:00Z"}}

# Jobs that ended are looked after while the schedule is suspended
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "@every 10m", successfulJobsHistoryLimit: 0, jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+10m
=> POST jobs/c-29453770
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453770","uid":"UID"}],"lastScheduleTime":"2026-01-01T00:10:02Z"}}
=> says SuccessfulCreate: Created job c-29453770
change cron c {"spec":{"suspend":true}}
=> nothing
status job c-29453770 {"state":{"phase":"Completed","lastTransitionTime":"2026-01-01T00:11:00Z"}}
=> DELETE jobs/c-29453770 Background
=> says SawCompletedJob: Job c-29453770 has ended: Completed
=> PATCH cronjobs/c/status {"status":{"active":[],"lastScheduleTime":"2026-01-01T00:10:02Z","lastSuccessfulTime":"2026-01-01T00:11:00Z"}}
=> says SuccessfulDelete: Deleted job c-29453770
+1h
=> nothing

# Jobs that are terminated have ended, and are kept
controllers cronjob
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "0 0-2 1 JAN *", jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+1h
=> POST jobs/c-29453820
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453820","uid":"UID"}],"lastScheduleTime":"2026-01-01T01:00:00Z"}}
=> says SuccessfulCreate: Created job c-29453820
status job c-29453820 {"state":{"phase":"Terminated","lastTransitionTime":"2026-01-01T01:01:00Z"}}
=> PATCH cronjobs/c/status {"status":{"active":[],"lastScheduleTime":"2026-01-01T01:00:00Z"}}
=> says SawCompletedJob: Job c-29453820 has ended: Terminated
+1h
=> POST jobs/c-29453880
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453880","uid":"UID"}],"lastScheduleTime":"2026-01-01T02:00:00Z"}}
=> says SuccessfulCreate: Created job c-29453880
+24h
=> nothing

# More than a hundred times that were missed are one job and a warning
controllers cronjob
kill
make
| {apiVersion: batch.volcano.sh/v1alpha1, kind: CronJob, metadata: {name: c}, spec: {schedule: "* * * * *", jobTemplate: {spec: {tasks: [{name: w, replicas: 1}]}}}}
+102m
start
=> POST jobs/c-29453862
=> says TooManyMissedTimes: more than 100 times were missed; only the last of them is made up for: set spec.startingDeadlineSeconds, or look at the clock
=> PATCH cronjobs/c/status {"status":{"active":[{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","namespace":"default","name":"c-29453862","uid":"UID"}],"lastScheduleTime":"2026-01-01T01:42:00Z"}}
=> says SuccessfulCreate: Created job c-29453862
