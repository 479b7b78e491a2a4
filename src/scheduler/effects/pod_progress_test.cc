#include "scheduler/effects/pod_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "model/annotations.h"

namespace basalt::scheduler {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using PodPtr = std::shared_ptr<const kube::Pod>;

kube::Pod Plain(std::string nominated = "") {
  kube::Pod pod;
  pod.meta.uid = "u1";
  pod.meta.resource_version = "1";
  pod.status.nominated_node_name = std::move(nominated);
  return pod;
}

kube::Pod Gated() {
  kube::Pod pod = Plain();
  pod.spec.scheduling_gates.emplace_back(model::annotations::kQueueAllocationGate);
  return pod;
}

PodPtr Shared(kube::Pod pod) { return std::make_shared<const kube::Pod>(std::move(pod)); }

model::Promise PromiseOf(kube::Pod pod, std::string node, int victims = 0) {
  return {.pod = Shared(std::move(pod)),
          .node = std::move(node),
          .reason = "Unschedulable",
          .message = "promised",
          .victims = std::vector<model::Evict>(static_cast<std::size_t>(victims))};
}

std::shared_ptr<const model::Bind> BindOf(kube::Pod pod, int claims = 0) {
  return std::make_shared<const model::Bind>(
      model::Bind{.pod = Shared(std::move(pod)),
                  .node = "n1",
                  .volumes = std::vector<model::VolumeChoice>(static_cast<std::size_t>(claims))});
}

model::PodWaits WaitsOf(kube::Pod pod, std::string message = "no room") {
  return {.pod = Shared(std::move(pod)), .reason = "Unschedulable", .message = std::move(message)};
}

// One step, which works.
std::string Take(PodProgress& pod, PodStep step) {
  switch (step) {
    case PodStep::kNothing: return "nothing";
    case PodStep::kSay: {
      const WaitingStatus unsaid = BeginSaying(pod);
      EXPECT_EQ(NextStep(pod), PodStep::kNothing) << "two writes at a time";
      SaidWell(pod);
      return unsaid.nominated_node ? "say:" + *unsaid.nominated_node : "say";
    }
    case PodStep::kEvict: pod.victims.clear(); return "evict";
    case PodStep::kUngate:
      pod.ungate = false;
      UngateEnded(pod, true);
      return "ungate";
    case PodStep::kVolumes: VolumesBound(pod); return "volumes";
    case PodStep::kBind: BindEnded(pod); return "bind";
  }
  return "?";
}

// All steps that are to be taken, one after the other.
std::string Live(PodProgress& pod) {
  std::string story;
  for (PodStep step = NextStep(pod); step != PodStep::kNothing; step = NextStep(pod)) {
    story += (story.empty() ? "" : " ") + Take(pod, step);
  }
  return story;
}

TEST(PodProgressTest, ThePodIsBroughtWhereItIsWantedStepByStep) {
  struct Case {
    const char* name;
    std::function<void(PodProgress&)> wanted;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"waits", [](PodProgress& pod) { WantReason(pod, WaitsOf(Plain())); }, "say"},
           {"promised", [](PodProgress& pod) { WantPromise(pod, PromiseOf(Plain(), "n1")); },
            "say:n1"},
           {"promised somebody's place",
            [](PodProgress& pod) { WantPromise(pod, PromiseOf(Plain(), "n1", 2)); },
            "say:n1 evict"},
           {"promised while it is gated",
            [](PodProgress& pod) {
              model::Promise promise = PromiseOf(Gated(), "n1", 1);
              promise.reason.clear();
              promise.evictions = "[1]";
              WantPromise(pod, std::move(promise));
            },
            "say evict"},
           {"nominated there already",
            [](PodProgress& pod) {
              model::Promise promise = PromiseOf(Plain("n1"), "n1", 1);
              promise.reason.clear();
              WantPromise(pod, std::move(promise));
            },
            "evict"},
           {"the promise is taken back",
            [](PodProgress& pod) { WantPromise(pod, PromiseOf(Plain("n1"), "")); }, "say:"},
           {"two reasons, one write",
            [](PodProgress& pod) {
              WantReason(pod, WaitsOf(Plain(), "a"));
              WantReason(pod, WaitsOf(Plain(), "b"));
            },
            "say"},
           {"its gate goes", [](PodProgress& pod) { WantUngated(pod, {.pod = Shared(Gated())}); },
            "ungate"},
           {"its gate goes before anything is said of it",
            [](PodProgress& pod) {
              WantReason(pod, WaitsOf(Gated()));
              WantUngated(pod, {.pod = Shared(Gated())});
            },
            "ungate say"},
           {"placed", [](PodProgress& pod) { WantBound(pod, BindOf(Plain())); }, "bind"},
           {"placed with a gate", [](PodProgress& pod) { WantBound(pod, BindOf(Gated())); },
            "ungate bind"},
           {"placed with claims", [](PodProgress& pod) { WantBound(pod, BindOf(Plain(), 1)); },
            "volumes bind"},
           {"placed with both", [](PodProgress& pod) { WantBound(pod, BindOf(Gated(), 2)); },
            "volumes ungate bind"},
           {"ungated, then placed before that is seen",
            [](PodProgress& pod) {
              WantUngated(pod, {.pod = Shared(Gated())});
              EXPECT_EQ(Live(pod), "ungate");
              WantBound(pod, BindOf(Gated()));
            },
            "bind"},
           {"promised, then placed",
            [](PodProgress& pod) {
              WantPromise(pod, PromiseOf(Plain(), "n1", 1));
              EXPECT_THAT(WantBound(pod, BindOf(Plain())), SizeIs(1));
            },
            "bind"},
       }) {
    PodProgress pod;
    c.wanted(pod);
    EXPECT_EQ(Live(pod), c.want) << c.name;
  }
}

TEST(PodProgressTest, NobodyLeavesForAPromiseThatIsNotWrittenYet) {
  PodProgress pod;
  WantPromise(pod, PromiseOf(Plain(), "n1", 1));
  BeginSaying(pod);
  // Another one meanwhile: the first one's victims stay, and the second one's wait.
  EXPECT_THAT(WantPromise(pod, PromiseOf(Plain(), "n2", 2)), SizeIs(1));
  SaidWell(pod);
  EXPECT_THAT(pod.victims, SizeIs(2));
  EXPECT_EQ(Live(pod), "say:n2 evict");
}

TEST(PodProgressTest, TheSamePromiseAgainKeepsThoseWhoLeaveForIt) {
  PodProgress pod;
  WantPromise(pod, PromiseOf(Plain(), "n1", 2));
  EXPECT_THAT(WantPromise(pod, PromiseOf(Plain(), "n1")), IsEmpty());
  EXPECT_THAT(pod.victims, SizeIs(2));
}

TEST(PodProgressTest, ANominationThatWasUnderWayWhenThePodWasPlacedIsClearedAfterwards) {
  PodProgress pod;
  WantPromise(pod, PromiseOf(Plain(), "n1"));
  BeginSaying(pod);
  WantBound(pod, BindOf(Plain()));
  SaidWell(pod);
  EXPECT_EQ(Live(pod), "bind say:");
  EXPECT_TRUE(IsBlank(pod));
}

// What the watch shows may be older than our own write, or newer.
TEST(PodProgressTest, WhatIsKnownToStandIsNotSaidAgain) {
  struct Case {
    const char* name;
    std::string shown;  // nominated, by the watch
    std::string version;
    std::string wanted;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"our write, before its echo", "", "1", "n1", ""},
           {"our write, after its echo", "n1", "2", "n1", ""},
           {"something else, before the echo", "", "1", "n2", "say:n2"},
           {"cleared, before the echo", "", "1", "", "say:"},
           {"another version between, which may be from before it", "", "2", "n1", "say:n1"},
           {"another version between, cleared", "", "2", "", "say:"},
           {"somebody else wrote there", "n9", "2", "n1", "say:n1"},
       }) {
    PodProgress pod;
    WantPromise(pod, PromiseOf(Plain(), "n1"));
    EXPECT_EQ(Live(pod), "say:n1");
    kube::Pod seen = Plain(c.shown);
    seen.meta.resource_version = c.version;
    model::Promise again = PromiseOf(std::move(seen), c.wanted);
    again.reason.clear();
    WantPromise(pod, std::move(again));
    EXPECT_EQ(Live(pod), c.want) << c.name;
  }
}

TEST(PodProgressTest, AfterAWriteThatFailedNothingIsKnownOfTheNomination) {
  PodProgress pod;
  WantPromise(pod, PromiseOf(Plain(), "n1"));
  BeginSaying(pod);
  EXPECT_EQ(SayingFailed(pod).nominated_node, "n1");
  EXPECT_FALSE(IsBlank(pod));
  WantPromise(pod, PromiseOf(Plain(), ""));  // it may stand there for all we know
  EXPECT_EQ(Live(pod), "say:");
}

TEST(PodProgressTest, TheRecordOfEvictionsIsWrittenOnceAlsoBeforeItsEcho) {
  PodProgress pod;
  model::Promise promise = PromiseOf(Plain(), "n1");
  promise.evictions = "[1]";
  WantPromise(pod, promise);
  EXPECT_EQ(Live(pod), "say:n1");
  WantPromise(pod, promise);
  EXPECT_EQ(Live(pod), "");
  promise.evictions = "[1,2]";
  WantPromise(pod, promise);
  EXPECT_EQ(Live(pod), "say");
}

TEST(PodProgressTest, TheTimeOfATransitionIsWrittenOnce) {
  PodProgress pod;
  WantReason(pod, WaitsOf(Plain(), "a"));
  EXPECT_TRUE(Unsaid(pod).is_transition);
  EXPECT_EQ(Live(pod), "say");
  WantReason(pod, WaitsOf(Plain(), "b"));
  EXPECT_FALSE(Unsaid(pod).is_transition);
}

}  // namespace
}  // namespace basalt::scheduler
