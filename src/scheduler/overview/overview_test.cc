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
  void AddPod(const std::string& name, int cpu) {
    kube::Pod pod;
    pod.meta.ns = "ns";
    pod.meta.name = name;
    pod.spec.scheduler_name = "volcano";
    kube::Container container;
    container.name = "main";
    container.resources.requests.Set("cpu", kube::Quantity::Of(cpu));
    pod.spec.containers.push_back(std::move(container));
    cluster_.Add(std::move(pod));
    cluster_.loop().RunFor(1s);
  }

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

}  // namespace
}  // namespace basalt::scheduler::overview
