#include <gtest/gtest.h>

#include <string>

#include "kube/types/quantity.h"
#include "model/cluster.h"
#include "model/queue.h"

namespace basalt::model {
namespace {

struct QueueDifference {
  const char* name;
  void (*make)(kube::Queue& queue);
  bool same;
};

kube::Queue WholeQueue() {
  kube::Queue queue;
  queue.meta.name = queue.meta.uid = "q";
  queue.weight = 2;
  queue.priority = 3;
  queue.parent = "p";
  queue.state = kube::QueueState::kOpen;
  for (kube::ResourceList* amounts : {&queue.capability, &queue.deserved, &queue.guarantee}) {
    amounts->Set("cpu", kube::Quantity::Of(1));
  }
  return queue;
}

class QueueChangeTest : public testing::TestWithParam<QueueDifference> {};

TEST_P(QueueChangeTest, AQueueHasChangedWhenAnythingBesideItsStatusHas) {
  kube::Queue changed = WholeQueue();
  GetParam().make(changed);
  EXPECT_EQ(SameButForStatus(WholeQueue(), changed), GetParam().same);
  EXPECT_EQ(SameButForStatus(changed, WholeQueue()), GetParam().same);
}

template <kube::ResourceList kube::Queue::*amounts>
void OneMore(kube::Queue& queue) {
  (queue.*amounts).Set("cpu", kube::Quantity::Of(2));
}

INSTANTIATE_TEST_SUITE_P(
    Differences, QueueChangeTest,
    testing::Values(
        QueueDifference{"Nothing", [](kube::Queue&) {}, true},
        QueueDifference{"ItsCounts", [](kube::Queue& queue) { queue.running = 7; }, true},
        QueueDifference{"WhatItHas", &OneMore<&kube::Queue::allocated>, true},
        QueueDifference{"Another", [](kube::Queue& queue) { queue.meta.uid = "r"; }, false},
        QueueDifference{"ALabel", [](kube::Queue& queue) { queue.meta.labels.Set("a", "b"); },
                        false},
        QueueDifference{"AnAnnotation",
                        [](kube::Queue& queue) { queue.meta.annotations.Set("a", "b"); }, false},
        QueueDifference{"ItsWeight", [](kube::Queue& queue) { queue.weight = 9; }, false},
        QueueDifference{"ItsPriority", [](kube::Queue& queue) { queue.priority = 9; }, false},
        QueueDifference{"WhatItMayHave", &OneMore<&kube::Queue::capability>, false},
        QueueDifference{"WhatItDeserves", &OneMore<&kube::Queue::deserved>, false},
        QueueDifference{"WhatIsGuaranteedToIt", &OneMore<&kube::Queue::guarantee>, false},
        QueueDifference{"ItsParent", [](kube::Queue& queue) { queue.parent = "r"; }, false},
        QueueDifference{"ItsState",
                        [](kube::Queue& queue) { queue.state = kube::QueueState::kClosed; }, false},
        QueueDifference{"WhetherItGivesBack", [](kube::Queue& queue) { queue.reclaimable = false; },
                        false},
        QueueDifference{"ItsNodeGroups", [](kube::Queue& queue) { queue.affinity.emplace(); },
                        false}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(QueueObjectTest, WhatAQueueMayHaveDeservesAndIsGuaranteedIsReadFromItsObject) {
  kube::Queue object = WholeQueue();
  object.deserved.Set("cpu", kube::Quantity::Of(2));
  object.guarantee.Set("cpu", kube::Quantity::Of(3));
  Cluster cluster;
  cluster.SetQueue(std::make_shared<const kube::Queue>(std::move(object)));
  const Queue& queue = *cluster.FindQueue("q");
  EXPECT_EQ(queue.capability, Amounts(1000, 0));
  EXPECT_EQ(queue.deserved, Amounts(2000, 0));
  EXPECT_EQ(queue.guarantee, Amounts(3000, 0));
}

TEST(QueueObjectTest, AQueueTakesWorkWhereItIsOpenOrNobodyHasLookedAtItYet) {
  using enum kube::QueueState;
  for (const kube::QueueState state : {kNone, kOpen, kClosed, kClosing, kUnknown}) {
    kube::Queue object = WholeQueue();
    object.state = state;
    Cluster cluster;
    cluster.SetQueue(std::make_shared<const kube::Queue>(std::move(object)));
    EXPECT_EQ(cluster.FindQueue("q")->open, state == kNone || state == kOpen) << ToString(state);
  }
}

TEST(JobIdentityTest, AJobIsKnownByItsGroupAndAShadowByItsOwnName) {
  Cluster cluster;
  auto group = std::make_shared<kube::PodGroup>();
  group->meta.ns = "ns";
  group->meta.name = "g";
  group->meta.uid = "u-1";
  cluster.SetGroup(group, "q");
  EXPECT_EQ(cluster.FindJob("ns", "g")->uid(), "u-1");
  Job shadow;
  shadow.name = "podgroup-7";
  shadow.shadow = true;
  EXPECT_EQ(shadow.uid(), "podgroup-7");
  EXPECT_EQ(Job().uid(), "") << "its group has not come yet";
}

}  // namespace
}  // namespace basalt::model
