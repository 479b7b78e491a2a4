#include "descheduler/plugins/default_evictor.h"

#include <fmt/format.h>

#include <algorithm>

#include "kube/types/time.h"

namespace basalt::descheduler {
namespace {

constexpr std::string_view kEvict = "descheduler.alpha.kubernetes.io/evict";
constexpr std::string_view kPreferNoEviction = "descheduler.alpha.kubernetes.io/prefer-no-eviction";
// Kubernetes' own classes begin here.
constexpr std::int32_t kSystemCritical = 2'000'000'000;

bool HasVolume(const kube::Pod& pod, std::initializer_list<kube::Volume::Kind> kinds) {
  return std::ranges::any_of(pod.spec.volumes, [&](const kube::Volume& volume) {
    return std::ranges::find(kinds, volume.kind) != kinds.end();
  });
}

}  // namespace

std::optional<Objection> DefaultEvictor::Filter(const model::Task& task) {
  const kube::Pod& pod = *task.pod;
  if (pod.meta.Controller() == nullptr) {
    return Objection{"Bare",
                     "it has no controller that would make it again: run it by a Deployment, a Job "
                     "or another workload"};
  }
  if (pod.meta.annotations.Contains(kEvict)) return std::nullopt;
  if (args_.no_eviction_policy == NoEvictionPolicy::kMandatory &&
      pod.meta.annotations.Contains(kPreferNoEviction)) {
    return Objection{"NoEviction", fmt::format("its annotation {} forbids it, and noEvictionPolicy "
                                               "is Mandatory",
                                               kPreferNoEviction)};
  }
  if (auto objection = CheckPriority(pod)) return objection;
  if (auto objection = CheckVolumes(pod)) return objection;
  if (!args_.label_selector.Matches(pod.meta.labels)) {
    return Objection{"LabelSelector", "DefaultEvictor's labelSelector does not select it"};
  }
  if (auto objection = CheckReplicas(pod)) return objection;
  if (args_.min_pod_age) {
    const auto& start = pod.status.start_time;
    if (!start || now_ - *start < *args_.min_pod_age) {
      return Objection{"MinPodAge", fmt::format("it is younger than minPodAge ({})",
                                                kube::FormatDuration(*args_.min_pod_age))};
    }
  }
  return CheckBudgets(pod);
}

std::optional<Objection> DefaultEvictor::CheckPriority(const kube::Pod& pod) const {
  if (!args_.protections.system_critical || !pod.spec.priority) return std::nullopt;
  if (*pod.spec.priority >= kSystemCritical) {
    return Objection{"SystemCritical",
                     "its priority is system critical; evictSystemCriticalPods would let it go"};
  }
  const PriorityThreshold& threshold = args_.priority_threshold;
  std::optional<std::int32_t> most = threshold.value;
  if (!threshold.name.empty()) {
    const kube::PriorityClass* named = cluster_.objects().priority_classes.Find(threshold.name);
    if (!named) {
      return Objection{"PriorityThreshold",
                       fmt::format("priorityThreshold names the priority class \"{}\", which does "
                                   "not exist",
                                   threshold.name)};
    }
    most = named->value;
  }
  if (!most || *pod.spec.priority < *most) return std::nullopt;
  return Objection{"PriorityThreshold", fmt::format("its priority {} is not below "
                                                    "priorityThreshold ({})",
                                                    *pod.spec.priority, *most)};
}

std::optional<Objection> DefaultEvictor::CheckVolumes(const kube::Pod& pod) const {
  using Kind = kube::Volume::Kind;
  const PodProtections& protections = args_.protections;
  if (protections.local_storage && HasVolume(pod, {Kind::kHostPath, Kind::kEmptyDir})) {
    return Objection{"LocalStorage",
                     "it has an emptyDir or hostPath volume; evictLocalStoragePods would let it "
                     "go, and lose what is in it"};
  }
  if (protections.resource_claims && !pod.spec.resource_claims.empty()) {
    return Objection{"ResourceClaims",
                     "it has resource claims, which PodsWithResourceClaims "
                     "protects"};
  }
  if (!protections.with_pvc) return std::nullopt;
  const auto& classes = protections.protected_storage_classes;
  for (const kube::Volume& volume : pod.spec.volumes) {
    if (volume.kind != Kind::kPersistentVolumeClaim) continue;
    if (classes.empty()) {
      return Objection{"PersistentVolumeClaim",
                       "it has a persistent volume claim, and the policy leaves such pods alone "
                       "(ignorePvcPods, PodsWithPVC)"};
    }
    const kube::PersistentVolumeClaim* claim =
        cluster_.objects().volume_claims.Find(kube::ObjectKey(pod.meta.ns, volume.source));
    // Of a claim that nothing is known of the worst is assumed.
    if (!claim || claim->storage_class_name.value_or("").empty() ||
        std::ranges::find(classes, *claim->storage_class_name) != classes.end()) {
      return Objection{"PersistentVolumeClaim",
                       fmt::format("its claim \"{}\" is of a storage class that "
                                   "protectedStorageClasses names, or of none that is known",
                                   volume.source)};
    }
  }
  return std::nullopt;
}

bool DefaultEvictor::HasBudget(const kube::Pod& pod) {
  if (!budgets_) {
    budgets_.emplace();
    for (const auto& [key, budget] : cluster_.objects().disruption_budgets) {
      (*budgets_)[budget->meta.ns].push_back(budget.get());
    }
  }
  const auto there = budgets_->find(pod.meta.ns);
  return there != budgets_->end() &&
         std::ranges::any_of(there->second, [&](const kube::PodDisruptionBudget* budget) {
           return kube::Matches(budget->selector, pod.meta.labels);
         });
}

std::optional<Objection> DefaultEvictor::CheckBudgets(const kube::Pod& pod) {
  const PodProtections& protections = args_.protections;
  if (!protections.without_pdb && !protections.pdb_of_several_replicas) return std::nullopt;
  const bool has_budget = HasBudget(pod);
  if (protections.without_pdb && !has_budget) {
    return Objection{"PodDisruptionBudget",
                     "no PodDisruptionBudget covers it, and the policy leaves such pods alone "
                     "(ignorePodsWithoutPDB, PodsWithoutPDB)"};
  }
  if (protections.pdb_of_several_replicas && has_budget &&
      ReplicasOf(pod.meta.Controller()->uid) != 1) {
    return Objection{"PodDisruptionBudget",
                     "a PodDisruptionBudget covers it, and its owner has more than one replica "
                     "(PodsWithPDBBlockingSingleReplicaOwner)"};
  }
  return std::nullopt;
}

int DefaultEvictor::ReplicasOf(const std::string& owner_uid) {
  if (!replicas_) {
    replicas_.emplace();
    cluster_.tasks().ForEach([&](const model::Task& task) {
      for (const kube::OwnerReference& owner : task.pod->meta.owner_references) {
        ++(*replicas_)[owner.uid];
      }
    });
  }
  const auto it = replicas_->find(owner_uid);
  return it == replicas_->end() ? 0 : it->second;
}

std::optional<Objection> DefaultEvictor::CheckReplicas(const kube::Pod& pod) {
  // As there: how many replicas a pod of several owners has cannot be said.
  if (args_.min_replicas <= 1 || pod.meta.owner_references.size() != 1) return std::nullopt;
  const int replicas = ReplicasOf(pod.meta.owner_references.front().uid);
  if (replicas >= args_.min_replicas) return std::nullopt;
  return Objection{"MinReplicas", fmt::format("its owner has {} replicas, and minReplicas is {}",
                                              replicas, args_.min_replicas)};
}

std::optional<Objection> DefaultEvictor::FilterBeforeEviction(const model::Task& task) {
  if (args_.namespace_label_selector.empty()) return std::nullopt;
  const kube::Namespace* ns = cluster_.objects().namespaces.Find(task.ns());
  if (ns && args_.namespace_label_selector.Matches(ns->meta.labels)) return std::nullopt;
  return Objection{
      "Namespace",
      fmt::format("namespaceLabelSelector does not select its namespace \"{}\"", task.ns())};
}

}  // namespace basalt::descheduler
