#include "workloads/stateful_set_plan.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "workloads/pod_facts.h"

namespace basalt::workloads {
namespace {

// Made at once; the rest follows when the watch has shown these.
constexpr std::size_t kMostStatefulPodsAtOnce = 500;

bool HasRevision(const kube::Pod& pod, std::string_view revision) {
  return pod.meta.labels.Get(kRevisionHash) == revision;
}

// One look at a StatefulSet.
class StatefulSetPlanner {
 public:
  StatefulSetPlanner(const kube::StatefulSet& set, const std::vector<const kube::Pod*>& pods,
                     const std::string& revision, Time now)
      : set_(set), revision_(revision), now_(now) {
    for (const kube::Pod* pod : pods) {
      if (const auto ordinal = OrdinalOf(set, pod->meta.name)) by_ordinal_[*ordinal] = pod;
    }
    plan_.status.update_revision = revision;
    plan_.status.current_revision = set.current_revision.empty() ? revision : set.current_revision;
  }

  StatefulSetPlan Plan() && {
    Count();
    if (!set_.meta.deleting() && FillUp() && ScaleDown() &&
        set_.strategy == kube::StatefulSet::Strategy::kRollingUpdate) {
      Update();
    }
    return std::move(plan_);
  }

 private:
  bool ordered() const {
    return set_.pod_management == kube::StatefulSet::PodManagement::kOrderedReady;
  }
  std::int64_t end() const {
    return std::min<std::int64_t>(std::int64_t{set_.first_ordinal} + set_.replicas,
                                  std::numeric_limits<std::int32_t>::max());
  }
  bool IsWanted(std::int32_t ordinal) const {
    return ordinal >= set_.first_ordinal && ordinal < end();
  }

  bool IsAvailable(const kube::Pod& pod) {
    if (!IsActive(pod)) return false;
    const auto at = AvailableAt(pod, set_.min_ready_seconds);
    if (!at) return false;
    if (*at <= now_) return true;
    plan_.look_again = plan_.look_again ? std::min(*plan_.look_again, *at) : *at;
    return false;
  }

  void Count() {
    kube::ReplicaCounts& counts = plan_.status.counts;
    for (const auto& [ordinal, pod] : by_ordinal_) {
      if (pod->terminal()) continue;
      ++counts.replicas;
      if (pod->meta.deleting()) continue;
      if (IsReady(*pod)) ++counts.ready;
      if (IsAvailable(*pod)) ++counts.available;
      if (HasRevision(*pod, revision_)) ++counts.updated;
      if (HasRevision(*pod, plan_.status.current_revision)) ++counts.current;
    }
    // The rollout is over: what was new is what there is.
    if (counts.updated == set_.replicas && counts.replicas == set_.replicas &&
        counts.ready == set_.replicas) {
      plan_.status.current_revision = revision_;
      counts.current = counts.updated;
    }
  }

  // True: what is wanted is there and available, or need not be waited for.
  bool FillUp() {
    for (std::int64_t i = set_.first_ordinal; i < end(); ++i) {
      const auto ordinal = static_cast<std::int32_t>(i);
      const auto found = by_ordinal_.find(ordinal);
      if (found == by_ordinal_.end()) {
        plan_.create.push_back(ordinal);
      } else if (found->second->terminal() && !found->second->meta.deleting()) {
        plan_.remove.push_back(found->second);  // and then made again
      } else if (IsAvailable(*found->second)) {
        continue;
      }
      if (ordered() || plan_.create.size() == kMostStatefulPodsAtOnce) return false;
    }
    return true;
  }

  bool ScaleDown() {
    bool none = true;
    for (auto it = by_ordinal_.rbegin(); it != by_ordinal_.rend(); ++it) {
      if (IsWanted(it->first)) continue;
      none = false;
      if (!it->second->meta.deleting()) plan_.remove.push_back(it->second);
      if (ordered()) return false;
    }
    return none;
  }

  void Update() {
    for (auto it = by_ordinal_.rbegin(); it != by_ordinal_.rend(); ++it) {
      const auto& [ordinal, pod] = *it;
      if (ordinal < set_.first_ordinal + set_.partition) return;
      if (!HasRevision(*pod, revision_)) {
        if (IsActive(*pod)) plan_.remove.push_back(pod);
        return;
      }
      if (!IsAvailable(*pod)) return;
    }
  }

  const kube::StatefulSet& set_;
  const std::string& revision_;
  const Time now_;
  std::map<std::int32_t, const kube::Pod*> by_ordinal_;
  StatefulSetPlan plan_;
};

}  // namespace

std::optional<std::int32_t> OrdinalOf(const kube::StatefulSet& set, std::string_view pod_name) {
  const std::string& name = set.meta.name;
  if (pod_name.size() < name.size() + 2 || !pod_name.starts_with(name) ||
      pod_name[name.size()] != '-') {
    return std::nullopt;
  }
  const std::string_view digits = pod_name.substr(name.size() + 1);
  std::int32_t ordinal = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
  if (error != std::errc() || stop != digits.data() + digits.size() || ordinal < 0 ||
      std::to_string(ordinal) != digits) {
    return std::nullopt;
  }
  return ordinal;
}

StatefulSetPlan PlanStatefulSet(const kube::StatefulSet& set,
                                const std::vector<const kube::Pod*>& pods,
                                const std::string& revision, Time now) {
  return StatefulSetPlanner(set, pods, revision, now).Plan();
}

}  // namespace basalt::workloads
