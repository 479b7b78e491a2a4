#include "kube/types/vcjob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/types/codec.h"
#include "kube/types/jobflow.h"
#include "kube/types/vccronjob.h"

namespace basalt::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::string_view kTrain = R"({
  "metadata": {"name": "train", "namespace": "ml"},
  "spec": {
    "queue": "gpu", "minSuccess": 1,
    "policies": [{"event": "PodFailed", "events": ["PodEvicted"], "action": "RestartJob",
                  "timeout": "1m30s"},
                 {"exitCode": 3, "action": "AbortJob"}],
    "plugins": {"svc": ["--disable-network-policy"], "env": []},
    "volumes": [{"mountPath": "/data", "volumeClaim": {"accessModes": ["ReadWriteOnce"]}}],
    "tasks": [
      {"replicas": 2, "template": {"spec": {"containers": [{"name": "c", "tty": true}]}}},
      {"name": "worker", "replicas": 4, "minAvailable": 3,
       "dependsOn": {"name": ["default0"], "iteration": "any"}},
      {"name": "parts", "replicas": 6,
       "partitionPolicy": {"totalPartitions": 3, "partitionSize": 2, "minPartitions": 2}}]},
  "status": {"state": {"phase": "Running", "reason": "OutOfSync"}, "running": 3, "version": 2,
             "taskStatusCount": {"worker": {"phase": {"Running": 3}}},
             "runningDuration": "1m0s", "controlledResources": {"plugin-svc": "svc"},
             "conditions": [{"status": "Pending"}, {"status": "Running"}]}
})";

TEST(VcJob, IsReadWithWhatHoldsWhereItSaysNothing) {
  const Result<VcJob> job = Decode<VcJob>(kTrain);
  ASSERT_TRUE(job) << job.error().message;
  const VcJobSpec& spec = job->spec;
  EXPECT_EQ(spec.Queue(), "gpu");
  EXPECT_EQ(spec.Scheduler(), "volcano");
  EXPECT_EQ(spec.MaxRetry(), 3);
  EXPECT_EQ(spec.TotalReplicas(), 12);
  EXPECT_EQ(spec.MinAvailable(), 2 + 3 + 4);
  EXPECT_THAT(spec.policies[0].events, ElementsAre("PodFailed", "PodEvicted"));
  EXPECT_EQ(spec.policies[0].timeout, 90s);
  EXPECT_EQ(spec.policies[1].exit_code, 3);
  EXPECT_THAT(spec.plugins, ElementsAre(Pair("env", ElementsAre()),
                                        Pair("svc", ElementsAre("--disable-network-policy"))));
  EXPECT_THAT(spec.volumes[0].claim, HasSubstr("ReadWriteOnce"));
  EXPECT_EQ(spec.tasks[0].name, "default0");
  EXPECT_THAT(spec.tasks[0].pod_template.raw, HasSubstr("tty"));
  EXPECT_TRUE(spec.tasks[1].depends_on->any);
  EXPECT_EQ(job->status.phase, VcJobPhase::kRunning);
  EXPECT_EQ(job->status.running_duration, 1min);
  EXPECT_THAT(job->status.task_status_count[0].phases, ElementsAre(Pair("Running", 3)));
  EXPECT_EQ(job->status.conditions[1].phase, VcJobPhase::kRunning);
}

TEST(VcJob, PhasesHaveTheirNames) {
  for (int i = 0; i < kVcJobPhases; ++i) {
    const auto phase = static_cast<VcJobPhase>(i);
    EXPECT_EQ(ParseVcJobPhase(ToString(phase)), phase);
  }
  EXPECT_EQ(ParseVcJobPhase("Sleeping"), VcJobPhase::kNone);
}

TEST(JobTemplate, KeepsItsSpecAsItWasWritten) {
  const Result<JobTemplate> found = Decode<JobTemplate>(
      R"({"spec": {"runningEstimate": "1h", "tasks": [{"replicas": 2}]},
          "status": {"jobDependsOnList": ["a", "b"]}})");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(found->raw_spec, HasSubstr("runningEstimate"));
  EXPECT_EQ(found->spec.tasks[0].replicas, 2);
  EXPECT_THAT(found->job_depends_on_list, ElementsAre("a", "b"));
}

TEST(JobFlow, IsRead) {
  const Result<JobFlow> flow = Decode<JobFlow>(
      R"({"spec": {"jobRetainPolicy": "delete",
                   "flows": [{"name": "a"},
                             {"name": "b", "dependsOn": {"targets": ["a"], "probe": {}},
                              "patch": {"jobSpec": {"queue": "q"}}}]},
          "status": {"state": {"phase": "Running"}, "runningJobs": ["f-a"]}})");
  ASSERT_TRUE(flow) << flow.error().message;
  EXPECT_TRUE(flow->delete_jobs);
  EXPECT_THAT(flow->flows[1].targets, ElementsAre("a"));
  EXPECT_TRUE(flow->flows[1].has_probe);
  EXPECT_EQ(flow->flows[1].patch, R"({"queue": "q"})");
  EXPECT_EQ(flow->phase, "Running");
  EXPECT_THAT(flow->raw_status, HasSubstr("f-a"));
}

TEST(VcCronJob, IsRead) {
  const Result<VcCronJob> cron = Decode<VcCronJob>(
      R"({"spec": {"schedule": "*/5 * * * *", "timeZone": "Europe/Berlin",
                   "concurrencyPolicy": "Replace", "suspend": true,
                   "jobTemplate": {"spec": {"tasks": []}}},
          "status": {"active": [{"name": "c-1", "uid": "u"}],
                     "lastScheduleTime": "2026-01-02T03:04:05Z"}})");
  ASSERT_TRUE(cron) << cron.error().message;
  EXPECT_EQ(cron->time_zone, "Europe/Berlin");
  EXPECT_EQ(cron->concurrency, VcCronJob::Concurrency::kReplace);
  EXPECT_EQ(cron->successful_jobs_history_limit, 3);
  EXPECT_EQ(cron->active[0].uid, "u");
  EXPECT_TRUE(cron->last_schedule_time.has_value());
  EXPECT_FALSE(cron->last_successful_time.has_value());
}

}  // namespace
}  // namespace basalt::kube
