#include "descheduler/plugins/facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kube/types/time.h"

namespace basalt::descheduler {
namespace {

std::int64_t ToInteger(double amount) {
  constexpr double kLimit = 9.2e18;  // what int64 holds
  return static_cast<std::int64_t>(std::llround(std::clamp(amount, -kLimit, kLimit)));
}

}  // namespace

bool IsDaemonSetPod(const kube::Pod& pod) {
  return std::ranges::any_of(pod.meta.owner_references, [](const kube::OwnerReference& owner) {
    return owner.kind == "DaemonSet";
  });
}

bool IsStaticPod(const kube::Pod& pod) {
  if (pod.meta.annotations.Contains("kubernetes.io/config.mirror")) return true;
  const auto source = pod.meta.annotations.Find("kubernetes.io/config.source");
  return source && *source != "api";
}

bool IsPodOnNode(const model::Cluster& cluster, const model::Task& task) {
  if (!model::IsAllocated(task.status()) && task.status() != model::TaskStatus::kReleasing) {
    return false;
  }
  const model::Job* job = cluster.FindJob(task.job);
  return !job || job->reservation == nullptr;
}

bool MustGo(const model::Cluster& cluster, const model::Task& task) {
  return model::IsAllocated(task.status()) && IsPodOnNode(cluster, task) &&
         !task.pod->meta.deleting() && !StaysWithNode(*task.pod);
}

bool IsInService(const model::Node& node) {
  return node.exists() && node.object->ready() && !node.object->spec.unschedulable;
}

bool IsCritical(const model::Node& node) {
  return node.object->meta.labels.Get("critical") == "true";
}

bool CoolsDown(const model::Node& node, std::string_view annotation, Time now) {
  const auto text = node.object->meta.annotations.Find(annotation);
  if (!text) return false;
  const auto until = kube::ParseTime(*text);
  return until && now < *until;
}

double Percent(double used, double allocatable) {
  if (allocatable <= 0) return used > 0 ? 100 : 0;
  return used * 100 / allocatable;
}

kube::ResourceList ToResourceList(const model::Amounts& resource,
                                  const model::Dimensions& dimensions) {
  using Format = kube::Quantity::Format;
  kube::ResourceList amounts;
  model::ForEachDimension(resource.defined(), [&](int d) {
    if (d == model::kPods || resource[d] <= 0) return;
    const std::string& name = dimensions.name(d);
    if (d == model::kCpu) {
      amounts.Set(name, kube::Quantity::OfMilli(ToInteger(resource[d])));
    } else if (d == model::kMemory) {
      amounts.Set(name, kube::Quantity::Of(ToInteger(resource[d]), Format::kBinarySI));
    } else {
      const bool binary = name == "ephemeral-storage" || name.starts_with("hugepages-");
      const double whole = resource[d] / 1000;
      amounts.Set(name, binary && whole == std::floor(whole)
                            ? kube::Quantity::Of(ToInteger(whole), Format::kBinarySI)
                            : kube::Quantity::OfMilli(ToInteger(resource[d])));
    }
  });
  return amounts;
}

}  // namespace basalt::descheduler
