#pragma once

#include <memory>
#include <vector>

#include "kube/types/pod.h"
#include "model/intent.h"

namespace basalt::scheduler {

// What is wrong with a pod that has no node yet, by what it says itself: events that tell its
// owner, one for each mistake. `queue_gates`: queue-allocation gates are waited for.
std::vector<model::Intent> WarningsAbout(const std::shared_ptr<const kube::Pod>& pod,
                                         bool queue_gates);

}  // namespace basalt::scheduler
