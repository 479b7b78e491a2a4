#include "model/reservation_match.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <tuple>

#include "model/annotations.h"

namespace basalt::model {
namespace {

// The identity of a pod or group, to be held against an owner's `object`.
struct Identity {
  std::string_view api_version;
  std::string_view kind;
  std::string_view ns;
  std::string_view name;
  std::string_view uid;
};

bool IsGivenAs(const kube::ObjectReference& object, const Identity& who) {
  const auto agrees = [](const std::string& given, std::string_view is) {
    return given.empty() || given == is;
  };
  return agrees(object.api_version, who.api_version) && agrees(object.kind, who.kind) &&
         agrees(object.ns, who.ns) && agrees(object.name, who.name) && agrees(object.uid, who.uid);
}

bool ObjectMatches(const kube::ObjectReference& object, const kube::Pod& pod,
                   const kube::PodGroup* group) {
  const kube::ObjectMeta& meta = pod.meta;
  if (IsGivenAs(object, {"v1", "Pod", meta.ns, meta.name, meta.uid})) return true;
  for (const kube::OwnerReference& owner : meta.owner_references) {
    if (IsGivenAs(object, {owner.api_version, owner.kind, meta.ns, owner.name, owner.uid})) {
      return true;
    }
  }
  return group != nullptr && IsGivenAs(object, {"scheduling.volcano.sh/v1beta1", "PodGroup",
                                                group->meta.ns, group->meta.name, group->meta.uid});
}

// Those that the API server's admission gives to every pod.
bool IsAddedByAdmission(const kube::Toleration& toleration) {
  return (toleration.key == "node.kubernetes.io/not-ready" ||
          toleration.key == "node.kubernetes.io/unreachable") &&
         toleration.op == kube::Toleration::Operator::kExists &&
         toleration.effect == kube::TaintEffect::kNoExecute && toleration.toleration_seconds == 300;
}

std::vector<kube::Toleration> TolerationsOf(const kube::PodSpec& spec) {
  std::vector<kube::Toleration> tolerations;
  for (const kube::Toleration& toleration : spec.tolerations) {
    if (!IsAddedByAdmission(toleration)) tolerations.push_back(toleration);
  }
  std::ranges::sort(tolerations, {}, [](const kube::Toleration& t) {
    return std::tie(t.key, t.op, t.value, t.effect, t.toleration_seconds);
  });
  return tolerations;
}

// Nothing is the same as not a word about it.
kube::ResourceList WithoutZeros(const kube::ResourceList& amounts) {
  kube::ResourceList kept;
  for (const auto& [name, quantity] : amounts) {
    if (!quantity.IsZero()) kept.Set(name, quantity);
  }
  return kept;
}

kube::ResourceList RequestsOf(const kube::ResourceRequirements& resources) {
  kube::ResourceList requests = resources.requests;
  for (const auto& [name, quantity] : resources.limits) {
    if (!requests.Find(name)) requests.Set(name, quantity);
  }
  return WithoutZeros(requests);
}

std::vector<SchedulingShape::Port> HostPortsOf(const kube::Container& container,
                                               bool host_network) {
  std::vector<SchedulingShape::Port> ports;
  for (const kube::ContainerPort& port : container.ports) {
    // On the node's own network every port is one of the node's.
    const std::int32_t number =
        port.host_port == 0 && host_network ? port.container_port : port.host_port;
    if (number != 0) ports.push_back({number, port.protocol, port.host_ip});
  }
  std::ranges::sort(ports);
  return ports;
}

std::vector<SchedulingShape::Container> ContainersOf(
    const kube::SharedList<kube::Container>& containers, bool host_network) {
  std::vector<SchedulingShape::Container> shapes;
  shapes.reserve(containers.size());
  for (const kube::Container& container : containers) {
    shapes.push_back({.name = container.name,
                      .image = container.image,
                      .requests = RequestsOf(container.resources),
                      .limits = WithoutZeros(container.resources.limits),
                      .host_ports = HostPortsOf(container, host_network),
                      .goes_on = container.restart_always});
  }
  std::ranges::stable_sort(shapes, {}, &SchedulingShape::Container::name);
  return shapes;
}

kube::Boxed<kube::ResourceRequirements> WholePodOf(const kube::PodSpec& spec) {
  if (!spec.resources) return {};
  kube::ResourceRequirements whole{.requests = RequestsOf(*spec.resources),
                                   .limits = WithoutZeros(spec.resources->limits)};
  if (whole.requests.empty() && whole.limits.empty()) return {};
  return whole;
}

// An affinity without a word in it is none.
kube::Boxed<kube::Affinity> AffinityOf(const kube::PodSpec& spec) {
  if (!spec.affinity || *spec.affinity == kube::Affinity{}) return {};
  kube::Affinity affinity = *spec.affinity;
  if (affinity.node && *affinity.node == kube::NodeAffinity{}) affinity.node.reset();
  if (affinity == kube::Affinity{}) return {};
  return affinity;
}

}  // namespace

bool OwnersMatch(const kube::Reservation& reservation, const kube::Pod& pod,
                 const kube::PodGroup* group) {
  return std::ranges::any_of(reservation.owners, [&](const kube::Reservation::Owner& owner) {
    return kube::Matches(owner.label_selector, pod.meta.labels) ||
           (owner.object && ObjectMatches(*owner.object, pod, group));
  });
}

std::string_view NamedReservation(const kube::Pod& pod, const kube::PodGroup* group) {
  const std::string_view own = pod.meta.annotations.Get(annotations::kReservationName);
  if (!own.empty() || group == nullptr) return own;
  return group->meta.annotations.Get(annotations::kReservationName);
}

bool MayUse(const kube::Reservation& reservation, const kube::Pod& pod, const kube::PodGroup* group,
            bool shadow) {
  const std::string_view named = NamedReservation(pod, group);
  if (!named.empty() && named != reservation.meta.name) return false;
  if (!named.empty() && reservation.owners.empty()) return true;
  return OwnersMatch(reservation, pod, shadow ? nullptr : group);
}

SchedulingShape ShapeOf(const kube::PodSpec& spec, std::string_view default_scheduler) {
  return {.scheduler_name =
              spec.scheduler_name.empty() ? std::string(default_scheduler) : spec.scheduler_name,
          .node_selector = spec.node_selector,
          .affinity = AffinityOf(spec),
          .tolerations = TolerationsOf(spec),
          .containers = ContainersOf(spec.containers, spec.host_network),
          .init_containers = ContainersOf(spec.init_containers, spec.host_network),
          .whole_pod = WholePodOf(spec)};
}

std::size_t QuickShape(const kube::PodSpec& spec) {
  // A sum: the order of containers does not count.
  std::size_t sum = spec.init_containers.size();
  for (const kube::Container& container : spec.containers) {
    std::size_t one = 0;
    boost::hash_combine(one, container.name);
    boost::hash_combine(one, container.image);
    sum += one;
  }
  return sum;
}

bool SamePriorityClass(std::string_view of_template, std::string_view of_pod,
                       std::string_view global_default) {
  return of_template == of_pod || (of_template.empty() && of_pod == global_default);
}

bool TemplateMatches(const kube::Reservation& reservation, const kube::Reservation::Task& task,
                     const kube::Pod& pod, std::string_view global_default) {
  const kube::PodSpec& wanted = task.pod_template.spec;
  return SamePriorityClass(wanted.priority_class_name, pod.spec.priority_class_name,
                           global_default) &&
         QuickShape(wanted) == QuickShape(pod.spec) &&
         ShapeOf(wanted, reservation.scheduler_name) == ShapeOf(pod.spec);
}

}  // namespace basalt::model
