#pragma once

#include <cstdint>
#include <string>

#include "kube/types/meta.h"
#include "kube/types/pod.h"

namespace basalt::kube {

struct PriorityClass {
  ObjectMeta meta;
  std::int32_t value = 0;
  bool global_default = false;
  PreemptionPolicy preemption_policy = PreemptionPolicy::kPreemptLowerPriority;
  std::string description;
  bool operator==(const PriorityClass&) const = default;
};

}  // namespace basalt::kube
