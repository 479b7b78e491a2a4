#include "scheduler/overview/overview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "testing/settling/fast_cluster.h"

namespace basalt::scheduler::overview {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class OverviewTest : public testing::Test {
 protected:
  OverviewTest() : cluster_({.config = std::string(DefaultConfigYaml())}) {
    kube::Queue queue;
    queue.meta.name = "default";
    queue.state = kube::QueueState::kOpen;
    cluster_.Add(std::move(queue));
    for (const char* name : {"n1", "n2"}) {
      kube::Node node;
      node.meta.name = name;
      node.meta.labels.Set("topology.kubernetes.io/zone", "west");
      node.status.allocatable.Set("cpu", kube::Quantity::Of(4));
      node.status.allocatable.Set("pods", kube::Quantity::Of(20));
      node.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
      if (node.meta.name == "n2") node.spec.unschedulable = true;
      cluster_.Add(std::move(node));
    }
    AddPod("runs", 3);
    AddPod("waits", 2);
    cluster_.loop().RunFor(2s);
  }
  static kube::Pod MakePod(const std::string& name, int cpu) {
    kube::Pod pod;
    pod.meta.ns = "ns";
    pod.meta.name = name;
    pod.spec.scheduler_name = "volcano";
    kube::Container container;
    container.name = "main";
    container.resources.requests.Set("cpu", kube::Quantity::Of(cpu));
    pod.spec.containers.push_back(std::move(container));
    return pod;
  }
  void AddPod(const std::string& name, int cpu) {
    cluster_.Add(MakePod(name, cpu));
    cluster_.loop().RunFor(1s);
  }
  // One that waits, and says so in words of its own.
  void AddSaying(const std::string& name, const std::string& reason, const std::string& message) {
    kube::Pod pod = MakePod(name, 2);
    pod.meta.annotations.Set("scheduling.k8s.io/group-name", name);
    pod.status.conditions.push_back({.type = "PodScheduled",
                                     .status = kube::ConditionStatus::kFalse,
                                     .reason = reason,
                                     .message = message});
    cluster_.Add(std::move(pod));
  }
  json::object Now() { return OverviewOf(*cluster_.scheduler().TakeImage()); }

  testutil::FastCluster cluster_;
};

TEST_F(OverviewTest, NodesQueuesAndWhatWaitsAreThereWithTheirAmounts) {
  const std::uint64_t hash = cluster_.scheduler().state().cluster().Hash();
  const json::object got = OverviewOf(*cluster_.scheduler().TakeImage());
  EXPECT_EQ(cluster_.scheduler().state().cluster().Hash(), hash);
  EXPECT_EQ(got.at("resources").at(0), "cpu");
  const json::object& node = got.at("nodes").at(0).as_object();
  EXPECT_EQ(node.at("name"), "n1");
  EXPECT_EQ(node.at("zone"), "west");
  EXPECT_EQ(node.at("pods").to_number<int>(), 1);
  EXPECT_EQ(node.at("allocatable").at(0), 4.0);
  EXPECT_EQ(node.at("used").at(0), 3.0);
  EXPECT_EQ(got.at("nodes").at(1).at("cordoned"), true);
  ASSERT_EQ(got.at("waiting").as_array().size(), 1u) << json::serialize(got);
  const json::object& waits = got.at("waiting").at(0).as_object();
  EXPECT_EQ(waits.at("pod"), "waits");
  EXPECT_EQ(waits.at("stage"), "node");
  EXPECT_EQ(waits.at("reason"), "Unschedulable");
  EXPECT_EQ(got.at("waitingByReason").at("Unschedulable").to_number<int>(), 1);
  EXPECT_EQ(got.at("queues").as_array().size(), 1u);
}

TEST_F(OverviewTest, ANodeTellsItsPodsAndWhyOthersDoNotFit) {
  const auto image = cluster_.scheduler().TakeImage();
  const auto full = NodeOf(*image, "n1");
  ASSERT_TRUE(full.has_value());
  EXPECT_EQ(full->at("pods").as_array().size(), 1u);
  EXPECT_EQ(full->at("waiting").at(0).at("fits"), false);
  EXPECT_EQ(full->at("waiting").at(0).at("why"), "Insufficient cpu");
  const auto cordoned = NodeOf(*image, "n2");
  EXPECT_THAT(std::string(cordoned->at("waiting").at(0).at("why").as_string()),
              HasSubstr("unschedulable"));
  EXPECT_EQ(NodeOf(*image, "n3").error().code, ErrorCode::kNotFound);
}

// More than the API server lets a tenant write into a pod.
TEST_F(OverviewTest, LongTextsAreCut) {
  const std::string megabyte(1 << 20, 'x');
  std::string wide;  // cut within a character it would be no text any more
  while (wide.size() < megabyte.size()) wide += "火";
  constexpr int kPods = 20;
  for (int i = 0; i < kPods; ++i) {
    AddSaying(std::to_string(i) + wide, megabyte + std::to_string(i), wide);
  }
  const json::object got = Now();
  EXPECT_GE(got.at("waiting").as_array().size(), std::size_t{kPods});
  EXPECT_LT(json::serialize(got).size(), 200u * 1000u);
  // What is shown is text still.
  int wide_ones = 0;
  for (const json::value& row : got.at("waiting").as_array()) {
    const std::string message(row.at("message").as_string());
    if (!message.starts_with("火")) continue;
    ++wide_ones;
    EXPECT_EQ(message.size() % 3, 0u);
    EXPECT_TRUE(message.ends_with("火…")) << message;
  }
  EXPECT_EQ(wide_ones, kPods);
  const auto node = NodeOf(*cluster_.scheduler().TakeImage(), "n1");
  ASSERT_TRUE(node.has_value());
  EXPECT_LT(json::serialize(*node).size(), 200u * 1000u);
}

TEST_F(OverviewTest, ReasonsAreBoundedAndThoseOfMostAreKeptApart) {
  constexpr int kReasons = 10'000;
  // Names that sort before ours and come first: whoever is many is not crowded out by them.
  for (int i = 0; i < kReasons; ++i) {
    AddSaying("a-" + std::to_string(i), "A" + std::to_string(i), "");
  }
  for (int i = 0; i < 3; ++i) AddSaying("z-" + std::to_string(i), "Real", "");
  const json::object got = Now();
  const json::object& counts = got.at("waitingByReason").as_object();
  EXPECT_LE(counts.size(), 51u);
  EXPECT_EQ(counts.at("Real").to_number<int>(), 3);
  std::int64_t sum = 0;
  for (const auto& [reason, count] : counts) sum += count.to_number<std::int64_t>();
  EXPECT_EQ(sum, got.at("waitingPods").to_number<std::int64_t>());
  EXPECT_EQ(got.at("waitingGroups").to_number<int>(), kReasons + 3 + 1);
  EXPECT_EQ(got.at("waiting").as_array().size(), 2000u);
}

TEST_F(OverviewTest, NodesNameNobodysPods) {
  kube::Pod pod = MakePod("secret", 1);
  pod.spec.node_name = "n1";
  cluster_.Add(std::move(pod));
  const json::object got = OverviewOf(*cluster_.scheduler().TakeImage());
  for (const json::value& node : got.at("nodes").as_array()) {
    for (const auto& [key, value] : node.as_object()) {
      const bool may_be_text = key == "name" || key == "zone" || key == "pool";
      EXPECT_TRUE(may_be_text || !value.is_string()) << key;
    }
    EXPECT_EQ(json::serialize(node).find("secret"), std::string::npos);
  }
}

TEST_F(OverviewTest, PodsAndTaintsOfANodeAreBounded) {
  for (int i = 0; i < 3000; ++i) {
    kube::Pod pod = MakePod("on-" + std::to_string(i), 1);
    pod.spec.node_name = "n2";
    cluster_.Add(std::move(pod));
  }
  const auto node = NodeOf(*cluster_.scheduler().TakeImage(), "n2");
  ASSERT_TRUE(node.has_value());
  EXPECT_EQ(node->at("podsTotal").to_number<int>(), 3000);
  EXPECT_EQ(node->at("pods").as_array().size(), 1000u);
}

}  // namespace
}  // namespace basalt::scheduler::overview
