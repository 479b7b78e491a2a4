#include "scheduler/state/drift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/types/quantity.h"
#include "model/annotations.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

kube::Pod GroupPod(const std::string& name, const std::string& node = "") {
  kube::Pod pod;
  pod.meta.ns = "ns";
  pod.meta.name = pod.meta.uid = name;
  pod.meta.resource_version = "1";
  pod.meta.annotations.Set(model::annotations::kGroupName, "g");
  pod.spec.scheduler_name = "volcano";
  pod.spec.node_name = node;
  if (!node.empty()) pod.status.phase = kube::PodPhase::kRunning;
  pod.spec.containers.emplace_back().resources.requests.Set("cpu", kube::Quantity::Of(1));
  return pod;
}

// A state and the stores that it should agree with.
class DriftTest : public testing::Test {
 protected:
  DriftTest() {
    kube::Node node;
    node.meta.name = "n1";
    node.meta.resource_version = "1";
    node.status.allocatable.Set("cpu", kube::Quantity::Of(4));
    Both(nodes_, node);
    kube::PodGroup group;
    group.meta.ns = "ns";
    group.meta.name = "g";
    group.queue = "q";
    Both(groups_, group);
    kube::Queue queue;
    queue.meta.name = "q";
    Both(queues_, queue);
    Both(pods_, GroupPod("waits"));
    Both(pods_, GroupPod("runs", "n1"));
  }

  template <class T>
  void Both(kube::ObjectStore& store, T object) {
    auto shared = std::make_shared<const T>(std::move(object));
    store.Put(shared);
    state_.Set(shared);
  }
  template <class T>
  void OnlyStore(kube::ObjectStore& store, T object) {
    store.Put(std::make_shared<const T>(std::move(object)));
  }
  std::vector<std::string> Differences(std::size_t step = 100) {
    std::vector<std::string> out;
    while (!comparer_.Step(state_, now_, step,
                           [&](const std::string& difference) { out.push_back(difference); })) {
    }
    return out;
  }
  model::TaskId Id(const char* name) { return state_.cluster().FindTask("ns", name)->id; }

  kube::ObjectStore pods_{kube::CodecOf<kube::Pod>().meta_of};
  kube::ObjectStore nodes_{kube::CodecOf<kube::Node>().meta_of};
  kube::ObjectStore groups_{kube::CodecOf<kube::PodGroup>().meta_of};
  kube::ObjectStore queues_{kube::CodecOf<kube::Queue>().meta_of};
  kube::Store<kube::Pod> pod_store_{pods_};
  kube::Store<kube::Node> node_store_{nodes_};
  kube::Store<kube::PodGroup> group_store_{groups_};
  kube::Store<kube::Queue> queue_store_{queues_};
  ClusterState state_{{.scheduler_names = {"volcano"}}};
  Time now_{1000h};
  DriftComparer comparer_{{.pods = pod_store_,
                           .nodes = node_store_,
                           .groups = group_store_,
                           .queues = queue_store_,
                           .scheduler_names = {"volcano"},
                           .takes_node = {}}};
};

TEST_F(DriftTest, AStateThatFollowsItsEventsHasNone) {
  kube::Pod foreign = GroupPod("foreign");
  foreign.spec.scheduler_name = "default-scheduler";
  Both(pods_, foreign);
  EXPECT_THAT(Differences(), IsEmpty());
  EXPECT_THAT(Differences(1), IsEmpty());  // an object at a time
}

TEST_F(DriftTest, WhatIsUnderWayIsNoneUntilItMustHaveEnded) {
  const model::NodeId node = state_.cluster().FindNode("n1")->id;
  state_.cluster().Move(Id("waits"), {.status = TaskStatus::kBinding, .node = node});
  state_.cluster().Move(Id("runs"), {.status = TaskStatus::kReleasing, .node = node});
  EXPECT_THAT(Differences(), IsEmpty());
  now_ += 1h;
  EXPECT_THAT(Differences(),
              ElementsAre(HasSubstr("waits is Binding"), HasSubstr("runs is Releasing")));
  state_.cluster().Move(Id("waits"), {.status = TaskStatus::kPipelined, .node = node});
  state_.cluster().Move(Id("runs"), {.status = TaskStatus::kRunning, .node = node});
  EXPECT_THAT(Differences(), IsEmpty());
}

TEST_F(DriftTest, AMissedEventIsFound) {
  kube::Pod newer = GroupPod("runs", "n1");
  newer.meta.resource_version = "2";
  newer.status.phase = kube::PodPhase::kSucceeded;
  OnlyStore(pods_, newer);
  EXPECT_THAT(Differences(), ElementsAre("pod ns/runs is known at version 1, and is at 2"));
}

TEST_F(DriftTest, WhatOnlyOneOfTheTwoHasIsFound) {
  OnlyStore(pods_, GroupPod("new"));
  pods_.Erase("ns", "waits");
  kube::Node node;
  node.meta.name = "n2";
  OnlyStore(nodes_, node);
  queues_.Erase("", "q");
  groups_.Erase("ns", "g");
  EXPECT_THAT(Differences(), testing::UnorderedElementsAre("pod ns/waits is in the state alone",
                                                           "node n2 is not in the state",
                                                           "group ns/g is in the state alone",
                                                           "queue q is in the state alone"));
  Both(pods_, GroupPod("waits"));
  EXPECT_THAT(Differences(), testing::Contains("pod ns/new is not in the state"));
}

TEST_F(DriftTest, AHoldingThatThePodContradictsIsFound) {
  state_.cluster().Move(Id("runs"), {.status = TaskStatus::kPending});
  EXPECT_THAT(Differences(), ElementsAre(HasSubstr("runs is Pending in the state and Running")));
}

}  // namespace
}  // namespace basalt::scheduler
