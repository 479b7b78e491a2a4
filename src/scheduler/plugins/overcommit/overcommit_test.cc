#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(OvercommitTest, JobsEnterWhileTheirMinimaFitIntoTheFactor) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeNode("n", {{"cpu", "10"}}));
  for (const char* name : {"a", "b", "c"}) {
    kube::PodGroup group = testutil::MakeGroup(name, "q", 1, kube::PodGroupPhase::kPending);
    group.min_resources = testutil::Resources({{"cpu", "5"}});
    given.Add(std::move(group));
  }
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"overcommit"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EnqueueRefusal why;
  for (const char* name : {"a", "b"}) {
    EXPECT_TRUE(session.MayEnqueue(given.job(name), &why)) << name;
    Statement entry(session);
    entry.Enter(given.job(name).id);
    entry.Commit();
  }
  EXPECT_FALSE(session.MayEnqueue(given.job("c"), &why));
  EXPECT_EQ(why.text, "the nodes have not enough cpu left");
}

kube::PodGroup GroupThatNeeds(std::string name, testutil::Amounts amounts) {
  kube::PodGroup group =
      testutil::MakeGroup(std::move(name), "q", 1, kube::PodGroupPhase::kPending);
  group.min_resources = testutil::Resources(amounts);
  return group;
}

TEST(OvercommitTest, AFactorBelowOneIsTheUsualOneAndOneIsOne) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeNode("n", {{"cpu", "10"}}));
  given.Add(GroupThatNeeds("just", {{"cpu", "10"}})).Add(GroupThatNeeds("more", {{"cpu", "11"}}));
  for (const double factor : {0.9, 1.0, 1.1}) {
    Config config = testutil::OneTier({"overcommit"});
    config.tiers[0].plugins[0].arguments = Arguments({{"overcommit-factor", factor}});
    const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    Session session(given.cluster, *plugins, testutil::kTestNow);
    EnqueueRefusal why;
    EXPECT_TRUE(session.MayEnqueue(given.job("just"), &why)) << factor;
    EXPECT_EQ(session.MayEnqueue(given.job("more"), &why), factor != 1) << factor;
  }
}

TEST(OvercommitTest, WhatLeavesIsFreeAndWhatIsPromisedIsNot) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeNode("n", {{"cpu", "4"}}));
  given.Add(testutil::MakeGroup("old", "q", 1));
  given.Add(testutil::MakeRunningPod("leaves", "old", {{"cpu", "4"}}, "n"));
  for (const char* name : {"a", "b"}) {
    given.Add(GroupThatNeeds(name, {{"cpu", "4"}}));
    given.Add(testutil::MakePod(name, name, {{"cpu", "4"}}));
  }
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"overcommit"}), BuiltinPlugins());
  const auto may_enter = [&](const char* name) {
    EnqueueRefusal why;
    return Session(given.cluster, *plugins, testutil::kTestNow).MayEnqueue(given.job(name), &why);
  };
  EXPECT_FALSE(may_enter("a"));
  const model::NodeId node = given.node("n").id;
  const model::TaskId old = given.task("leaves").id;
  given.cluster.Move(old, {.status = model::TaskStatus::kReleasing, .node = node});
  EXPECT_TRUE(may_enter("a"));
  given.cluster.SetPhase(given.job("a").id, model::JobPhase::kInqueue);
  given.cluster.Move(given.task("a").id, {.status = model::TaskStatus::kPipelined, .node = node});
  EXPECT_FALSE(may_enter("b"));
  given.cluster.Move(given.task("a").id, {});
  given.cluster.SetPhase(given.job("a").id, model::JobPhase::kPending);
  given.cluster.Move(old, {.status = model::TaskStatus::kReleasing, .node = node, .overdue = true});
  EXPECT_FALSE(may_enter("b")) << "what is overdue is not counted on";
}

TEST(OvercommitTest, ARefusalNamesAFewOfTheResourcesThatAPodInvents) {
  testutil::TestCluster given;
  kube::Pod pod = testutil::MakePod("p", "g", {{"cpu", "1"}});
  kube::PodGroup group = testutil::MakeGroup("g", "q", 1, kube::PodGroupPhase::kPending);
  group.min_resources = testutil::Resources({{"cpu", "1"}});
  for (int i = 0; i < 3000; ++i) {
    group.min_resources->Set(fmt::format("example.com/{:04}", i), kube::Quantity::Of(1));
  }
  given.Add(testutil::MakeQueue("q")).Add(std::move(group)).Add(std::move(pod));
  given.Add(testutil::MakeNode("n", {{"cpu", "16"}}));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"overcommit"}), BuiltinPlugins());
  EnqueueRefusal why;
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_FALSE(session.MayEnqueue(given.job("g"), &why));
  EXPECT_TRUE(why.text.starts_with("no node has example.com/0000, example.com/0001, ")) << why.text;
  EXPECT_TRUE(why.text.ends_with("example.com/0019 and 2980 more")) << why.text;
}

TEST(OvercommitTest, ARefusalIsTrueOfTheCluster) {
  const auto text = [](std::initializer_list<const char*> node_cpus, testutil::Amounts needs,
                       testutil::Amounts pod) {
    testutil::TestCluster given;
    given.Add(testutil::MakeQueue("q")).Add(GroupThatNeeds("g", needs));
    given.Add(testutil::MakePod("p", "g", pod));
    for (const char* cpu : node_cpus) given.Add(testutil::MakeNode(cpu, {{"cpu", cpu}}));
    const auto plugins = testutil::MakePlugins(testutil::OneTier({"overcommit"}), BuiltinPlugins());
    EnqueueRefusal why;
    Session session(given.cluster, *plugins, testutil::kTestNow);
    EXPECT_FALSE(session.MayEnqueue(given.job("g"), &why));
    return why.text;
  };
  EXPECT_EQ(text({}, {{"cpu", "1"}}, {{"cpu", "1"}}), "the cluster has no nodes");
  EXPECT_EQ(text({"16"}, {{"cpu", "100"}}, {{"cpu", "100"}}),
            "a pod asks for more cpu than any node has");
  EXPECT_EQ(text({"16"}, {{"cpu", "100"}}, {{"cpu", "1"}}),
            "all nodes together have not enough cpu");
  EXPECT_EQ(text({"16"}, {{"cpu", "1"}, {"nvidia.com/gpu", "1"}}, {{"cpu", "1"}}),
            "no node has nvidia.com/gpu");
}

TEST(OvercommitTest, AJobOfVolcanosControllerMayEnter) {
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeNode("n", {{"cpu", "4"}}));
  given.Add(GroupThatNeeds("g", {{"cpu", "2"},
                                 {"requests.cpu", "2"},
                                 {"limits.memory", "1Gi"},
                                 {"count/pods", "2"},
                                 {"pods", "2"},
                                 {"requests.nvidia.com/gpu", "1"}}));
  for (const std::string_view plugin : {"overcommit", "proportion", "capacity"}) {
    const auto plugins = testutil::MakePlugins(testutil::OneTier({plugin}), BuiltinPlugins());
    EnqueueRefusal why;
    Session session(given.cluster, *plugins, testutil::kTestNow);
    EXPECT_TRUE(session.MayEnqueue(given.job("g"), &why)) << plugin << ": " << why.text;
  }
}

}  // namespace
}  // namespace basalt::scheduler::plugins
