#include "controllers/job/policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controllers/job/delayed_actions.h"
#include "controllers/job/job_test_util.h"

namespace basalt::controllers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Found(const kube::VcJob& job, const JobPods& pods, std::vector<JobPod> gone = {},
                  bool unknown = false) {
  std::string text;
  for (const Occurrence& one : FindOccurrences(job, pods, gone, TallyOf(job.spec, pods), unknown)) {
    if (!text.empty()) text += "; ";
    text +=
        std::string(ToString(one.event)) + " " + one.pod + " " + std::string(ToString(one.action));
  }
  return text;
}

TEST(Policies, TheTasksComeBeforeTheJobsAndTheFirstWins) {
  const kube::VcJob job = RunningJob(R"(
      "policies": [{"event": "PodFailed", "action": "RestartJob"},
                   {"event": "*", "action": "AbortJob"}],
      "tasks": [{"name": "a", "replicas": 1,
                 "policies": [{"exitCode": 3, "action": "CompleteJob"},
                              {"event": "PodEvicted", "action": "RestartPod"}]},
                {"name": "b", "replicas": 1}])");
  const kube::VcJobTask* a = job.spec.FindTask("a");
  const kube::VcJobTask* b = job.spec.FindTask("b");
  EXPECT_EQ(FindPolicy(job.spec, a, JobEvent::kPodFailed, 3).action, JobAction::kCompleteJob);
  EXPECT_EQ(FindPolicy(job.spec, a, JobEvent::kPodFailed, 4).action, JobAction::kRestartJob);
  EXPECT_EQ(FindPolicy(job.spec, a, JobEvent::kPodEvicted).action, JobAction::kRestartPod);
  EXPECT_EQ(FindPolicy(job.spec, b, JobEvent::kPodEvicted).action, JobAction::kAbortJob);
  EXPECT_EQ(FindPolicy(job.spec, b, JobEvent::kTaskCompleted).action, JobAction::kAbortJob);
  EXPECT_EQ(FindPolicy(job.spec, b, JobEvent::kPodPending).action, JobAction::kSync)
      << "only with a timeout";
  EXPECT_EQ(FindPolicy(RunningJob(R"("tasks": [])").spec, nullptr, JobEvent::kUnknown).action,
            JobAction::kSync);
}

// Every event and every action of C12.4: the event of the left column asks for the action.
TEST(Policies, EveryEventLeadsToEveryAction) {
  struct EventCase {
    std::string_view event;
    std::string_view extra;  // of the policy
    JobPods pods;
    std::vector<JobPod> gone;
    bool unknown = false;
  };
  JobPod evicted = Pod("train-w-0", "w", 0, kube::PodPhase::kRunning);
  JobPod restarting = Pod("train-w-0", "w", 0, kube::PodPhase::kRunning);
  restarting.restarts = 3;
  const EventCase cases[] = {
      {"PodFailed", "", PodsOf({Pod("train-w-0", "w", 0, kube::PodPhase::kFailed)}), {}},
      {"PodEvicted", "", {}, {evicted}},
      {"PodPending",
       R"(, "timeout": "1s")",
       PodsOf({Pod("train-w-0", "w", 0, kube::PodPhase::kPending)}),
       {}},
      {"TaskCompleted", "", PodsOf({Pod("train-w-0", "w", 0, kube::PodPhase::kSucceeded)}), {}},
      {"TaskFailed", "", PodsOf({restarting}), {}},
      {"Unknown", "", {}, {}, true},
  };
  for (const EventCase& one : cases) {
    for (const std::string_view action : {"AbortJob", "RestartJob", "RestartTask", "RestartPod",
                                          "RestartPartition", "TerminateJob", "CompleteJob"}) {
      for (const std::string_view event : {one.event, std::string_view("*")}) {
        const kube::VcJob job = RunningJob(fmt::format(
            R"("policies": [{{"event": "{}", "action": "{}"{}}}],
               "tasks": [{{"name": "w", "replicas": 1}}])",
            event, action, one.extra));
        const bool needs_a_pod = action.starts_with("Restart") && action != "RestartJob";
        const std::string expected =
            one.unknown && needs_a_pod
                ? ""
                : fmt::format("{} {} {}", one.event, one.unknown ? "" : "train-w-0", action);
        EXPECT_EQ(Found(job, one.pods, one.gone, one.unknown), expected) << event << action;
      }
    }
  }
}

TEST(Policies, WhatTheControllerDidItselfIsNoEvent) {
  const kube::VcJob job = RunningJob(R"(
      "policies": [{"event": "*", "action": "RestartJob"}],
      "tasks": [{"name": "w", "replicas": 2}])");
  JobPod marked = Pod("train-w-0", "w", 0, kube::PodPhase::kFailed);
  marked.ours = true;
  JobPod old = Pod("train-w-1", "w", 1, kube::PodPhase::kFailed);
  old.version = job.status.version - 1;
  JobPod too_many = Pod("train-w-2", "w", 2, kube::PodPhase::kFailed);
  JobPod leaving = Pod("train-w-3", "w", 3, kube::PodPhase::kRunning);
  leaving.leaving = true;
  EXPECT_EQ(Found(job, PodsOf({marked, old, too_many}), {too_many, leaving}), "");
}

TEST(Policies, APodThatIsBeingDeletedByOthersIsEvicted) {
  const kube::VcJob job = RunningJob(R"(
      "policies": [{"event": "PodEvicted", "action": "RestartJob"}],
      "tasks": [{"name": "w", "replicas": 2}])");
  JobPod leaving = Pod("train-w-0", "w", 0, kube::PodPhase::kRunning);
  leaving.leaving = true;
  EXPECT_EQ(Found(job, PodsOf({leaving})), "PodEvicted train-w-0 RestartJob");
}

TEST(Policies, WhatHappenedFirstIsFirst) {
  const kube::VcJob job = RunningJob(R"(
      "policies": [{"event": "PodFailed", "action": "RestartTask"}],
      "tasks": [{"name": "w", "replicas": 3}])");
  JobPod first = Pod("train-w-2", "w", 2, kube::PodPhase::kFailed);
  first.sequence = 1;
  JobPod second = Pod("train-w-0", "w", 0, kube::PodPhase::kFailed);
  second.sequence = 2;
  EXPECT_EQ(Found(job, PodsOf({first, second})),
            "PodFailed train-w-2 RestartTask; PodFailed train-w-0 RestartTask");
}

// ---- actions that wait

constexpr Time kThen{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Occurrence Waiting(JobEvent event, JobAction action, std::string pod) {
  return {.event = event,
          .action = action,
          .timeout = 10s,
          .pod = pod,
          .pod_uid = pod + "-uid",
          .task = "w"};
}

TEST(DelayedActions, OneWaitsForEachPodAndIsTakenWhenItIsDue) {
  DelayedActions delayed;
  delayed.Add(Waiting(JobEvent::kPodFailed, JobAction::kRestartPod, "a"), kThen);
  delayed.Add(Waiting(JobEvent::kPodFailed, JobAction::kRestartPod, "a"), kThen + 5s);
  delayed.Add(Waiting(JobEvent::kPodFailed, JobAction::kRestartPod, "b"), kThen + 1s);
  EXPECT_FALSE(delayed.TakeDue(kThen + 9s));
  EXPECT_EQ(delayed.TakeDue(kThen + 10s)->pod, "a");
  EXPECT_FALSE(delayed.TakeDue(kThen + 10s));
  EXPECT_EQ(delayed.next_due(), kThen + 11s);
}

TEST(DelayedActions, WhatHappenedWhileNobodyLookedHasWaitedSince) {
  DelayedActions delayed;
  Occurrence old = Waiting(JobEvent::kPodPending, JobAction::kAbortJob, "a");
  old.since = kThen - 8s;
  delayed.Add(old, kThen);
  EXPECT_EQ(delayed.next_due(), kThen + 2s);
}

TEST(DelayedActions, AreDroppedWhenTheyAreNoLongerCalledFor) {
  struct PruneCase {
    std::string_view what;
    Occurrence waiting;
    JobPods pods;
    bool stays;
  };
  JobPod same = Pod("a", "w", 0, kube::PodPhase::kPending);
  JobPod other = same;
  other.uid = "another";
  JobPod runs = same;
  runs.phase = kube::PodPhase::kRunning;
  const Occurrence pending = Waiting(JobEvent::kPodPending, JobAction::kAbortJob, "a");
  const Occurrence failed = Waiting(JobEvent::kPodFailed, JobAction::kAbortJob, "a");
  const Occurrence evicted = Waiting(JobEvent::kPodEvicted, JobAction::kAbortJob, "a");
  const PruneCase cases[] = {
      {"it still pends", pending, PodsOf({same}), true},
      {"it runs", pending, PodsOf({runs}), false},
      {"it is gone", pending, {}, false},
      {"another one of its name pends", pending, PodsOf({other}), false},
      {"failed, and nothing came for it", failed, {}, true},
      {"failed, and one of its name pends", failed, PodsOf({other}), true},
      {"failed, and one of its name runs", failed, PodsOf({runs}), false},
      {"evicted, and one of its name runs", evicted, PodsOf({runs}), false},
  };
  for (const PruneCase& one : cases) {
    DelayedActions delayed;
    delayed.Add(one.waiting, kThen);
    delayed.Prune(one.pods, 0);
    EXPECT_EQ(!delayed.empty(), one.stays) << one.what;
    delayed.Prune(one.pods, 1);
    EXPECT_TRUE(delayed.empty()) << "its version is past";
  }
}

TEST(DelayedActions, AnActionThatIsCarriedOutAnswersAllOfItsReach) {
  const auto left = [](const Occurrence& carried) {
    DelayedActions delayed;
    delayed.Add(Waiting(JobEvent::kPodFailed, JobAction::kAbortJob, "a"), kThen);
    delayed.Add(Waiting(JobEvent::kPodFailed, JobAction::kRestartTask, "b"), kThen);
    delayed.Add(Waiting(JobEvent::kPodFailed, JobAction::kRestartPod, "c"), kThen);
    delayed.Carried(carried);
    std::string names;
    while (const auto due = delayed.TakeDue(kThen + 1h)) names += due->pod;
    return names;
  };
  EXPECT_EQ(left(Waiting(JobEvent::kPodFailed, JobAction::kRestartJob, "x")), "bc");
  EXPECT_EQ(left(Waiting(JobEvent::kPodFailed, JobAction::kRestartTask, "x")), "ac");
  EXPECT_EQ(left(Waiting(JobEvent::kPodFailed, JobAction::kRestartPod, "c")), "ab");
  EXPECT_EQ(left(Waiting(JobEvent::kPodFailed, JobAction::kRestartPod, "x")), "abc");
}

}  // namespace
}  // namespace basalt::controllers
