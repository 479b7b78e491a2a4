// The tree of queues is kept by moving what changes. Random queues that come, change and go, with
// cycles and parents that do not exist, compared with a tree that is made anew each time.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "kube/types/quantity.h"
#include "model/cluster.h"

namespace basalt::model {
namespace {

std::shared_ptr<const kube::Queue> OpenQueue(const std::string& name, const std::string& parent) {
  kube::Queue queue;
  queue.meta.name = name;
  queue.parent = parent;
  queue.state = kube::QueueState::kOpen;
  return std::make_shared<const kube::Queue>(std::move(queue));
}

void AddJob(Cluster& cluster, const std::string& name, const std::string& queue) {
  kube::PodGroup group;
  group.meta.ns = "ns";
  group.meta.name = group.meta.uid = name;
  group.min_member = 1;
  group.phase = kube::PodGroupPhase::kInqueue;
  group.min_resources.emplace().Set("cpu", kube::Quantity::Of(3));
  cluster.SetGroup(std::make_shared<const kube::PodGroup>(std::move(group)), queue);
  for (const char* node : {"", "n"}) {
    kube::Pod pod;
    pod.meta.ns = "ns";
    pod.meta.name = pod.meta.uid = name + "-" + node;
    kube::Container& container = pod.spec.containers.emplace_back();
    container.resources.requests.Set("cpu", kube::Quantity::Of(1));
    pod.spec.node_name = node;
    if (*node) pod.status.phase = kube::PodPhase::kRunning;
    const Holding holding = cluster.HoldingOf(pod);
    cluster.SetPod(std::make_shared<const kube::Pod>(std::move(pod)), name, holding);
  }
}

// Every queue's parent by what the objects say: none for one that is its own ancestor.
std::map<std::string, std::string> ParentsByHand(const Cluster& cluster) {
  std::map<std::string, std::string> named, parents;
  cluster.queues().ForEach([&](const Queue& queue) {
    if (!queue.exists() || queue.name == kube::kRootQueue) return;
    const std::string parent = queue.object->parent.empty() ? "root" : queue.object->parent;
    if (cluster.FindQueue(parent)) named[queue.name] = parent;
  });
  for (const auto& [name, parent] : named) {
    std::string up = parent;
    for (std::size_t steps = 0; steps <= named.size() && named.contains(up) && up != name;
         ++steps) {
      up = named[up];
    }
    if (up != name) parents[name] = parent;
  }
  return parents;
}

void CheckTree(const Cluster& cluster, const std::string& where) {
  const auto parents = ParentsByHand(cluster);
  std::map<std::string, std::vector<std::string>> children;
  for (const auto& [name, parent] : parents) children[parent].push_back(name);
  std::map<QueueId, double> in_queue, elastic;
  cluster.jobs().ForEach([&](const Job& job) {
    for (QueueId up = job.queue; up.valid(); up = cluster.queue(up).parent) {
      in_queue[up] += job.in_queue[kCpu];
      elastic[up] += job.elastic[kCpu];
    }
  });
  cluster.queues().ForEach([&](const Queue& queue) {
    const auto parent = parents.find(queue.name);
    EXPECT_EQ(queue.parent.valid() ? cluster.queue(queue.parent).name : "",
              parent == parents.end() ? "" : parent->second)
        << where << " " << queue.name;
    std::vector<std::string> below;
    for (const QueueId child : queue.children) below.push_back(cluster.queue(child).name);
    EXPECT_EQ(below, children[queue.name]) << where << " " << queue.name;
    EXPECT_EQ(queue.tree.in_queue.value()[kCpu], in_queue[queue.id]) << where << " " << queue.name;
    EXPECT_EQ(queue.tree.elastic.value()[kCpu], elastic[queue.id]) << where << " " << queue.name;
  });
  EXPECT_EQ(cluster.CheckLedgers(), "") << where;
}

TEST(QueueTreeTest, IsWhatTheObjectsSayWhateverComesChangesAndGoes) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    Cluster cluster;
    const std::vector<std::string> names{"root", "a", "b", "c", "d", "e", "f"};
    const auto name = [&] { return names[random.Below(names.size())]; };
    for (int step = 0; step < 120 && !testing::Test::HasFailure(); ++step) {
      const std::string where = "seed " + std::to_string(seed) + " step " + std::to_string(step);
      switch (random.Below(4)) {
        case 0: AddJob(cluster, "j" + std::to_string(random.Below(8)), name()); break;
        case 1: cluster.RemoveQueue(name()); break;
        default: cluster.SetQueue(OpenQueue(name(), random.Chance(0.2) ? "" : name())); break;
      }
      CheckTree(cluster, where);
    }
  }
}

TEST(QueueTreeTest, AsDeepAsItsUsersLike) {
  constexpr int kDeep = 10000;
  const auto name = [](int i) { return "q" + std::to_string(i); };
  Cluster cluster;
  cluster.SetQueue(OpenQueue("root", ""));
  // From the bottom, so that each takes all that is below it along.
  for (int i = kDeep; i > 0; --i) cluster.SetQueue(OpenQueue(name(i), i == 1 ? "" : name(i - 1)));
  AddJob(cluster, "j", name(kDeep));
  EXPECT_EQ(cluster.FindQueue("root")->tree.allocated.value()[kCpu], 1000);
  // The ends are tied together, and let go.
  cluster.SetQueue(OpenQueue(name(1), name(kDeep)));
  EXPECT_TRUE(cluster.FindQueue(name(kDeep / 2))->in_cycle);
  EXPECT_EQ(cluster.FindQueue("root")->tree.allocated.value()[kCpu], 0);
  cluster.SetQueue(OpenQueue(name(1), "root"));
  EXPECT_FALSE(cluster.FindQueue(name(kDeep / 2))->in_cycle);
  EXPECT_EQ(cluster.FindQueue("root")->tree.allocated.value()[kCpu], 1000);
  cluster.RemoveQueue(name(kDeep / 2));
  EXPECT_EQ(cluster.FindQueue("root")->tree.allocated.value()[kCpu], 0);
  EXPECT_EQ(cluster.CheckLedgers(), "");
}

TEST(QueueTreeTest, ARootThatIsNamedIsTheOneThatIsMeant) {
  Cluster cluster;
  cluster.SetQueue(OpenQueue("root", ""));
  cluster.SetQueue(OpenQueue("a", ""));
  cluster.SetQueue(OpenQueue("a", "root"));
  EXPECT_EQ(cluster.FindQueue("a")->parent, cluster.FindQueue("root")->id);
  CheckTree(cluster, "root is named");
}

TEST(QueueTreeTest, WhatJobsMayTakeThatHaveNoPodsYetMovesWithTheirQueue) {
  Cluster cluster;
  cluster.SetQueue(OpenQueue("root", ""));
  cluster.SetQueue(OpenQueue("a", ""));
  cluster.SetQueue(OpenQueue("b", ""));
  cluster.SetQueue(OpenQueue("leaf", "a"));
  kube::PodGroup group;
  group.meta.ns = "ns";
  group.meta.name = group.meta.uid = "g";
  group.min_member = 1;
  group.phase = kube::PodGroupPhase::kInqueue;
  group.min_resources.emplace().Set("cpu", kube::Quantity::Of(3));
  cluster.SetGroup(std::make_shared<const kube::PodGroup>(std::move(group)), "leaf");
  EXPECT_EQ(cluster.FindQueue("a")->tree.in_queue.value()[kCpu], 3000);
  cluster.SetQueue(OpenQueue("leaf", "b"));
  EXPECT_EQ(cluster.FindQueue("a")->tree.in_queue.value()[kCpu], 0);
  EXPECT_EQ(cluster.FindQueue("b")->tree.in_queue.value()[kCpu], 3000);
  CheckTree(cluster, "moved");
}

}  // namespace
}  // namespace basalt::model
