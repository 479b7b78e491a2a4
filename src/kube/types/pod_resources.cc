#include "kube/types/pod_resources.h"

#include <algorithm>
#include <array>

namespace basalt::kube {
namespace {

bool IsPodLevelResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

// A resize that the node can never grant: what the spec asks for does not count then.
bool ResizeIsInfeasible(const PodStatus& status) {
  const Condition* pending = FindCondition(status.conditions, "PodResizePending");
  return pending && pending->reason == "Infeasible";
}

// The larger of what is asked for, granted and in force.
ResourceList Effective(const ResourceList& asked, const ContainerStatus::Granted& granted,
                       bool infeasible) {
  ResourceList effective = infeasible ? ResourceList() : asked;
  effective.RaiseTo(granted.resources->requests);
  effective.RaiseTo(granted.allocated_resources);
  return effective;
}

const ContainerStatus::Granted* FindGrant(const std::vector<ContainerStatus>& statuses,
                                          std::string_view container) {
  const auto found = std::ranges::find(statuses, container, &ContainerStatus::name);
  if (found == statuses.end() || !found->granted || !found->granted->resources) return nullptr;
  return &*found->granted;
}

// What the containers need together. `amount(container, is_init)` says what one of them needs.
template <class Amount>
ResourceList Aggregate(const PodSpec& spec, bool skip_init, Amount amount) {
  ResourceList total;
  for (const Container& container : spec.containers) total.Add(amount(container, false));
  if (skip_init) return total;
  ResourceList sidecars;  // those that have started so far
  ResourceList most;      // at any time while the pod initialises
  for (const Container& container : spec.init_containers) {
    const ResourceList own = amount(container, true);
    if (container.restart_always) {
      total.Add(own);
      sidecars.Add(own);
      most.RaiseTo(sidecars);
    } else {
      ResourceList together = sidecars;
      together.Add(own);
      most.RaiseTo(together);
    }
  }
  total.RaiseTo(most);
  return total;
}

}  // namespace

ResourceList PodRequests(const PodSpec& spec, const PodStatus* status,
                         const PodRequestOptions& options) {
  if (!options.use_status) status = nullptr;
  const bool infeasible = status && ResizeIsInfeasible(*status);
  ResourceList requests =
      Aggregate(spec, options.skip_init_containers, [&](const Container& container, bool is_init) {
        const ContainerStatus::Granted* grant = nullptr;
        if (status && (!is_init || container.restart_always)) {
          grant = FindGrant(is_init ? status->init_container_statuses : status->container_statuses,
                            container.name);
        }
        const ResourceList& asked = container.resources.requests;
        return grant ? Effective(asked, *grant, infeasible) : asked;
      });
  if (!options.skip_pod_level_resources && spec.resources) {
    const ResourceList& asked = spec.resources->requests;
    const bool granted = status && status->granted && status->granted->resources;
    const ResourceList effective = granted ? Effective(asked, *status->granted, infeasible) : asked;
    for (const ResourceList::Entry& entry : asked) {
      if (IsPodLevelResource(entry.name)) requests.Set(entry.name, effective.Get(entry.name));
    }
  }
  if (!options.exclude_overhead) requests.Add(spec.overhead);
  return requests;
}

ResourceList PodLimits(const PodSpec& spec, const PodRequestOptions& options) {
  ResourceList limits =
      Aggregate(spec, options.skip_init_containers,
                [](const Container& container, bool) { return container.resources.limits; });
  if (!options.skip_pod_level_resources && spec.resources) {
    for (const ResourceList::Entry& entry : spec.resources->limits) {
      if (IsPodLevelResource(entry.name)) limits.Set(entry.name, entry.quantity);
    }
  }
  if (!options.exclude_overhead) {
    for (const ResourceList::Entry& entry : spec.overhead) {
      const Quantity limit = limits.Get(entry.name);
      if (!limit.IsZero()) limits.Set(entry.name, limit + entry.quantity);
    }
  }
  return limits;
}

QosClass ComputeQosClass(const PodSpec& spec) {
  static constexpr std::array<std::string_view, 2> kCounted = {"cpu", "memory"};
  ResourceList requests;
  ResourceList limits;
  bool guaranteed = true;
  const auto gather = [](const ResourceList& from, ResourceList& into) {
    bool all = true;
    for (const std::string_view name : kCounted) {
      const Quantity amount = from.Get(name);
      all &= amount.Sign() > 0;
      if (amount.Sign() > 0) into.Set(name, into.Get(name) + amount);
    }
    return all;
  };
  if (spec.resources) {
    gather(spec.resources->requests, requests);
    const bool all_limited = gather(spec.resources->limits, limits);
    if (!spec.resources->limits.empty()) guaranteed = all_limited;
  } else {
    for (const SharedList<Container>* containers : {&spec.containers, &spec.init_containers}) {
      for (const Container& container : *containers) {
        gather(container.resources.requests, requests);
        guaranteed &= gather(container.resources.limits, limits);
      }
    }
  }
  if (requests.empty() && limits.empty()) return QosClass::kBestEffort;
  return guaranteed && requests == limits ? QosClass::kGuaranteed : QosClass::kBurstable;
}

}  // namespace basalt::kube
