#pragma once

#include <memory>
#include <vector>

#include "kube/types/pod.h"
#include "model/intent.h"

namespace basalt::scheduler::explain {

// What is wrong with a pod that is scheduled all the same: events that tell its owner.
std::vector<model::Intent> WarningsAbout(const std::shared_ptr<const kube::Pod>& pod);

}  // namespace basalt::scheduler::explain
