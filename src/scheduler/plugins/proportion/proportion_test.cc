#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"
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

class ProportionTest : public testing::Test {
 protected:
  Session& Open() {
    plugins_ = testutil::MakePlugins(testutil::OneTier({"proportion"}), BuiltinPlugins());
    return session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  }
  // In whole millis: the most that the queue, which has nothing, may take back.
  int DeservedCpu(const char* queue) {
    int most = 0;
    for (int step = 8192; step > 0; step /= 2) {
      const std::string millis = std::to_string(most + step) + "m";
      given_.Add(MakePod("probe-" + millis, "no-group", {{"cpu", millis}}));
      const Task* probe = &given_.task("probe-" + millis);
      if (session_->MayReclaim(given_.queue(queue), std::span(&probe, 1))) most += step;
    }
    return most;
  }
  void Wants(const char* group, const char* queue, const char* cpu) {
    given_.Add(MakeGroup(group, queue, 1));
    given_.Add(MakePod(std::string(group) + "-pod", group, {{"cpu", cpu}}));
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(ProportionTest, WhatAQueueDoesNotNeedGoesToTheOthers) {
  given_.Add(MakeNode("n", {{"cpu", "12"}}));
  given_.Add(MakeQueue("a", 1)).Add(MakeQueue("b", 1)).Add(MakeQueue("c", 2));
  Wants("ga", "a", "1");
  Wants("gb", "b", "20");
  Wants("gc", "c", "20");
  Open();
  EXPECT_NEAR(DeservedCpu("a"), 1000, 1);
  EXPECT_NEAR(DeservedCpu("b") + DeservedCpu("c"), 11000, 1);
  EXPECT_GT(DeservedCpu("c"), DeservedCpu("b"));
}

TEST_F(ProportionTest, AQueueGetsAtLeastItsGuaranteeAndAtMostItsCapability) {
  given_.Add(MakeNode("n", {{"cpu", "10"}}));
  kube::Queue guaranteed = MakeQueue("a", 1), capped = MakeQueue("b", 9);
  guaranteed.guarantee = testutil::Resources({{"cpu", "4"}});
  capped.capability = testutil::Resources({{"cpu", "5"}});
  given_.Add(std::move(guaranteed)).Add(std::move(capped));
  Wants("ga", "a", "10");
  Wants("gb", "b", "10");
  Open();
  EXPECT_GE(DeservedCpu("a"), 4000);
  EXPECT_NEAR(DeservedCpu("b"), 5000, 1);
}

TEST_F(ProportionTest, AGuaranteeIsDeservedByAQueueThatAsksForLess) {
  given_.Add(MakeNode("n", {{"cpu", "10"}}));
  kube::Queue guaranteed = MakeQueue("a");
  guaranteed.guarantee = testutil::Resources({{"cpu", "4"}});
  given_.Add(std::move(guaranteed)).Add(MakeQueue("b"));
  Wants("ga", "a", "1");
  Wants("gb", "b", "10");
  Open();
  EXPECT_EQ(DeservedCpu("a"), 4000);
  EXPECT_EQ(DeservedCpu("b"), 6000);
}

TEST_F(ProportionTest, AllThatACappedQueueLeavesGoesToTheOthers) {
  given_.Add(MakeNode("n", {{"cpu", "12"}}));
  kube::Queue capped = MakeQueue("a");
  capped.capability = testutil::Resources({{"cpu", "2"}});
  given_.Add(std::move(capped)).Add(MakeQueue("b"));
  Wants("ga", "a", "20");
  Wants("gb", "b", "20");
  Wants("rest", "b", "10");
  const Session& session = Open();
  EXPECT_TRUE(session.MayAllocate(given_.queue("b"), given_.task("rest-pod")).ok());
}

TEST_F(ProportionTest, ACapabilityThatDoesNotNameCpuOrMemoryDoesNotLimitThem) {
  given_.Add(MakeNode("n", {{"cpu", "10"}, {"memory", "10Gi"}, {"nvidia.com/gpu", "1"}}));
  kube::Queue queue = MakeQueue("a");
  queue.capability = testutil::Resources({{"nvidia.com/gpu", "1"}});
  given_.Add(std::move(queue));
  given_.Add(MakeGroup("g", "a", 1));
  given_.Add(MakePod("p", "g", {{"cpu", "10"}, {"memory", "10Gi"}}));
  EXPECT_TRUE(Open().MayAllocate(given_.queue("a"), given_.task("p")).ok());
}

TEST_F(ProportionTest, EachSessionDividesAnew) {
  given_.Add(MakeNode("n", {{"cpu", "4"}})).Add(MakeQueue("a")).Add(MakeQueue("b"));
  Wants("ga", "a", "4");
  Open();
  EXPECT_EQ(DeservedCpu("a"), 4000);
  Wants("gb", "b", "4");
  session_.reset();
  session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  EXPECT_EQ(DeservedCpu("a"), 2000);
  EXPECT_EQ(DeservedCpu("b"), 2000);
}

TEST_F(ProportionTest, AJobThatDoesNotSayWhatItNeedsEnters) {
  given_.Add(MakeNode("n", {{"cpu", "4"}})).Add(MakeQueue("a"));
  Wants("g", "a", "9");
  EnqueueRefusal why;
  EXPECT_TRUE(Open().MayEnqueue(given_.job("g"), &why));
}

TEST_F(ProportionTest, OnlyWhatIsBeyondTheDeservedIsReclaimed) {
  given_.Add(MakeNode("n", {{"cpu", "4"}}));
  given_.Add(MakeQueue("a")).Add(MakeQueue("b"));
  given_.Add(MakeGroup("ga", "a", 1));
  for (const char* pod : {"x", "y", "z"}) {
    given_.Add(MakeRunningPod(pod, "ga", {{"cpu", "1"}}, "n"));
  }
  Wants("gb", "b", "2");
  const Session& session = Open();
  EXPECT_THAT(
      testutil::Names(session.Reclaimable(given_.task("gb-pod"), given_.tasks({"x", "y", "z"}))),
      ElementsAre("x"));
  EXPECT_TRUE(session.IsOverused(given_.queue("a")));
  EXPECT_FALSE(session.IsOverused(given_.queue("b")));
  EXPECT_TRUE(session.QueueBefore(given_.queue("b"), given_.queue("a")));
  EXPECT_FALSE(session.QueueBefore(given_.queue("a"), given_.queue("b")));
}

TEST_F(ProportionTest, AClaimCountsAgainstTheCapabilityAndNotAgainstTheNodes) {
  for (const char* capability : {"", "100000"}) {
    testutil::TestCluster& given = given_;
    given.Add(MakeNode("n", {{"cpu", "4"}}));
    kube::Queue queue = MakeQueue("a");
    if (*capability) queue.capability = testutil::Resources({{"cpu", capability}});
    given.Add(std::move(queue));
    kube::PodGroup huge = MakeGroup("huge", "a", 1);
    huge.min_resources = testutil::Resources({{"cpu", "100000"}});
    given.Add(std::move(huge));
    kube::Pod claim = MakePod("claim", "huge", {{"cpu", "100000"}});
    claim.meta.annotations.Set(model::annotations::kQueueAllocationGate, "true");
    given.Add(std::move(claim));
    given.cluster.Move(given.task("claim").id, {.queue_claim = true});
    kube::PodGroup group = MakeGroup("g", "a", 1, kube::PodGroupPhase::kPending);
    group.min_resources = testutil::Resources({{"cpu", "1"}});
    given.Add(std::move(group)).Add(MakePod("p", "g", {{"cpu", "1"}}));
    const Session& session = Open();
    const bool fits = *capability == 0;
    EnqueueRefusal why;
    EXPECT_EQ(session.MayAllocate(given.queue("a"), given.task("p")).ok(), fits) << capability;
    EXPECT_EQ(session.MayEnqueue(given.job("g"), &why), fits) << capability;
    session_.reset();
  }
}

TEST_F(ProportionTest, AQueueMayTakeBackUpToWhatItDeserves) {
  given_.Add(MakeNode("n", {{"cpu", "4"}}));
  given_.Add(MakeQueue("a")).Add(MakeQueue("b")).Add(MakeQueue("idle"));
  Wants("ga", "a", "4");
  Wants("gb", "b", "2");
  Wants("small", "b", "1");
  const Session& session = Open();
  const auto may = [&](const char* queue, std::initializer_list<std::string_view> tasks) {
    const std::vector<const Task*> asked = given_.tasks(tasks);
    return session.MayReclaim(given_.queue(queue), asked);
  };
  EXPECT_TRUE(may("b", {"gb-pod"})) << "two of the two that it deserves";
  EXPECT_TRUE(may("b", {"small-pod"}));
  EXPECT_FALSE(may("b", {"gb-pod", "small-pod"})) << "three";
  EXPECT_FALSE(may("a", {"ga-pod"}));
  EXPECT_FALSE(may("idle", {"small-pod"})) << "a queue without jobs deserves nothing";
}

TEST_F(ProportionTest, AClosedQueueTakesNothing) {
  given_.Add(MakeNode("n", {{"cpu", "4"}}));
  kube::Queue closed = MakeQueue("a");
  closed.state = kube::QueueState::kClosed;
  given_.Add(std::move(closed));
  Wants("g", "a", "1");
  const Session& session = Open();
  EXPECT_FALSE(session.MayAllocate(given_.queue("a"), given_.task("g-pod")).ok());
  EnqueueRefusal why;
  EXPECT_FALSE(session.MayEnqueue(given_.job("g"), &why));
  EXPECT_EQ(why.text, "queue a is not open");
  EXPECT_FALSE(why.nodes_would_help);
  const Task* task = &given_.task("g-pod");
  EXPECT_FALSE(session.MayReclaim(given_.queue("a"), std::span(&task, 1)));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
