#pragma once

#include <string>

#include "base/clock.h"
#include "kube/types/pod.h"
#include "simnode/pod_lifecycle.h"

namespace basalt::simnode {

// The state of a pod as the API has it: where a simulator that has just started goes on.
PodState StateOf(const kube::Pod& pod, Time now);

// The parts of the state that others may change: the specification and the deletion.
void UpdateFromPod(PodState& state, const kube::Pod& pod);

struct PodAddresses {
  std::string pod_ip;
  std::string host_ip;
};

// The strategic merge patch of the pod's status that says `state`, reached at `now`. It carries the
// uid, so that it never hits another pod of the same name, and only those conditions that change.
std::string StatusPatch(const kube::Pod& pod, const PodState& state, Time now,
                        const PodAddresses& addresses);

}  // namespace basalt::simnode
