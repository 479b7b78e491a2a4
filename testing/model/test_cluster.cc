#include "testing/model/test_cluster.h"

#include "base/check.h"
#include "model/annotations.h"

namespace basalt::testutil {

kube::ResourceList Resources(Amounts amounts) {
  kube::ResourceList list;
  for (const auto& [name, amount] : amounts) {
    const auto quantity = kube::Quantity::Parse(amount);
    BASALT_CHECK(quantity.has_value());
    list.Set(name, *quantity);
  }
  return list;
}

kube::Node MakeNode(std::string name, Amounts allocatable) {
  kube::Node node;
  node.meta.name = std::move(name);
  node.status.allocatable = Resources(allocatable);
  if (!node.status.allocatable.Find("pods")) {
    node.status.allocatable.Set("pods", kube::Quantity::Of(110));
  }
  node.status.capacity = node.status.allocatable;
  return node;
}

kube::Queue MakeQueue(std::string name, int weight) {
  kube::Queue queue;
  queue.meta.name = std::move(name);
  queue.weight = weight;
  queue.state = kube::QueueState::kOpen;
  return queue;
}

kube::PodGroup MakeGroup(std::string name, std::string queue, int min_member,
                         kube::PodGroupPhase phase) {
  kube::PodGroup group;
  group.meta.ns = "ns";
  group.meta.uid = name;
  group.meta.name = std::move(name);
  group.queue = std::move(queue);
  group.min_member = min_member;
  group.phase = phase;
  return group;
}

kube::Pod MakePod(std::string name, std::string group, Amounts requests) {
  kube::Pod pod;
  pod.meta.ns = "ns";
  pod.meta.uid = name;
  pod.meta.name = std::move(name);
  if (!group.empty()) pod.meta.annotations.Set(model::annotations::kGroupName, group);
  kube::Container container;
  container.name = "main";
  container.resources.requests = Resources(requests);
  pod.spec.containers.push_back(std::move(container));
  return pod;
}

kube::Pod MakeRunningPod(std::string name, std::string group, Amounts requests, std::string node) {
  kube::Pod pod = MakePod(std::move(name), std::move(group), requests);
  pod.spec.node_name = std::move(node);
  pod.status.phase = kube::PodPhase::kRunning;
  return pod;
}

TestCluster& TestCluster::Add(kube::Node node) {
  cluster.SetNode(std::make_shared<const kube::Node>(std::move(node)));
  return *this;
}

TestCluster& TestCluster::Add(kube::Queue queue) {
  cluster.SetQueue(std::make_shared<const kube::Queue>(std::move(queue)));
  return *this;
}

TestCluster& TestCluster::Add(kube::PodGroup group, int priority) {
  const std::string queue = group.queue.empty() ? "default" : group.queue;
  const model::JobId job =
      cluster.SetGroup(std::make_shared<const kube::PodGroup>(std::move(group)), queue);
  cluster.SetJobPriority(job, priority);
  return *this;
}

TestCluster& TestCluster::Add(kube::Pod pod) {
  const auto shared = std::make_shared<const kube::Pod>(std::move(pod));
  cluster.SetPod(shared, shared->meta.annotations.Get(model::annotations::kGroupName),
                 cluster.HoldingOf(*shared));
  return *this;
}

std::vector<const model::Task*> TestCluster::tasks(
    std::initializer_list<std::string_view> names) const {
  std::vector<const model::Task*> result;
  for (const std::string_view name : names) result.push_back(&task(name));
  return result;
}

scheduler::Config OneTier(std::initializer_list<std::string_view> plugins) {
  scheduler::Config config;
  scheduler::Tier& tier = config.tiers.emplace_back();
  for (const std::string_view name : plugins) {
    scheduler::PluginConfig& plugin = tier.plugins.emplace_back();
    plugin.name = name;
    plugin.ApplyDefaults();
  }
  return config;
}

std::unique_ptr<scheduler::PluginSet> MakePlugins(scheduler::Config config,
                                                  const scheduler::PluginRegistry& registry) {
  auto set = scheduler::PluginSet::Make(std::move(config), registry);
  BASALT_CHECK(set.has_value());
  return std::move(*set);
}

std::vector<std::string> Names(const std::vector<const model::Task*>& tasks) {
  std::vector<std::string> names;
  for (const model::Task* task : tasks) names.push_back(task->name());
  return names;
}

}  // namespace basalt::testutil
