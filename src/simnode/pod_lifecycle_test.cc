#include "simnode/pod_lifecycle.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::simnode {
namespace {

constexpr Time kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// "w" waiting, "r" running, "r2" after two restarts, "b" backing off, "x3" ended with that code.
std::string Short(const ContainerLife& life) {
  switch (life.stage) {
    case ContainerStage::kWaiting: return "w";
    case ContainerStage::kRunning:
      return life.restarts > 0 ? fmt::format("r{}", life.restarts) : "r";
    case ContainerStage::kBackOff: return "b";
    case ContainerStage::kEnded: return fmt::format("x{}", life.last->exit_code);
  }
  return "?";
}

// "wait", "init(r,w)", "r,x0", "failed(x1)".
std::string Short(const PodState& pod) {
  std::string init, containers;
  for (const ContainerLife& life : pod.init) init += (init.empty() ? "" : ",") + Short(life);
  for (const ContainerLife& life : pod.containers) {
    containers += (containers.empty() ? "" : ",") + Short(life);
  }
  switch (pod.stage) {
    case PodStage::kNew: return "new";
    case PodStage::kPreparing: return "wait";
    case PodStage::kInitializing: return "init(" + init + ")";
    case PodStage::kRunning: return containers;
    case PodStage::kFinished:
      return fmt::format("{}({})",
                         pod.expired  ? "expired"
                         : pod.failed ? "failed"
                                      : "done",
                         init.empty() ? containers : init + "/" + containers);
  }
  return "?";
}

// Lives the pod's life and writes it down: "0:r 5:done(x0)".
std::string Live(PodState pod, Duration until) {
  pod.init.resize(pod.behaviour.init.size());
  pod.containers.resize(pod.behaviour.containers.size());
  std::string story;
  Time now = kBegin;
  while (true) {
    PodStep step = NextStep(pod, now);
    if (step.action == PodStep::Action::kWait) {
      if (!step.at || *step.at > kBegin + until) return story;
      EXPECT_GT(*step.at, now);
      now = *step.at;
      continue;
    }
    if (!story.empty()) story += ' ';
    story +=
        fmt::format("{}:", std::chrono::duration_cast<std::chrono::seconds>(now - kBegin).count());
    if (step.action == PodStep::Action::kRemove) return story + "remove";
    pod = std::move(*step.next);
    story += Short(pod);
  }
}

constexpr auto kAlways = kube::RestartPolicy::kAlways;
constexpr auto kOnFailure = kube::RestartPolicy::kOnFailure;
constexpr auto kNever = kube::RestartPolicy::kNever;

TEST(PodLifecycleTest, LivesAsItsSpecificationSays) {
  struct Case {
    const char* name;
    PodBehaviour behaviour;
    kube::RestartPolicy policy;
    const char* want;
    std::optional<Duration> active_deadline = {};
    Duration until = 100s;
  };
  const ContainerBehaviour server{}, five{5s}, nine{9s}, fails{5s, 1}, at_once{0s, 2};
  const ContainerBehaviour sidecar{.sidecar = true};
  for (const Case& c : std::initializer_list<Case>{
           {"for ever", {.containers = {server}}, kAlways, "0:r"},
           {"delayed", {.start_delay = 3s, .containers = {server}}, kAlways, "0:wait 3:r"},
           {"ends", {.containers = {five}}, kNever, "0:r 5:done(x0)"},
           {"fails once", {.containers = {fails}}, kNever, "0:r 5:failed(x1)"},
           {"succeeds on failure policy", {.containers = {five}}, kOnFailure, "0:r 5:done(x0)"},
           {"crash loop",
            {.containers = {fails}},
            kOnFailure,
            "0:r 5:r1 10:b 20:r2 25:b 45:r3 50:b 90:r4 95:b"},
           {"the back-off has a limit",
            {.containers = {at_once}},
            kOnFailure,
            "0:r 0:r1 0:b 10:r2 10:b 30:r3 30:b 70:r4 70:b 150:r5 150:b 310:r6 310:b 610:r7 610:b "
            "910:r8 910:b",
            {},
            1000s},
           {"always restarts, long runs without back-off",
            {.containers = {{20min}}},
            kAlways,
            "0:r 1200:r1 2400:r2",
            {},
            3000s},
           {"what takes no time is seen to run",
            {.containers = {at_once}},
            kNever,
            "0:r 0:failed(x2)"},
           {"deadline while running",
            {.start_delay = 2s, .containers = {server}},
            kAlways,
            "0:wait 2:r 7:expired(x137)",
            7s},
           {"ends before the deadline", {.containers = {five}}, kNever, "0:r 5:done(x0)", 7s},
           {"deadline before it ran",
            {.start_delay = 20s, .containers = {server}},
            kAlways,
            "0:wait 7:expired(x137)",
            7s},

           {"ends with its last container",
            {.containers = {five, nine}},
            kNever,
            "0:r,r 5:x0,r 9:done(x0,x0)"},
           {"one failure fails it, at the end",
            {.containers = {fails, nine}},
            kNever,
            "0:r,r 5:x1,r 9:failed(x1,x0)"},
           {"runs as long as one does", {.containers = {five, server}}, kNever, "0:r,r 5:x0,r"},
           {"only what fails is started again",
            {.containers = {fails, nine}},
            kOnFailure,
            "0:r,r 5:r1,r 9:r1,x0 10:b,x0 20:r2,x0 25:b,x0 45:r3,x0",
            {},
            45s},
           {"each restarts by itself",
            {.containers = {five, nine}},
            kAlways,
            "0:r,r 5:r1,r 9:r1,r1 10:b,r1 18:b,b 20:r2,b",
            {},
            20s},

           {"init containers in turn",
            {.init = {five, nine}, .containers = {server}},
            kAlways,
            "0:init(r,w) 5:init(x0,r) 14:r"},
           {"init containers that take no time cost no write",
            {.init = {{0s}, {0s}}, .containers = {server}},
            kAlways,
            "0:r"},
           {"an init container that fails ends the pod",
            {.init = {five, fails, nine}, .containers = {server}},
            kNever,
            "0:init(r,w,w) 5:init(x0,r,w) 10:failed(x0,x1,w/w)"},
           {"or is started again",
            {.init = {fails}, .containers = {server}},
            kAlways,
            "0:init(r) 5:init(r1) 10:init(b) 20:init(r2)",
            {},
            20s},
           {"a sidecar goes on and ends with the others",
            {.init = {sidecar, five}, .containers = {nine}},
            kNever,
            "0:init(r,r) 5:r 14:done(x0,x0/x0)"},
       }) {
    PodState pod{.behaviour = c.behaviour,
                 .restart_policy = c.policy,
                 .active_deadline = c.active_deadline,
                 .bound = kBegin};
    EXPECT_EQ(Live(pod, c.until), c.want) << c.name;
  }
}

TEST(PodLifecycleTest, DeletionTakesTheGracePeriodOrLess) {
  struct Case {
    const char* name;
    PodStage stage;
    ContainerLife life;
    ContainerBehaviour behaviour;
    std::optional<Duration> termination;
    Duration grace;
    const char* want;
  };
  const ContainerLife running{.stage = ContainerStage::kRunning, .started = kBegin};
  const ContainerLife ended{.stage = ContainerStage::kEnded, .last = EndedRun{kBegin, kBegin}};
  const ContainerLife resting{.stage = ContainerStage::kBackOff, .last = EndedRun{kBegin, kBegin}};
  for (const Case& c : std::initializer_list<Case>{
           {"whole grace", PodStage::kRunning, running, {}, {}, 30s, "30:remove"},
           {"shorter", PodStage::kRunning, running, {}, 4s, 30s, "4:remove"},
           {"longer than grace", PodStage::kRunning, running, {}, 60s, 30s, "30:remove"},
           {"grace 0", PodStage::kRunning, running, {}, 4s, 0s, "0:remove"},
           {"ends by itself", PodStage::kRunning, running, {8s}, {}, 30s, "8:remove"},
           {"between two runs", PodStage::kRunning, resting, {8s}, {}, 30s, "0:remove"},
           {"not started", PodStage::kNew, {}, {}, {}, 30s, "0:remove"},
           {"preparing", PodStage::kPreparing, {}, {}, {}, 30s, "0:remove"},
           {"finished", PodStage::kFinished, ended, {}, {}, 30s, "0:remove"},
           {"said to have finished", PodStage::kFinished, running, {}, {}, 30s, "0:remove"},
       }) {
    PodState pod{.behaviour = {.containers = {c.behaviour}, .termination = c.termination},
                 .stage = c.stage,
                 .bound = kBegin,
                 .containers = {c.life},
                 .deletion_time = kBegin + c.grace,
                 .grace = c.grace};
    EXPECT_EQ(Live(pod, 1h), c.want) << c.name;
  }
}

TEST(PodLifecycleTest, KillingEndsWhatRunsAndKeepsWhatHasEnded) {
  PodState pod{.behaviour = {.containers = {{}, {3s, 4}, {}, {}}},
               .stage = PodStage::kRunning,
               .bound = kBegin};
  const ContainerLife running{.stage = ContainerStage::kRunning, .started = kBegin};
  pod.containers = {running,
                    running,
                    {.stage = ContainerStage::kEnded, .last = EndedRun{kBegin, kBegin, 0}},
                    {.stage = ContainerStage::kBackOff, .last = EndedRun{kBegin, kBegin, 2}}};
  EXPECT_EQ(Short(Killed(pod, kBegin + 5s)), "failed(x137,x4,x0,x2)");
  pod.containers = {running};
  pod.behaviour.containers = {{5s}};
  EXPECT_EQ(Short(Killed(pod, kBegin + 5s)), "done(x0)");
}

}  // namespace
}  // namespace basalt::simnode
