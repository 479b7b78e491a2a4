#pragma once

#include <string_view>

#include "base/clock.h"
#include "descheduler/plan/plan.h"
#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "model/cluster.h"

// What the descheduler asks of single pods and nodes. Pure.
namespace basalt::descheduler {

inline constexpr std::string_view kDefragmentationCoolDown =
    "defragmentation.basalt.sh/cool-down-until";
inline constexpr std::string_view kLoadAwareCoolDown = "loadaware.basalt.sh/cool-down-until";

bool IsDaemonSetPod(const kube::Pod& pod);
// The kubelet's own: the API server only mirrors it.
bool IsStaticPod(const kube::Pod& pod);
// It belongs to its node, whatever other pods are there.
inline bool StaysWithNode(const kube::Pod& pod) { return IsDaemonSetPod(pod) || IsStaticPod(pod); }

// A pod that is there, on its way out or not; what a reservation holds is none.
bool IsPodOnNode(const model::Cluster& cluster, const model::Task& task);
// A pod that has to go for its node to be free.
bool MustGo(const model::Cluster& cluster, const model::Task& task);

// Ready and not cordoned.
bool IsInService(const model::Node& node);
bool IsCritical(const model::Node& node);
// The annotation's time has not come yet; one that cannot be read is none.
bool CoolsDown(const model::Node& node, std::string_view annotation, Time now);

// In per cent; of what is not there nothing is used, unless something is.
double Percent(double used, double allocatable);

// As Kubernetes writes them; without what is zero, and without the number of pods.
kube::ResourceList ToResourceList(const model::Amounts& resource,
                                  const model::Dimensions& dimensions);

}  // namespace basalt::descheduler
