#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testing::ElementsAre;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

class GangTest : public testing::Test {
 protected:
  GangTest() { given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "8"}, {"memory", "8Gi"}})); }
  Session& Open() {
    plugins_ = testutil::MakePlugins(testutil::OneTier({"gang"}), BuiltinPlugins());
    return session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  }

  TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(GangTest, NeverCutsAJobBelowItsMinimum) {
  given_.Add(MakeGroup("train", "q", 2)).Add(MakeGroup("other", "q", 1));
  for (const char* name : {"a", "b", "c"}) {
    given_.Add(MakeRunningPod(name, "train", {{"cpu", "1"}}, "n1"));
  }
  given_.Add(MakePod("p", "other", {{"cpu", "1"}}));
  const Session& session = Open();
  EXPECT_THAT(testutil::Names(session.Preemptable(given_.task("p"), given_.tasks({"a", "b", "c"}))),
              ElementsAre("a"));
}

TEST_F(GangTest, RefusesAJobWithTooFewPods) {
  given_.Add(MakeGroup("train", "q", 2)).Add(MakePod("a", "train", {{"cpu", "1"}}));
  EXPECT_EQ(Open().ValidateJob(given_.job("train")).reason, reasons::kNotEnoughPods);
}

TEST_F(GangTest, RefusesAJobWithTooFewPodsOfARole) {
  auto group = MakeGroup("train", "q", 2);
  group.min_task_member = {{"master", 1}};
  given_.Add(std::move(group));
  for (const char* name : {"a", "b"}) given_.Add(MakePod(name, "train", {{"cpu", "1"}}));
  EXPECT_EQ(Open().ValidateJob(given_.job("train")).reason, reasons::kNotEnoughPodsOfTask);
}

TEST_F(GangTest, OrdersJobsThatAreNotReadyFirst) {
  given_.Add(MakeGroup("ready", "q", 1)).Add(MakeRunningPod("a", "ready", {{"cpu", "1"}}, "n1"));
  given_.Add(MakeGroup("waits", "q", 1)).Add(MakePod("b", "waits", {{"cpu", "1"}}));
  EXPECT_TRUE(Open().JobBefore(given_.job("waits"), given_.job("ready")));
}

TEST_F(GangTest, PendingBestEffortTasksCountAsReady) {
  given_.Add(MakeGroup("train", "q", 1)).Add(MakePod("a", "train", {}));
  EXPECT_TRUE(Open().IsJobReady(given_.job("train")));
}

TEST_F(GangTest, SaysOnTheGroupHowManyTasksAreMissing) {
  given_.Add(MakeGroup("train", "q", 2));
  for (const char* name : {"a", "b"}) given_.Add(MakePod(name, "train", {{"cpu", "1"}}));
  Session& session = Open();
  session.Close();
  ASSERT_EQ(session.intents().size(), 1u);
  const auto& status = std::get<model::GroupStatus>(session.intents()[0]);
  ASSERT_EQ(status.conditions.size(), 1u);
  EXPECT_EQ(status.conditions[0].type, "Unschedulable");
  EXPECT_EQ(status.conditions[0].message,
            "2/2 tasks in gang unschedulable: pod group is not ready, 2 Pending, 2 minAvailable; "
            "Pending: 2 Unschedulable");
}

TEST_F(GangTest, AGroupWhosePodsAreGoneNoLongerSaysWhatTheyWaitedFor) {
  kube::PodGroup group = MakeGroup("train", "q", 2);
  given_.Add(group);
  Open().Close();
  EXPECT_TRUE(session_->intents().empty()) << "its pods may be on their way";
  group.conditions.push_back({.type = "Unschedulable",
                              .status = kube::ConditionStatus::kTrue,
                              .reason = "NotEnoughResources",
                              .message = "2/2 tasks in gang unschedulable"});
  given_.Add(std::move(group));
  Open().Close();
  ASSERT_EQ(session_->intents().size(), 1u);
  const auto& status = std::get<model::GroupStatus>(session_->intents()[0]);
  ASSERT_EQ(status.conditions.size(), 1u);
  EXPECT_EQ(status.conditions[0].reason, reasons::kNotEnoughPods);
  EXPECT_EQ(status.conditions[0].message, "the group needs 2 pods and has 0");
}

TEST_F(GangTest, SaysOfTasksThatCouldBePlacedThatTheyAreSchedulable) {
  given_.Add(MakeGroup("train", "q", 1)).Add(MakePod("a", "train", {{"cpu", "1"}}));
  Session& session = Open();
  Statement(session).Allocate(given_.task("a").id, given_.node("n1").id);
  session.Close();
  EXPECT_EQ(std::get<model::GroupStatus>(session.intents().back()).conditions.at(0).message,
            "0/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; "
            "Pending: 1 Schedulable");
}

}  // namespace
}  // namespace basalt::scheduler::plugins
