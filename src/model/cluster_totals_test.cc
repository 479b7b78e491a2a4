// What is wanted of all, by which jobs wait that the whole cluster is too small for; and jobs whose
// part another pod has.
#include <gtest/gtest.h>

#include "model/cluster.h"
#include "testing/model/test_cluster.h"

namespace basalt::model {
namespace {

using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

// "runs" of g has 2 CPUs of 8; w may take up to 7 once it is admitted. All of that is known.
class ClusterTotalsTest : public testing::Test {
 protected:
  ClusterTotalsTest() {
    given_.Add(MakeQueue("root")).Add(MakeQueue("q")).Add(MakeQueue("other"));
    given_.Add(MakeNode("n1", {{"cpu", "8"}}));
    given_.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("runs", "g", {{"cpu", "2"}}, "n1"));
    kube::PodGroup waits = MakeGroup("w", "q", 1, kube::PodGroupPhase::kPending);
    waits.min_resources = testutil::Resources({{"cpu", "7"}});
    given_.Add(std::move(waits)).Add(MakePod("waits", "w", {{"cpu", "7"}}));
    given_.cluster.WakeParked({});
  }
  void SetPhase(JobPhase phase) { given_.cluster.SetPhase(given_.job("w").id, phase); }
  bool LessIsWanted() const { return given_.cluster.WouldWake(Waits::For({Happening::kTotal})); }

  TestCluster given_;
};

TEST_F(ClusterTotalsTest, WhatAnAdmittedJobMayStillTakeIsWanted) {
  SetPhase(JobPhase::kInqueue);
  given_.cluster.WakeParked({});
  EXPECT_FALSE(LessIsWanted());
  SetPhase(JobPhase::kPending);
  EXPECT_TRUE(LessIsWanted());
}

TEST_F(ClusterTotalsTest, OneThatIsAdmittedAndTakenBackHasBeenInTheWayOfOthers) {
  SetPhase(JobPhase::kInqueue);
  EXPECT_FALSE(LessIsWanted());
  SetPhase(JobPhase::kPending);
  EXPECT_TRUE(LessIsWanted());
}

TEST_F(ClusterTotalsTest, SoHasOneThatIsCountedWithItsPodAgain) {
  const JobId job = given_.job("w").id;
  given_.cluster.SetCountsWithPod(job, true);
  SetPhase(JobPhase::kInqueue);
  given_.cluster.WakeParked({});
  given_.cluster.SetCountsWithPod(job, false);
  EXPECT_FALSE(LessIsWanted());
  given_.cluster.SetCountsWithPod(job, true);
  EXPECT_TRUE(LessIsWanted());
}

TEST_F(ClusterTotalsTest, WhatIsHeldWhenALookEndsIsWhatWasInTheWay) {
  given_.Add(MakeRunningPod("more", "g", {{"cpu", "1"}}, "n1"));
  given_.cluster.EndOfLook();
  EXPECT_FALSE(LessIsWanted());
  given_.cluster.RemovePod("ns", "more");
  EXPECT_TRUE(LessIsWanted());
}

TEST_F(ClusterTotalsTest, AJobThatCountsWithAPodIsInNoQueuesBooksWhereverItGoes) {
  const JobId job = given_.job("g").id;
  const auto allocated = [&](const char* queue) {
    EXPECT_EQ(given_.queue(queue).own.allocated.value(), given_.queue(queue).own.elastic.value());
    EXPECT_EQ(given_.cluster.CheckLedgers(), "");
    return given_.queue(queue).own.allocated.value().milli_cpu();
  };
  EXPECT_EQ(allocated("q"), 2000);
  given_.cluster.SetCountsWithPod(job, true);
  EXPECT_EQ(allocated("q"), 0);
  given_.cluster.PutInQueue(job, "other");
  EXPECT_EQ(allocated("q"), 0);
  EXPECT_EQ(allocated("other"), 0);
  given_.cluster.SetCountsWithPod(job, false);
  EXPECT_EQ(allocated("other"), 2000);
}

}  // namespace
}  // namespace basalt::model
