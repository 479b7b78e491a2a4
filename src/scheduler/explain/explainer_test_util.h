#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "model/annotations.h"
#include "scheduler/explain/explainer.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::explain {

inline constexpr std::string_view kGate = model::annotations::kQueueAllocationGate;

// A small cluster and questions about it.
class ExplainerTest : public testing::Test {
 protected:
  ExplainerTest() {
    Config config = testutil::OneTier({"gang", "predicates", "overcommit", "capacity"});
    config.actions = {"enqueue", "allocate", "backfill"};
    config.tiers[0].plugins[3].Set(Switch::kHierarchy, true);
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    given_.Add(testutil::MakeQueue("root"));
  }

  // Every question leaves the state as it was.
  Explanation Pod(std::string_view name) {
    const std::uint64_t before = given_.cluster.Hash();
    auto explanation = Explainer(given_.cluster, *plugins_, testutil::kTestNow).Pod("ns", name);
    EXPECT_EQ(given_.cluster.Hash(), before);
    EXPECT_EQ(given_.cluster.CheckLedgers(), "");
    EXPECT_TRUE(explanation.has_value());
    return explanation.value_or(Explanation{});
  }
  Explanation Group(std::string_view name) {
    const std::uint64_t before = given_.cluster.Hash();
    auto explanation =
        Explainer(given_.cluster, *plugins_, testutil::kTestNow).PodGroup("ns", name);
    EXPECT_EQ(given_.cluster.Hash(), before);
    EXPECT_TRUE(explanation.has_value());
    return explanation.value_or(Explanation{});
  }
  void AddGang(const std::string& name, const std::string& queue, int pods, int min_member,
               testutil::Amounts requests) {
    given_.Add(testutil::MakeGroup(name, queue, min_member));
    for (int i = 0; i < pods; ++i) {
      given_.Add(testutil::MakePod(name + "-" + std::to_string(i), name, requests));
    }
  }

  void AddQueueForCpu(const std::string& name, const std::string& cpu) {
    kube::Queue queue = testutil::MakeQueue(name);
    queue.capability = testutil::Resources({{"cpu", cpu}});
    given_.Add(std::move(queue));
  }
  static kube::Pod Gated(const std::string& name, const std::string& group,
                         const std::string& cpu) {
    kube::Pod pod = testutil::MakePod(name, group, {{"cpu", cpu}});
    pod.spec.scheduling_gates = {std::string(kGate)};
    pod.meta.annotations.Set(kGate, "true");
    return pod;
  }
  void WithoutHierarchy() {
    Config config = plugins_->config();
    config.tiers[0].plugins[3].Set(Switch::kHierarchy, false);
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  }
  // An argument of allocate.
  void Configure(const char* key, const char* value) {
    Config config = plugins_->config();
    config.action_arguments["allocate"] = Arguments({{key, value}});
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
};

}  // namespace basalt::scheduler::explain
