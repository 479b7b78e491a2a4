#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/actions/actions_test_util.h"

namespace basalt::scheduler {
namespace {

using model::JobPhase;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::TestCluster;

TEST(EnqueueTest, AGroupWithoutMinimumEntersAndOthersByVote) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  given.Add(MakeGroup("g", "q", 1, kube::PodGroupPhase::kPending));
  RunCycle(given, {"enqueue"}, {"gang"});
  EXPECT_EQ(given.job("g").phase, JobPhase::kInqueue);
  EXPECT_EQ(given.job("g").schedule_start, testutil::kTestNow) << "a cycle has seen it";
}

TEST(EnqueueTest, AJobWithPodsThatItsQueueAdmittedBeforeARestartEntersWithoutAVote) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"cpu", "2"}});
  given.Add(queue);
  for (const char* job : {"admitted", "new"}) {
    kube::PodGroup group = MakeGroup(job, "q", 1, kube::PodGroupPhase::kPending);
    group.min_resources = testutil::Resources({{"cpu", "4"}});
    given.Add(std::move(group));
    given.Add(OptedIn(MakePod(job, job, {{"cpu", "4"}}), job == std::string_view("new")));
  }
  RunCycle(given, {"enqueue"}, {"gang", "capacity"});
  EXPECT_EQ(given.job("admitted").phase, JobPhase::kInqueue);
  EXPECT_EQ(given.job("new").phase, JobPhase::kPending);
}

}  // namespace
}  // namespace basalt::scheduler
