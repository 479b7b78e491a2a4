#pragma once

#include <optional>
#include <string>

#include "kube/types/meta.h"

namespace basalt::kube {

// bus.volcano.sh/v1alpha1 Command: an action that a user asks of a controller.
struct Command {
  ObjectMeta meta;
  std::string action;
  std::optional<OwnerReference> target;
  std::string reason;
  std::string message;
  bool operator==(const Command&) const = default;
};

}  // namespace basalt::kube
