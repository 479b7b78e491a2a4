// deps: basalt_testing_settling basalt_scheduler_simulate
// What people are told, against what the scheduler does: random clusters on virtual time in which
// pods wait. Each explanation says what the pod's condition says, and the change that it names,
// made, lets that pod run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "kube/types/reasons.h"
#include "scheduler/framework/fit_failure.h"
#include "testing/seeds.h"
#include "tests/explain/waiting_world.h"

namespace basalt::testutil {
namespace {

using scheduler::explain::Explanation;
using scheduler::explain::Stage;

struct Tally {
  std::map<std::string, int> reasons;
  int pods = 0, changes = 0;
  int older = 0;  // conditions that name other reasons of nodes than there are now
};

Explanation Explain(WaitingWorld& world, const std::string& key) {
  auto explainer = world.cluster().scheduler().MakeExplainer();
  Explanation got = *explainer->Pod("ns", key.substr(3));
  EXPECT_EQ(world.cluster().scheduler().state().cluster().CheckLedgers(), "") << key;
  return got;
}

std::string Show(const Explanation& got) {
  return fmt::format("{} {} ({}): {}\n  change: {}", scheduler::explain::ToString(got.stage),
                     got.reason, got.condition, got.message, got.change);
}

// Whether a pod whose condition has that reason may be at the stage.
bool MayBeAt(Stage stage, std::string_view reason) {
  if (reason == reasons::kQueueNotFound) return stage == Stage::kEnqueue;
  const bool of_gang = stage == Stage::kGang;
  // A gang may wait for what one of its pods waits for.
  const bool of_queue = of_gang || stage == Stage::kEnqueue || stage == Stage::kQueue;
  if (reason == reasons::kWaitsForQueue) return of_queue;
  if (reason == reasons::kUnschedulable) return of_queue || stage == Stage::kNode;
  for (const std::string_view lacks_pods :
       {reasons::kGroupNotFound, reasons::kNotEnoughPods, reasons::kMembersGated}) {
    if (reason == lacks_pods) return of_gang;
  }
  return false;  // no pod of these clusters waits for anything else
}

bool IsOfNodes(std::string_view message) { return message.contains(" nodes are available: "); }

// "" where the explanation says what the pod's condition says.
std::string Differs(const kube::Pod& pod, const Explanation& got, int& older) {
  const kube::Condition* said = kube::FindCondition(pod.status.conditions, "PodScheduled");
  if (!pod.spec.scheduling_gates.empty()) {
    return got.stage == Stage::kGated || got.stage == Stage::kGang ? "" : "it is gated";
  }
  if (!said) return "it has no condition";
  if (!pod.status.nominated_node_name.empty()) {
    return got.stage == Stage::kPipelined && said->reason == "Unschedulable" ? ""
                                                                             : "it is promised";
  }
  if (said->reason != got.condition) return "it has another reason";
  if (!MayBeAt(got.stage, said->reason)) return "it is at another stage";
  const std::string words = got.message.substr(0, said->message.size());
  const bool same = words == said->message ||
                    scheduler::StillHolds(said->message.substr(0, said->message.find(';')),
                                          got.message.substr(0, got.message.find(';')));
  // A node that another pod has filled since refuses for want of room what it refused for another
  // reason; nothing that helps has happened, and nothing is written.
  if (!same && IsOfNodes(said->message) && IsOfNodes(got.message)) {
    ++older;
    return "";
  }
  return same ? "" : "it has another message";
}

void Check(std::uint64_t seed, Tally& tally) {
  WaitingWorld world(seed);
  world.Settle();
  for (const std::string& key : world.Waiting()) {
    const kube::Pod& pod = *world.cluster().FindPod(key);
    const Explanation got = Explain(world, key);
    ++tally.pods;
    ++tally.reasons[fmt::format("{} {}", scheduler::explain::ToString(got.stage), got.reason)];
    const kube::Condition* said = kube::FindCondition(pod.status.conditions, "PodScheduled");
    EXPECT_EQ(Differs(pod, got, tally.older), "")
        << key << "\n  explained: " << Show(got)
        << "\n  condition: " << (said ? said->reason + ": " + said->message : "none");
    if (got.change.empty()) continue;
    ++tally.changes;
    WaitingWorld again(seed);
    again.Settle();
    EXPECT_EQ(again.Make(got.change, key), "") << key << "\n  " << Show(got);
    again.cluster().loop().RunFor(75s);
    const kube::Pod* then = again.cluster().FindPod(key);
    const bool ran =
        std::ranges::any_of(again.cluster().evictions(),
                            [&](const Eviction& eviction) { return eviction.victim == key; });
    EXPECT_TRUE(ran || (then && then->bound()))
        << key << " does not run\n  explained: " << Show(got)
        << "\n  then: " << (then ? Show(Explain(again, key)) : "gone") << "\n"
        << again.cluster().trace();
  }
}

TEST(AgainstSchedulerTest, ExplanationsSayWhatConditionsSayAndTheirChangesHelp) {
  Tally tally;
  const bool all = ForEachSeed(160, [&](std::uint64_t seed) { Check(seed, tally); });
  fmt::print(
      "figures: {} waiting pods, {} with a change; {} conditions with older reasons of nodes\n",
      tally.pods, tally.changes, tally.older);
  for (const auto& [reason, count] : tally.reasons) fmt::print("figures: {}: {}\n", reason, count);
  if (!all) return;
  EXPECT_GE(tally.pods, 2000);
  EXPECT_LE(tally.older * 100, tally.pods);
}

// Seeds that showed something wrong once: a change that was not tried to its end (483, 618), one
// that named a node that there is only in thought (660), nodes that were told of where the queue is
// full (668, 691), reasons that only the first of a backlog gave (857, 1197).
TEST(AgainstSchedulerTest, WhatWasOnceWrongIsRight) {
  if (OneSeedOnly()) return;
  Tally tally;
  for (const std::uint64_t seed : {483, 618, 660, 668, 691, 857, 1197}) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Check(seed, tally);
  }
}

}  // namespace
}  // namespace basalt::testutil
