#include "model/reserved_pod.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kube/types/pod_resources.h"
#include "model/annotations.h"
#include "model/reservation_status.h"

namespace basalt::model {
namespace {

// What a pod says of itself that means nothing, or something else, for one that is never made.
constexpr std::string_view kNotForReserved[] = {
    annotations::kGroupName,       annotations::kVolcanoGroupName,
    annotations::kGroupMinMember,  annotations::kGroupMinResources,
    annotations::kQueueName,       annotations::kQueueAllocationGate,
    annotations::kReservationName, annotations::kEvictions,
    annotations::kBoundQueue,
};

kube::StringMap AnnotationsOf(const kube::Reservation& reservation,
                              const kube::Reservation::Task& task) {
  kube::StringMap annotations = task.pod_template.annotations;
  for (const std::string_view key : kNotForReserved) {
    if (annotations.Contains(key)) annotations.Erase(key);
  }
  annotations.Set(annotations::kGroupName, ReservedGroupName(reservation.meta.name));
  annotations.Set(annotations::kTaskSpec, task.name);
  return annotations;
}

void AskForLimits(kube::ResourceRequirements& resources) {
  for (const auto& [name, quantity] : resources.limits) {
    if (!resources.requests.Find(name)) resources.requests.Set(name, quantity);
  }
}

void AskForLimits(kube::SharedList<kube::Container>& containers) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (!containers.items()[i].resources.limits.empty()) AskForLimits(containers[i].resources);
  }
}

// On the node's own network every port is one of the node's.
void UseHostPorts(kube::SharedList<kube::Container>& containers) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    for (kube::ContainerPort& port : containers[i].ports) {
      if (port.host_port == 0) port.host_port = port.container_port;
    }
  }
}

// A term for each node: Kubernetes takes one name in a term.
void RequireNodes(kube::PodSpec& spec, const std::vector<std::string>& names) {
  if (!spec.affinity) spec.affinity.emplace();
  std::optional<kube::NodeAffinity>& affinity = spec.affinity->node;
  if (!affinity) affinity.emplace();
  const bool any = !affinity->required.has_value();
  std::vector<kube::NodeSelectorTerm> terms;
  if (!any) terms = affinity->required->terms;
  kube::NodeSelector required;
  for (const std::string& name : names) {
    const kube::NodeSelectorRequirement on_this{.key = "metadata.name",
                                                .op = kube::NodeSelectorRequirement::Operator::kIn,
                                                .values = {name}};
    if (any) required.terms.push_back({.match_expressions = {}, .match_fields = {on_this}});
    for (kube::NodeSelectorTerm term : terms) {
      // One without a word matches no node.
      if (term.match_expressions.empty() && term.match_fields.empty()) continue;
      term.match_fields.push_back(on_this);
      required.terms.push_back(std::move(term));
    }
  }
  affinity->required = std::move(required);
}

// Claims that are made with the pod are not there before it.
void KeepNamedClaims(kube::PodSpec& spec) {
  if (spec.volumes.empty()) return;
  std::vector<kube::Volume> kept;
  for (const kube::Volume& volume : spec.volumes) {
    if (volume.kind != kube::Volume::Kind::kEphemeral) kept.push_back(volume);
  }
  spec.volumes = std::move(kept);
}

kube::PodSpec SpecOf(const kube::Reservation& reservation, const kube::Reservation::Task& task,
                     const kube::PriorityClass* priority_class) {
  kube::PodSpec spec = task.pod_template.spec;
  if (spec.scheduler_name.empty()) spec.scheduler_name = reservation.scheduler_name;
  spec.node_name.clear();
  spec.scheduling_gates.clear();
  AskForLimits(spec.containers);
  AskForLimits(spec.init_containers);
  if (spec.resources) AskForLimits(*spec.resources);
  if (spec.host_network) UseHostPorts(spec.containers);
  KeepNamedClaims(spec);
  spec.priority = priority_class ? priority_class->value : 0;
  spec.preemption_policy = priority_class ? priority_class->preemption_policy
                                          : kube::PreemptionPolicy::kPreemptLowerPriority;
  if (task.reservation_node_policy == kube::Reservation::NodePolicy::kRequired) {
    RequireNodes(spec, task.reservation_node_names);
  }
  return spec;
}

}  // namespace

std::string ReservedGroupName(std::string_view reservation) {
  return fmt::format("reservation:{}", reservation);
}

std::shared_ptr<const kube::Pod> ReservedPod(const kube::Reservation& reservation, std::size_t task,
                                             std::int32_t index, std::uint32_t slot,
                                             const kube::PriorityClass* priority_class) {
  const kube::Reservation::Task& of = reservation.tasks[task];
  auto pod = std::make_shared<kube::Pod>();
  pod->meta.ns = reservation.meta.ns;
  pod->meta.name =
      fmt::format("{}:{}:{}", ReservedGroupName(reservation.meta.name), of.name, index);
  // In the order of the slots, as texts are compared.
  pod->meta.uid = fmt::format("{}:{:010}", reservation.meta.uid, slot);
  pod->meta.creation_timestamp = reservation.meta.creation_timestamp;
  pod->meta.labels = of.pod_template.labels;
  pod->meta.annotations = AnnotationsOf(reservation, of);
  pod->spec = SpecOf(reservation, of, priority_class);
  return pod;
}

std::uint32_t SlotOf(const kube::Pod& reserved_pod) {
  const std::string& uid = reserved_pod.meta.uid;
  std::uint32_t slot = 0;
  std::from_chars(uid.data() + uid.rfind(':') + 1, uid.data() + uid.size(), slot);
  return slot;
}

std::shared_ptr<const kube::PodGroup> ReservedGroup(const kube::Reservation& reservation,
                                                    std::string_view queue,
                                                    std::string_view priority_class) {
  auto group = std::make_shared<kube::PodGroup>();
  group->meta.ns = reservation.meta.ns;
  group->meta.name = ReservedGroupName(reservation.meta.name);
  group->meta.uid = reservation.meta.uid;
  group->meta.creation_timestamp = reservation.meta.creation_timestamp;
  group->min_member = LeastAvailable(reservation);
  group->queue = queue;
  group->priority_class_name = priority_class;
  // Of as many as must be there, in their order.
  std::int32_t left = group->min_member;
  kube::ResourceList& least = group->min_resources.emplace();
  least.Set("pods", kube::Quantity::Of(left));
  for (const kube::Reservation::Task& task : reservation.tasks) {
    kube::PodSpec spec = task.pod_template.spec;
    AskForLimits(spec.containers);
    AskForLimits(spec.init_containers);
    if (spec.resources) AskForLimits(*spec.resources);
    const kube::ResourceList one = kube::PodRequests(spec);
    const std::int32_t counted = std::min(left, task.replicas);
    for (std::int32_t i = 0; i < counted; ++i) least.Add(one);
    left -= std::max(counted, 0);
  }
  return group;
}

}  // namespace basalt::model
