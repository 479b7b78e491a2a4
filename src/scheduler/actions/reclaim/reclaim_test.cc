#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/actions/actions_test_util.h"

namespace basalt::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

TEST(ReclaimTest, NobodyLeavesForABestEffortTaskThatHasAPlace) {
  TestCluster given;
  given.Add(MakeQueue("q1")).Add(MakeQueue("q2"));
  given.Add(MakeNode("n1", {{"cpu", "1"}, {"pods", "1"}}));
  given.Add(MakeNode("n2", {{"cpu", "1"}, {"pods", "5"}}));
  given.Add(MakeGroup("old", "q1", 1)).Add(MakeGroup("new", "q2", 1));
  kube::Pod running = MakeRunningPod("running", "old", {{"cpu", "1"}}, "n1");
  running.meta.annotations.Set("volcano.sh/preemptable", "true");
  given.Add(std::move(running)).Add(MakePod("a", "new", {}));
  const Decisions decisions =
      RunCycle(given, {"reclaim", "backfill"}, {"gang", "predicates", "proportion"});
  EXPECT_THAT(decisions.evicted, IsEmpty());
  EXPECT_THAT(decisions.binds, ElementsAre(Pair("a", "n2")));
}

TEST(ReclaimTest, NeitherOnesOwnQueueNorAPodOfNoGroupGivesAnythingBack) {
  TestCluster given;
  given.Add(MakeQueue("p")).Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "3"}}));
  for (const char* queue : {"p", "q"}) {
    given.Add(MakeGroup(std::string("of-") + queue, queue, 0));
    given.Add(MakeRunningPod(queue, std::string("of-") + queue, {{"cpu", "1"}}, "n1"));
  }
  given.Add(MakeRunningPod("of-none", "missing", {{"cpu", "1"}}, "n1"));
  given.Add(MakeGroup("new", "q", 1)).Add(MakePod("new", "new", {{"cpu", "1"}}));
  EXPECT_THAT(RunCycle(given, {"reclaim"}, {"gang"}).evicted, ElementsAre("p"));
}

}  // namespace
}  // namespace basalt::scheduler
