#include "scheduler/explain/fragmentation.h"

#include <algorithm>
#include <vector>

namespace basalt::scheduler::explain {
namespace {

// It stays with its node, whatever else is there.
bool StaysWithNode(const kube::Pod& pod) {
  if (pod.meta.annotations.Contains("kubernetes.io/config.mirror")) return true;
  const kube::OwnerReference* owner = pod.meta.Controller();
  return owner && (owner->kind == "DaemonSet" || owner->kind == "Node");
}

}  // namespace

std::map<std::string, double> FragmentationOf(const model::Cluster& cluster) {
  const model::Dimensions& dimensions = cluster.dimensions();
  const int bound = std::min(cluster.ledger().dimensions(), dimensions.size());
  std::vector<double> all(bound), broken(bound);
  for (const model::NodeId id : cluster.nodes()) {
    const model::Node& node = cluster.node(id);
    if (!node.object->ready() || node.object->spec.unschedulable) continue;
    const bool runs = std::ranges::any_of(
        node.tasks, [&](model::TaskId task) { return !StaysWithNode(*cluster.task(task).pod); });
    for (int d = 0; d < bound; ++d) {
      const double idle = std::max(0.0, cluster.ledger().idle(d, id));
      all[d] += idle;
      if (runs) broken[d] += idle;
    }
  }
  std::map<std::string, double> out;
  for (int d = 0; d < bound; ++d) {
    if (d == model::kPods || dimensions.name(d).empty()) continue;
    out[dimensions.name(d)] = all[d] > 0 ? broken[d] / all[d] : 0;
  }
  return out;
}

}  // namespace basalt::scheduler::explain
