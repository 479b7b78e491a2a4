#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kube/types/meta.h"

namespace basalt::kube {

struct Lease {
  ObjectMeta meta;
  std::string holder_identity;
  std::optional<std::int32_t> lease_duration_seconds;
  std::optional<Time> acquire_time;
  std::optional<Time> renew_time;
  std::int32_t lease_transitions = 0;
  bool operator==(const Lease&) const = default;
};

}  // namespace basalt::kube
