#include "controllers/podgroup/workload.h"

#include <algorithm>
#include <charconv>

#include "kube/types/resource.h"

namespace basalt::controllers {
namespace {

namespace resources = kube::resources;

constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";

// 0 where there is none.
std::int64_t NumberIn(const kube::ReplicaSet& set, std::string_view annotation) {
  const std::string_view text = set.meta.annotations.Get(annotation);
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

template <class T>
Workload Common(const kube::Resource& kind, const std::shared_ptr<const T>& object) {
  Workload workload;
  workload.object = object;
  workload.kind = &kind;
  workload.meta = &object->meta;
  workload.pod_template = &object->pod_template;
  return workload;
}

}  // namespace

Workload ViewOf(std::shared_ptr<const kube::ReplicaSet> set) {
  Workload workload = Common(resources::kReplicaSets, set);
  workload.wants_pods = set->replicas > 0;
  return workload;
}

std::optional<std::int32_t> PodsAtOnce(
    const kube::ReplicaSet& set,
    const std::vector<std::shared_ptr<const kube::ReplicaSet>>& siblings) {
  const kube::OwnerReference* owner = set.meta.Controller();
  if (!owner || owner->kind != "Deployment") return std::nullopt;
  const std::int64_t desired = NumberIn(set, kDesiredReplicas);
  const std::int64_t revision = NumberIn(set, kRevision);
  std::int64_t in_older = 0;
  for (const auto& sibling : siblings) {
    if (sibling->meta.ns == set.meta.ns && NumberIn(*sibling, kRevision) < revision) {
      in_older += std::max(0, sibling->replicas);
    }
  }
  const std::int64_t given_up = std::max<std::int64_t>(1, desired - in_older);
  const std::int64_t at_once = std::min<std::int64_t>(set.replicas, given_up);
  if (at_once >= desired) return std::nullopt;
  return static_cast<std::int32_t>(at_once);
}

Workload ViewOf(std::shared_ptr<const kube::StatefulSet> set) {
  Workload workload = Common(resources::kStatefulSets, set);
  workload.wants_pods = set->replicas > 0;
  workload.one_by_one = set->pod_management == kube::StatefulSet::PodManagement::kOrderedReady;
  return workload;
}

Workload ViewOf(std::shared_ptr<const kube::DaemonSet> set) {
  return Common(resources::kDaemonSets, set);
}

Workload ViewOf(std::shared_ptr<const kube::Job> job) {
  Workload workload = Common(resources::kJobs, job);
  workload.wants_pods = !job->suspend && job->parallelism > 0;
  return workload;
}

bool IsKnownWorkload(const kube::OwnerReference& owner) {
  for (const kube::Resource* kind : {&resources::kReplicaSets, &resources::kStatefulSets,
                                     &resources::kDaemonSets, &resources::kJobs}) {
    if (owner.kind == kind->kind && owner.api_version == kind->ApiVersion()) return true;
  }
  return false;
}

kube::ObjectReference FaceOf(const Workload& workload) {
  const kube::OwnerReference* owner = workload.meta->Controller();
  if (owner && owner->kind == "Deployment") {
    return {.api_version = owner->api_version,
            .kind = owner->kind,
            .ns = workload.meta->ns,
            .name = owner->name,
            .uid = owner->uid};
  }
  return {.api_version = workload.kind->ApiVersion(),
          .kind = std::string(workload.kind->kind),
          .ns = workload.meta->ns,
          .name = workload.meta->name,
          .uid = workload.meta->uid,
          .resource_version = workload.meta->resource_version};
}

}  // namespace basalt::controllers
