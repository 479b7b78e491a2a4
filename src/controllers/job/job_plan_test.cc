#include "controllers/job/job_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controllers/job/job_test_util.h"

namespace basalt::controllers {
namespace {

using kube::PodPhase;
using kube::VcJobPhase;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Time kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

constexpr std::string_view kTwoTasks =
    R"("maxRetry": 2, "tasks": [{"name": "m", "replicas": 1}, {"name": "w", "replicas": 2}])";

JobPods ThreePods(PodPhase m, PodPhase w0, PodPhase w1) {
  return PodsOf(
      {Pod("train-m-0", "m", 0, m), Pod("train-w-0", "w", 0, w0), Pod("train-w-1", "w", 1, w1)});
}

Occurrence Asked(JobAction action, std::string pod = "", std::string task = "") {
  return {.event = JobEvent::kPodFailed, .action = action, .pod = pod, .task = task};
}

std::vector<std::string> Made(const kube::VcJob& job, const JobPlan& plan) {
  std::vector<std::string> names;
  for (const PodToMake& make : plan.make) {
    names.push_back(PodNameOf(job.meta.name, job.spec.tasks[make.task].name, make.index));
  }
  return names;
}

TEST(JobPlan, MakesWhatIsMissingOnceItMay) {
  const kube::VcJob job = MakeVcJob(kTwoTasks, R"("state": {"phase": "Pending"})");
  const JobPods pods = PodsOf({Pod("train-w-0", "w", 0, PodPhase::kRunning)});
  EXPECT_THAT(Made(job, PlanJob(job, pods, {}, true, kNow)), ElementsAre("train-m-0", "train-w-1"));
  EXPECT_THAT(PlanJob(job, pods, {}, false, kNow).make, IsEmpty());
}

TEST(JobPlan, TheWriteThatAnnouncesARestartCountsThePodsAsTerminating) {
  const kube::VcJob job = RunningJob(kTwoTasks);
  const JobPlan plan =
      PlanJob(job, ThreePods(PodPhase::kRunning, PodPhase::kFailed, PodPhase::kRunning),
              Asked(JobAction::kRestartJob, "train-w-0", "w"), true, kNow);
  EXPECT_EQ(plan.status.phase, VcJobPhase::kRestarting);
  EXPECT_EQ(plan.status.terminating, 3);
  EXPECT_EQ(plan.status.running + plan.status.failed, 0);
  EXPECT_EQ(plan.status.retry_count, 1);
  EXPECT_EQ(plan.status.version, 1);
  EXPECT_EQ(plan.status.reason, "PodFailed");
  EXPECT_TRUE(plan.status.message.starts_with("RestartJob: "));
  EXPECT_THAT(plan.remove, ElementsAre("train-m-0", "train-w-0", "train-w-1"));
  EXPECT_TRUE(plan.drop_parts);
  EXPECT_THAT(plan.make, IsEmpty());
}

TEST(JobPlan, TheLastRetryKeepsWhatHasEnded) {
  const kube::VcJob job = MakeVcJob(kTwoTasks, R"("state": {"phase": "Running"}, "retryCount": 1)");
  const JobPlan plan =
      PlanJob(job, ThreePods(PodPhase::kRunning, PodPhase::kFailed, PodPhase::kSucceeded),
              Asked(JobAction::kRestartJob), true, kNow);
  EXPECT_THAT(plan.remove, ElementsAre("train-m-0"));
  EXPECT_EQ(plan.status.retry_count, 2);
  const kube::VcJob restarting =
      MakeVcJob(kTwoTasks, R"("state": {"phase": "Restarting"}, "retryCount": 2, "version": 1)");
  EXPECT_EQ(PlanJob(restarting, {}, {}, true, kNow).status.phase, VcJobPhase::kFailed);
}

TEST(JobPlan, ARestartOfATaskLeavesTheOthersAlone) {
  const kube::VcJob job = RunningJob(kTwoTasks);
  const JobPods pods = ThreePods(PodPhase::kRunning, PodPhase::kFailed, PodPhase::kRunning);
  const JobPlan task =
      PlanJob(job, pods, Asked(JobAction::kRestartTask, "train-w-0", "w"), true, kNow);
  EXPECT_THAT(task.remove, ElementsAre("train-w-0", "train-w-1"));
  EXPECT_THAT(task.mark_first, ElementsAre("train-w-1")) << "the pod that says why comes last";
  EXPECT_FALSE(task.drop_parts);
  EXPECT_EQ(task.status.version, 0);
  EXPECT_EQ(task.status.retry_count, 1);
  EXPECT_EQ(task.status.phase, VcJobPhase::kRestarting);
  const JobPlan pod =
      PlanJob(job, pods, Asked(JobAction::kRestartPod, "train-w-0", "w"), true, kNow);
  EXPECT_THAT(pod.remove, ElementsAre("train-w-0"));
}

TEST(JobPlan, ARestartOfAPartitionTakesItsPods) {
  const kube::VcJob job = RunningJob(R"("tasks": [{"name": "w", "replicas": 4,
      "partitionPolicy": {"totalPartitions": 2, "partitionSize": 2}}])");
  JobPods pods;
  for (int i = 0; i < 4; ++i) {
    JobPod pod = Pod("train-w-" + std::to_string(i), "w", i, PodPhase::kRunning);
    pod.partition = std::to_string(i / 2);
    pods[pod.name] = pod;
  }
  Occurrence occurrence = Asked(JobAction::kRestartPartition, "train-w-3", "w");
  occurrence.partition = "1";
  EXPECT_THAT(PlanJob(job, pods, occurrence, true, kNow).remove,
              ElementsAre("train-w-2", "train-w-3"));
}

TEST(JobPlan, SoftKillsKeepWhatHasEndedAndEndWhenTheRestHasLeft) {
  const JobPods pods = ThreePods(PodPhase::kRunning, PodPhase::kFailed, PodPhase::kSucceeded);
  const kube::VcJob job = RunningJob(kTwoTasks);
  for (const auto& [action, phase] :
       {std::pair(JobAction::kAbortJob, VcJobPhase::kAborting),
        std::pair(JobAction::kTerminateJob, VcJobPhase::kTerminating),
        std::pair(JobAction::kCompleteJob, VcJobPhase::kCompleting)}) {
    const JobPlan plan = PlanJob(job, pods, Asked(action), true, kNow);
    EXPECT_EQ(plan.status.phase, phase);
    EXPECT_THAT(plan.remove, ElementsAre("train-m-0"));
    EXPECT_EQ(plan.status.version, 1);
    EXPECT_EQ(plan.status.terminating, 1);
  }
  const kube::VcJob aborting = MakeVcJob(
      kTwoTasks, R"("state": {"phase": "Aborting", "reason": "CommandIssued"}, "version": 1)");
  JobPods left = pods;
  left.erase("train-m-0");
  const JobPlan plan = PlanJob(aborting, left, {}, true, kNow);
  EXPECT_EQ(plan.status.phase, VcJobPhase::kAborted);
  EXPECT_EQ(plan.status.version, 1) << "once";
  EXPECT_EQ(plan.status.reason, "CommandIssued") << "why it left is why it has left";
}

TEST(JobPlan, ARestartThatWasBrokenOffIsFinished) {
  // The status says that all pods go; one, of the version before, does not yet.
  const kube::VcJob job = MakeVcJob(
      kTwoTasks, R"("state": {"phase": "Restarting", "message": "RestartJob: x"}, "version": 1,
                    "retryCount": 1)");
  EXPECT_THAT(
      PlanJob(job, PodsOf({Pod("train-w-0", "w", 0, PodPhase::kFailed)}), {}, true, kNow).remove,
      ElementsAre("train-w-0"));
  const kube::VcJob resumed = MakeVcJob(
      kTwoTasks, R"("state": {"phase": "Restarting", "message": "ResumeJob: x"}, "version": 1,
                    "retryCount": 1)");
  EXPECT_THAT(
      PlanJob(resumed, PodsOf({Pod("train-w-0", "w", 0, PodPhase::kFailed)}), {}, true, kNow)
          .remove,
      IsEmpty());
}

TEST(JobPlan, PodsThatAreTooManyOrMarkedGo) {
  const kube::VcJob job = RunningJob(kTwoTasks);
  JobPods pods = ThreePods(PodPhase::kRunning, PodPhase::kRunning, PodPhase::kRunning);
  pods["train-w-2"] = Pod("train-w-2", "w", 2, PodPhase::kRunning);
  pods["train-m-0"].ours = true;
  EXPECT_THAT(PlanJob(job, pods, {}, true, kNow).remove, ElementsAre("train-m-0", "train-w-2"));
}

TEST(JobPlan, TasksWaitForThoseTheyDependOn) {
  struct DependencyCase {
    std::string_view depends_on;
    std::string_view states;  // of a-0 and b-0: '-' none, 'p'ending, 'r'unning, 's'ucceeded
    bool may_start;
  };
  const DependencyCase cases[] = {
      {R"({"name": ["a"]})", "--", false},
      {R"({"name": ["a"]})", "p-", false},
      {R"({"name": ["a"]})", "r-", true},
      {R"({"name": ["a"]})", "s-", true},
      {R"({"name": ["a", "b"]})", "r-", false},
      {R"({"name": ["a", "b"]})", "rr", true},
      {R"({"name": ["a", "b"], "iteration": "any"})", "-r", true},
      {R"({"name": ["a", "b"], "iteration": "any"})", "-p", false},
      {R"({"name": ["nobody"]})", "rr", false},
  };
  for (const DependencyCase& one : cases) {
    const kube::VcJob job = RunningJob(
        fmt::format(R"("tasks": [{{"name": "a", "replicas": 1}}, {{"name": "b", "replicas": 1}},
                                 {{"name": "c", "replicas": 1, "dependsOn": {}}}])",
                    one.depends_on));
    JobPods pods;
    for (int i = 0; i < 2; ++i) {
      const char state = one.states[static_cast<std::size_t>(i)];
      if (state == '-') continue;
      const std::string task = i == 0 ? "a" : "b";
      const std::string name = "train-" + task + "-0";
      pods[name] = Pod(name, task, 0,
                       state == 'p'   ? PodPhase::kPending
                       : state == 'r' ? PodPhase::kRunning
                                      : PodPhase::kSucceeded);
    }
    const JobTally tally = TallyOf(job.spec, pods);
    EXPECT_EQ(TasksThatMayStart(job.spec, tally)[2], one.may_start) << one.depends_on << one.states;
  }
}

TEST(JobPlan, PodsThatWentWhileNobodyLookedAreMissed) {
  const kube::VcJob job = MakeVcJob(kTwoTasks, R"("state": {"phase": "Running"}, "version": 2,
                    "taskStatusCount": {"w": {"phase": {"Running": 2}},
                                        "m": {"phase": {"Running": 1}}})");
  const JobPods pods = PodsOf(
      {Pod("train-m-0", "m", 0, PodPhase::kRunning), Pod("train-w-1", "w", 1, PodPhase::kRunning)});
  const std::vector<JobPod> missing = FindMissing(job, pods);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].name, "train-w-0");
  EXPECT_EQ(missing[0].version, 2);
}

TEST(JobPlan, WhatHasEndedStaysCounted) {
  const kube::VcJob job =
      MakeVcJob(kTwoTasks, R"("state": {"phase": "Completed"}, "succeeded": 3)");
  EXPECT_EQ(PlanJob(job, {}, {}, true, kNow).status, job.status);
}

TEST(JobPlan, EveryChangeOfPhaseIsACondition) {
  const kube::VcJob job = MakeVcJob(
      kTwoTasks, R"("state": {"phase": "Pending"}, "conditions": [{"status": "Pending"}])");
  const JobPlan plan = PlanJob(
      job, ThreePods(PodPhase::kRunning, PodPhase::kRunning, PodPhase::kRunning), {}, true, kNow);
  ASSERT_EQ(plan.status.conditions.size(), 2u);
  EXPECT_EQ(plan.status.conditions[1].phase, VcJobPhase::kRunning);
  EXPECT_EQ(plan.status.running, 3);
}

}  // namespace
}  // namespace basalt::controllers
