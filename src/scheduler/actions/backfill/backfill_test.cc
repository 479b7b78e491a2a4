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

TEST(BackfillTest, BestEffortTasksNeedNoRoom) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}}));
  given.Add(MakeGroup("g", "q", 1)).Add(MakeGroup("full", "q", 1));
  given.Add(MakeRunningPod("x", "full", {{"cpu", "1"}}, "n1"));
  given.Add(MakePod("a", "g", {}));
  EXPECT_THAT(RunCycle(given, {"allocate", "backfill"}, {"gang", "predicates"}).binds,
              ElementsAre(Pair("a", "n1")));
}

TEST(BackfillTest, AGangOfBestEffortTasksThatIsOneShortBindsNothing) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}, {"pods", "2"}}));
  given.Add(MakeGroup("g", "q", 3));
  for (const char* pod : {"a", "b", "c"}) given.Add(MakePod(pod, "g", {}));
  EXPECT_THAT(RunCycle(given, {"backfill"}, {"gang", "predicates"}).binds, IsEmpty());
  given.Add(MakeNode("n2", {{"cpu", "2"}, {"pods", "2"}}));
  EXPECT_EQ(RunCycle(given, {"backfill"}, {"gang", "predicates"}).binds.size(), 3u);
}

TEST(BackfillTest, AJobThatIsNotInItsQueueOrIncompleteIsLeftAlone) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}}));
  given.Add(MakeGroup("out", "q", 1, kube::PodGroupPhase::kPending)).Add(MakePod("a", "out", {}));
  given.Add(MakeGroup("part", "q", 2)).Add(MakePod("b", "part", {}));
  EXPECT_THAT(RunCycle(given, {"backfill"}, {"gang", "predicates"}).binds, IsEmpty());
}

}  // namespace
}  // namespace basalt::scheduler
