#include "simnode/pod_lifecycle.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::simnode {
namespace {

constexpr Time kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

std::string Name(PodAction action) {
  switch (action) {
    case PodAction::kWait: return "wait";
    case PodAction::kPrepare: return "prepare";
    case PodAction::kStart: return "start";
    case PodAction::kBackOff: return "back-off";
    case PodAction::kRestart: return "restart";
    case PodAction::kFinish: return "finish";
    case PodAction::kExpire: return "expire";
    case PodAction::kKill: return "kill";
    case PodAction::kRemove: return "remove";
  }
  return "?";
}

// Lives the pod's life and writes it down: "0:start 5:finish".
std::string Live(PodState pod, Duration until) {
  std::string story;
  Time now = kBegin;
  while (true) {
    const PodStep step = NextStep(pod, now);
    if (step.action == PodAction::kWait) {
      if (!step.at || *step.at > kBegin + until) return story;
      EXPECT_GT(*step.at, now);
      now = *step.at;
      continue;
    }
    if (!story.empty()) story += ' ';
    story +=
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now - kBegin).count()) +
        ':' + Name(step.action);
    if (step.action == PodAction::kRemove) return story;
    Advance(pod, step.action, now);
  }
}

TEST(PodLifecycleTest, LivesAsItsSpecificationSays) {
  struct Case {
    const char* name;
    PodBehaviour behaviour;
    kube::RestartPolicy policy = kube::RestartPolicy::kNever;
    std::optional<Duration> active_deadline;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"for ever", {}, kube::RestartPolicy::kAlways, {}, "0:start"},
           {"delayed", {.start_delay = 3s}, kube::RestartPolicy::kAlways, {}, "0:prepare 3:start"},
           {"ends", {.run_duration = 5s}, kube::RestartPolicy::kNever, {}, "0:start 5:finish"},
           {"fails once",
            {.run_duration = 5s, .exit_code = 1},
            kube::RestartPolicy::kNever,
            {},
            "0:start 5:finish"},
           {"succeeds on failure policy",
            {.run_duration = 5s},
            kube::RestartPolicy::kOnFailure,
            {},
            "0:start 5:finish"},
           {"crash loop",
            {.run_duration = 5s, .exit_code = 1},
            kube::RestartPolicy::kOnFailure,
            {},
            "0:start 5:restart 10:back-off 20:start 25:back-off 45:start 50:back-off 90:start "
            "95:back-off"},
           {"always restarts, long runs without back-off",
            {.run_duration = 20min},
            kube::RestartPolicy::kAlways,
            {},
            "0:start 1200:restart 2400:restart"},
           {"deadline while running",
            {.start_delay = 2s},
            kube::RestartPolicy::kAlways,
            7s,
            "0:prepare 2:start 7:expire"},
           {"ends before the deadline",
            {.run_duration = 5s},
            kube::RestartPolicy::kNever,
            7s,
            "0:start 5:finish"},
       }) {
    PodState pod{.behaviour = c.behaviour,
                 .restart_policy = c.policy,
                 .active_deadline = c.active_deadline,
                 .bound = kBegin};
    EXPECT_EQ(Live(pod, c.behaviour.run_duration == 20min ? Duration(3000s) : Duration(100s)),
              c.want)
        << c.name;
  }
}

TEST(PodLifecycleTest, DeletionTakesTheGracePeriodOrLess) {
  struct Case {
    const char* name;
    PodStage stage;
    PodBehaviour behaviour;
    Duration grace;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"whole grace", PodStage::kRunning, {}, 30s, "30:remove"},
           {"shorter", PodStage::kRunning, {.termination = 4s}, 30s, "4:remove"},
           {"longer than grace", PodStage::kRunning, {.termination = 60s}, 30s, "30:remove"},
           {"grace 0", PodStage::kRunning, {.termination = 4s}, 0s, "0:remove"},
           {"ends by itself", PodStage::kRunning, {.run_duration = 8s}, 30s, "8:remove"},
           {"not started", PodStage::kNew, {.start_delay = 60s}, 30s, "0:remove"},
           {"preparing", PodStage::kPreparing, {.start_delay = 60s}, 30s, "0:remove"},
           {"finished", PodStage::kFinished, {}, 30s, "0:remove"},
       }) {
    PodState pod{.behaviour = c.behaviour,
                 .stage = c.stage,
                 .bound = kBegin,
                 .run_started = kBegin,
                 .run_finished = kBegin,
                 .deletion_time = kBegin + c.grace,
                 .grace = c.grace};
    EXPECT_EQ(Live(pod, 1h), c.want) << c.name;
  }
}

}  // namespace
}  // namespace basalt::simnode
