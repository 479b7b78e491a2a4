#include "scheduler/plugins/predicates/ports.h"

#include <string_view>

namespace basalt::scheduler::plugins {
namespace {

template <class Fn>
bool AnyHostPort(const kube::Pod& pod, Fn fn) {
  for (const kube::Container& container : pod.spec.containers) {
    for (const kube::ContainerPort& port : container.ports) {
      if (port.host_port > 0 && fn(port)) return true;
    }
  }
  // A sidecar goes on running beside the others.
  for (const kube::Container& container : pod.spec.init_containers) {
    if (!container.restart_always) continue;
    for (const kube::ContainerPort& port : container.ports) {
      if (port.host_port > 0 && fn(port)) return true;
    }
  }
  return false;
}

bool IsAny(std::string_view ip) { return ip.empty() || ip == "0.0.0.0"; }

bool Clash(const kube::ContainerPort& a, const kube::ContainerPort& b) {
  if (a.host_port != b.host_port || a.protocol != b.protocol) return false;
  return IsAny(a.host_ip) || IsAny(b.host_ip) || a.host_ip == b.host_ip;
}

}  // namespace

bool PortsConflict(const model::Cluster& cluster, const model::Task& task,
                   const model::Node& node) {
  for (const model::TaskId id : node.tasks) {
    const model::Task& other = cluster.task(id);
    if (!other.task_class->has_host_ports || &other == &task) continue;
    const bool clash = AnyHostPort(*task.pod, [&](const kube::ContainerPort& wanted) {
      return AnyHostPort(*other.pod,
                         [&](const kube::ContainerPort& taken) { return Clash(wanted, taken); });
    });
    if (clash) return true;
  }
  return false;
}

}  // namespace basalt::scheduler::plugins
