// What holds for several actions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/actions/actions_test_util.h"

namespace basalt::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

TEST(EvictionTest, NobodyLeavesForAJobThatIsNotInItsQueueOrIncomplete) {
  for (const std::string action : {"preempt", "reclaim"}) {
    TestCluster given;
    given.Add(MakeQueue("p")).Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}}));
    given.Add(MakeGroup("low", action == "preempt" ? "q" : "p", 0), 1);
    given.Add(MakeRunningPod("low", "low", {{"cpu", "1"}}, "n1"));
    given.Add(MakeGroup("out", "q", 1, kube::PodGroupPhase::kPending), 9);
    given.Add(MakePod("out", "out", {{"cpu", "1"}}));
    given.Add(MakeGroup("part", "q", 2), 9).Add(MakePod("part", "part", {{"cpu", "1"}}));
    EXPECT_THAT(RunCycle(given, {action}, {"gang"}).evicted, IsEmpty()) << action;
    given.Add(MakeGroup("in", "q", 1), 9).Add(MakePod("in", "in", {{"cpu", "1"}}));
    EXPECT_THAT(RunCycle(given, {action}, {"gang"}).evicted, ElementsAre("low")) << action;
  }
}

}  // namespace
}  // namespace basalt::scheduler
