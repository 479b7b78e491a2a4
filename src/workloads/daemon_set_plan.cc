#include "workloads/daemon_set_plan.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <tuple>

#include "workloads/pod_facts.h"
#include "workloads/stateful_set_plan.h"

namespace basalt::workloads {
namespace {

// One look at a DaemonSet.
class DaemonSetPlanner {
 public:
  DaemonSetPlanner(const kube::DaemonSet& set, const std::string& revision, Time now)
      : set_(set), revision_(revision), now_(now) {}

  DaemonSetPlan Plan(const std::vector<const kube::Pod*>& pods,
                     const std::vector<const kube::Node*>& nodes) && {
    boost::unordered_flat_map<std::string_view, std::vector<const kube::Pod*>> by_node;
    for (const kube::Pod* pod : pods) by_node[NodeOfDaemon(*pod)].push_back(pod);
    for (const kube::Node* node : nodes) {
      const auto found = by_node.find(std::string_view(node->meta.name));
      const bool wanted = RunsOn(set_, *node);
      if (wanted) ++plan_.status.desired;
      if (found == by_node.end()) {
        if (wanted) Missing(node->meta.name);
        continue;
      }
      if (wanted) {
        OnWantedNode(node->meta.name, found->second);
      } else {
        OnOtherNode(found->second);
      }
      by_node.erase(found);
    }
    // Of nodes that are gone.
    for (const kube::Pod* pod : pods) {
      if (by_node.contains(NodeOfDaemon(*pod))) Remove(*pod);
    }
    if (set_.strategy == kube::DaemonSet::Strategy::kRollingUpdate) Update();
    return std::move(plan_);
  }

 private:
  void Remove(const kube::Pod& pod) {
    if (!pod.meta.deleting()) plan_.remove.push_back(&pod);
  }

  void Missing(const std::string& node) {
    ++unavailable_;
    plan_.create.push_back(node);
  }

  bool IsAvailable(const kube::Pod& pod) {
    const auto at = AvailableAt(pod, set_.min_ready_seconds);
    if (!at) return false;
    if (*at <= now_) return true;
    plan_.look_again = plan_.look_again ? std::min(*plan_.look_again, *at) : *at;
    return false;
  }

  void OnWantedNode(const std::string& node, std::vector<const kube::Pod*>& pods) {
    // The oldest stays.
    std::sort(pods.begin(), pods.end(), [](const kube::Pod* a, const kube::Pod* b) {
      return std::tie(a->meta.creation_timestamp, a->meta.name) <
             std::tie(b->meta.creation_timestamp, b->meta.name);
    });
    const kube::Pod* kept = nullptr;
    bool leaving = false;
    for (const kube::Pod* pod : pods) {
      if (pod->meta.deleting() || pod->terminal()) {
        leaving = true;
        Remove(*pod);  // one that has ended is made again
      } else if (kept == nullptr) {
        kept = pod;
      } else {
        Remove(*pod);
      }
    }
    if (kept == nullptr) {
      ++unavailable_;
      if (!leaving) plan_.create.push_back(node);
      return;
    }
    ++plan_.status.current_scheduled;
    if (IsReady(*kept)) ++plan_.status.ready;
    const bool available = IsAvailable(*kept);
    available ? ++plan_.status.available : ++unavailable_;
    if (kept->meta.labels.Get(kRevisionHash) == revision_) {
      ++plan_.status.updated;
    } else {
      (available ? old_available_ : old_unavailable_).push_back(kept);
    }
  }

  void OnOtherNode(const std::vector<const kube::Pod*>& pods) {
    bool any = false;
    for (const kube::Pod* pod : pods) {
      any = any || IsActive(*pod);
      Remove(*pod);
    }
    if (any) ++plan_.status.misscheduled;
  }

  void Update() {
    for (const kube::Pod* pod : old_unavailable_) Remove(*pod);
    std::int64_t most = 1;
    if (set_.max_unavailable) {
      most = set_.max_unavailable->Scaled(plan_.status.desired, true).value_or(1);
    }
    most = std::max<std::int64_t>(most, 1);
    for (const kube::Pod* pod : old_available_) {
      if (unavailable_ >= most) return;
      Remove(*pod);
      ++unavailable_;
    }
  }

  const kube::DaemonSet& set_;
  const std::string& revision_;
  const Time now_;
  DaemonSetPlan plan_;
  std::int64_t unavailable_ = 0;  // nodes without an available pod
  std::vector<const kube::Pod*> old_available_;
  std::vector<const kube::Pod*> old_unavailable_;
};

}  // namespace

std::vector<kube::Toleration> DaemonTolerations(bool host_network) {
  using kube::TaintEffect;
  std::vector<kube::Toleration> tolerations;
  const auto add = [&](const char* key, TaintEffect effect) {
    tolerations.push_back({.key = std::string("node.kubernetes.io/") + key,
                           .op = kube::Toleration::Operator::kExists,
                           .effect = effect});
  };
  add("not-ready", TaintEffect::kNoExecute);
  add("unreachable", TaintEffect::kNoExecute);
  add("disk-pressure", TaintEffect::kNoSchedule);
  add("memory-pressure", TaintEffect::kNoSchedule);
  add("pid-pressure", TaintEffect::kNoSchedule);
  add("unschedulable", TaintEffect::kNoSchedule);
  if (host_network) add("network-unavailable", TaintEffect::kNoSchedule);
  return tolerations;
}

std::string_view NodeOfDaemon(const kube::Pod& pod) {
  if (pod.bound()) return pod.spec.node_name;
  if (!pod.spec.affinity || !pod.spec.affinity->node || !pod.spec.affinity->node->required) {
    return "";
  }
  for (const kube::NodeSelectorTerm& term : pod.spec.affinity->node->required->terms) {
    for (const kube::NodeSelectorRequirement& field : term.match_fields) {
      if (field.key == "metadata.name" && field.values.size() == 1) return field.values[0];
    }
  }
  return "";
}

bool RunsOn(const kube::DaemonSet& set, const kube::Node& node) {
  const kube::PodSpec& spec = set.pod_template.spec;
  const kube::StringMap& labels = node.meta.labels;
  if (!spec.node_name.empty() && spec.node_name != node.meta.name) return false;
  for (const auto& [key, value] : spec.node_selector) {
    if (labels.Find(key) != value) return false;
  }
  if (spec.affinity && spec.affinity->node && spec.affinity->node->required &&
      !spec.affinity->node->required->Matches(labels, node.meta.name)) {
    return false;
  }
  const std::vector<kube::Toleration> own = DaemonTolerations(spec.host_network);
  return std::ranges::all_of(node.spec.taints, [&](const kube::Taint& taint) {
    if (taint.effect != kube::TaintEffect::kNoSchedule &&
        taint.effect != kube::TaintEffect::kNoExecute) {
      return true;
    }
    const auto tolerates = [&](const kube::Toleration& one) { return one.Tolerates(taint); };
    return std::ranges::any_of(spec.tolerations, tolerates) || std::ranges::any_of(own, tolerates);
  });
}

DaemonSetPlan PlanDaemonSet(const kube::DaemonSet& set, const std::vector<const kube::Pod*>& pods,
                            const std::vector<const kube::Node*>& nodes,
                            const std::string& revision, Time now) {
  return DaemonSetPlanner(set, revision, now).Plan(pods, nodes);
}

}  // namespace basalt::workloads
