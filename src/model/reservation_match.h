#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/pod.h"
#include "kube/types/reservation.h"
#include "kube/types/scheduling.h"

// The pods that a reservation serves (contract C7.5, C7.6). Pure: what the API server has made of a
// pod, and what the reservation says.
namespace basalt::model {

// Whether one of the reservation's owners is the pod, owns it, is its group or selects its labels.
// `group`: the pod's PodGroup; nullptr: it has none of its own.
bool OwnersMatch(const kube::Reservation& reservation, const kube::Pod& pod,
                 const kube::PodGroup* group);

// The reservation that the pod names, or its group for all its pods; "": none.
std::string_view NamedReservation(const kube::Pod& pod, const kube::PodGroup* group);

// Whether the pod may use a reservation of its namespace, as far as names and owners go. One that
// names another may not; one without owners serves those that name it. `shadow`: the group is none
// that exists, but looks like the pod.
bool MayUse(const kube::Reservation& reservation, const kube::Pod& pod, const kube::PodGroup* group,
            bool shadow);

// What of a pod, or of a template, matters for where it may run and what it takes there, in a form
// in which those that are alike are equal: quantities by value, a limit counts as a request where
// there is none, containers, ports and tolerations in no order, without the tolerations that the
// API server adds. The priority class is compared apart (SamePriorityClass), since it depends on
// the cluster.
struct SchedulingShape {
  struct Port {
    std::int32_t port = 0;
    kube::Protocol protocol = kube::Protocol::kTcp;
    std::string ip;
    auto operator<=>(const Port&) const = default;
  };
  struct Container {
    std::string name;
    std::string image;
    kube::ResourceList requests;
    kube::ResourceList limits;
    std::vector<Port> host_ports;
    bool goes_on = false;  // an init container that runs beside the others
    bool operator==(const Container&) const = default;
  };
  std::string scheduler_name;
  kube::StringMap node_selector;
  kube::Boxed<kube::Affinity> affinity;
  std::vector<kube::Toleration> tolerations;
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  kube::Boxed<kube::ResourceRequirements> whole_pod;

  bool operator==(const SchedulingShape&) const = default;
};

// `default_scheduler`: the scheduler of one that names none.
SchedulingShape ShapeOf(const kube::PodSpec& spec, std::string_view default_scheduler = {});
// A number that is the same for specs of one shape, without the work of a shape.
std::size_t QuickShape(const kube::PodSpec& spec);

// `global_default`: the class that the API server gives to pods that name none; "": there is none.
bool SamePriorityClass(std::string_view of_template, std::string_view of_pod,
                       std::string_view global_default);

// Whether the pod is one that the reservation's task is for.
bool TemplateMatches(const kube::Reservation& reservation, const kube::Reservation::Task& task,
                     const kube::Pod& pod, std::string_view global_default);

}  // namespace basalt::model
