#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kube/types/meta.h"
#include "kube/types/selector.h"

namespace basalt::kube {

struct PodDisruptionBudget {
  struct DisruptedPod {
    std::string name;
    Time time{};
    bool operator==(const DisruptedPod&) const = default;
  };

  ObjectMeta meta;

  // spec
  std::optional<IntOrString> min_available;
  std::optional<IntOrString> max_unavailable;
  std::optional<LabelSelector> selector;  // absent: selects no pod
  bool always_allow_unhealthy = false;    // unhealthyPodEvictionPolicy: AlwaysAllow

  // status
  std::int64_t observed_generation = 0;
  std::int32_t disruptions_allowed = 0;
  std::int32_t current_healthy = 0;
  std::int32_t desired_healthy = 0;
  std::int32_t expected_pods = 0;
  std::vector<DisruptedPod> disrupted_pods;
  std::vector<Condition> conditions;

  bool operator==(const PodDisruptionBudget&) const = default;
};

}  // namespace basalt::kube
