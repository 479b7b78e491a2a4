#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"
#include "model/cluster.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/framework/session.h"

namespace basalt::testutil {

// Amounts for tests: {{"cpu", "2"}, {"memory", "1Gi"}}.
using Amounts = std::initializer_list<std::pair<std::string_view, std::string_view>>;
kube::ResourceList Resources(Amounts amounts);

// Objects with what most tests need; tests set the rest.
kube::Node MakeNode(std::string name, Amounts allocatable);
kube::Queue MakeQueue(std::string name, int weight = 1);
kube::PodGroup MakeGroup(std::string name, std::string queue, int min_member,
                         kube::PodGroupPhase phase = kube::PodGroupPhase::kInqueue);
// A pod of `group` ("": of none) in namespace "ns", pending; uid is the name.
kube::Pod MakePod(std::string name, std::string group, Amounts requests);
// The same, running on `node`.
kube::Pod MakeRunningPod(std::string name, std::string group, Amounts requests, std::string node);

// A cluster made of objects, and sessions on it.
class TestCluster {
 public:
  model::Cluster cluster;

  TestCluster& Add(kube::Node node);
  TestCluster& Add(kube::Queue queue);
  TestCluster& Add(kube::PodGroup group, int priority = 0);
  TestCluster& Add(kube::Pod pod);

  const model::Task& task(std::string_view name) const { return *cluster.FindTask("ns", name); }
  const model::Job& job(std::string_view name) const { return *cluster.FindJob("ns", name); }
  const model::Node& node(std::string_view name) const { return *cluster.FindNode(name); }
  const model::Queue& queue(std::string_view name) const { return *cluster.FindQueue(name); }
  std::vector<const model::Task*> tasks(std::initializer_list<std::string_view> names) const;
};

// A configuration with the named plugins in one tier, everything on.
scheduler::Config OneTier(std::initializer_list<std::string_view> plugins);
// Fails the test when the plugins cannot be made.
std::unique_ptr<scheduler::PluginSet> MakePlugins(scheduler::Config config,
                                                  const scheduler::PluginRegistry& registry);
std::vector<std::string> Names(const std::vector<const model::Task*>& tasks);

inline constexpr Time kTestNow{std::chrono::hours(24 * 365 * 56)};

}  // namespace basalt::testutil
