// What actions do in a cycle that is bounded: of those that are left when its time is up, and of
// jobs that had their turn before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/intent.h"
#include "scheduler/actions/registry.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;

// The time of each action is up after its first job.
class ShortCycle final : public CycleHost {
 public:
  std::uint64_t cycle() const override { return 1; }
  void SendOut(std::vector<model::Intent> intents) override {
    for (const model::Intent& intent : intents) {
      if (const auto* bind = std::get_if<model::Bind>(&intent))
        bound.push_back(bind->pod->meta.name);
      model::ForEachEviction(
          intent, [&](const model::Evict& evict) { evicted.push_back(evict.pod->meta.name); });
    }
  }
  bool TimeIsLeft(std::string_view) override { return false; }
  bool HasShare(std::string_view) const override { return true; }
  bool HadTurn(model::JobId job) const override { return had_turn.contains(job); }

  std::vector<std::string> bound, evicted;
  std::set<model::JobId> had_turn;
};

class BoundedCycleTest : public testing::Test {
 protected:
  // The jobs that are put off.
  std::vector<std::string> Run(const std::string& action,
                               std::initializer_list<std::string_view> plugin_names) {
    Config config = testutil::OneTier(plugin_names);
    config.actions = {action};
    const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    Session session(given.cluster, *plugins, testutil::kTestNow, nullptr, &cycle);
    (*(*BuiltinActions().Find(action))(Arguments()))->Run(session);
    cycle.SendOut(session.intents());
    std::vector<std::string> put_off;
    for (const Job* job : session.AllJobs()) {
      if (session.IsPutOff(*job)) put_off.push_back(job->name);
    }
    return put_off;
  }

  testutil::TestCluster given;
  ShortCycle cycle;
};

TEST_F(BoundedCycleTest, BackfillSpendsItsTimeOnJobsWithBestEffortPodsAlone) {
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}}));
  for (const char* job : {"large", "a", "b"}) given.Add(MakeGroup(job, "q", 1));
  given.Add(MakePod("large", "large", {{"cpu", "1"}}));
  given.Add(MakePod("a", "a", {})).Add(MakePod("b", "b", {}));
  EXPECT_THAT(Run("backfill", {"gang", "predicates"}), ElementsAre("b"));
  EXPECT_THAT(cycle.bound, ElementsAre("a"));
}

TEST_F(BoundedCycleTest, PreemptLeavesAloneTheJobsThatItHasNoTimeFor) {
  const auto with = [](kube::Pod pod, int priority) {
    pod.spec.priority = priority;
    return pod;
  };
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given.Add(MakeGroup("low", "q", 0), 1);
  given.Add(MakeGroup("first", "q", 1), 9).Add(MakeGroup("second", "q", 1), 5);
  given.Add(with(MakeRunningPod("low", "low", {{"cpu", "1"}}, "n1"), 1));
  given.Add(with(MakeRunningPod("second-0", "second", {{"cpu", "1"}}, "n1"), 1));
  given.Add(MakePod("first", "first", {{"cpu", "1"}}));
  given.Add(with(MakePod("second-1", "second", {{"cpu", "1"}}), 9));
  EXPECT_THAT(Run("preempt", {"priority", "predicates"}), ElementsAre("first", "second"))
      << "more may be done for the first, too";
  EXPECT_THAT(cycle.evicted, ElementsAre("low")) << "and nobody within the second";
}

TEST_F(BoundedCycleTest, APromiseToAJobThatHadItsTurnIsLookedAtInALaterCycle) {
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}})).Add(MakeGroup("g", "q", 1));
  given.Add(MakePod("p", "g", {{"cpu", "2"}}));
  given.cluster.Move(given.task("p").id,
                     {.status = model::TaskStatus::kPipelined, .node = given.node("n1").id});
  cycle.had_turn.insert(given.job("g").id);
  EXPECT_THAT(Run("allocate", {"gang", "predicates"}), IsEmpty());
  EXPECT_THAT(cycle.bound, IsEmpty());
  EXPECT_EQ(given.task("p").status(), model::TaskStatus::kPipelined);
  cycle.had_turn.clear();
  Run("allocate", {"gang", "predicates"});
  EXPECT_THAT(cycle.bound, ElementsAre("p"));
}

// Nobody has looked at them, though their queue came first and was left out.
TEST_F(BoundedCycleTest, AllocatePutsOffTheJobsOfAQueueThatHasItsShareWithTheRest) {
  kube::Queue full = MakeQueue("full");
  full.priority = 9;
  given.Add(std::move(full)).Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}, {"pods", "2"}}));
  given.Add(MakeGroup("runs", "full", 1)).Add(MakeRunningPod("r", "runs", {{"cpu", "2"}}, "n1"));
  given.Add(MakeGroup("kept-back", "full", 1)).Add(MakePod("k", "kept-back", {{"cpu", "1"}}));
  given.Add(MakeGroup("a", "q", 1)).Add(MakePod("a", "a", {{"cpu", "2"}}));
  EXPECT_THAT(Run("allocate", {"gang", "predicates", "proportion"}), ElementsAre("kept-back"));
  EXPECT_THAT(cycle.bound, ElementsAre("a"));
}

}  // namespace
}  // namespace basalt::scheduler
