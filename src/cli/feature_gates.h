#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::cli {

// What --feature-gates says, as in Kubernetes: "Name=true,Other=false". Names of Volcano that mean
// nothing here are taken, so that its command lines work, and noted in the log.
struct FeatureGates {
  // Queue-allocation gates are added to pods and waited for; off: they are removed.
  bool queue_admission = true;
};
Result<FeatureGates> ParseFeatureGates(std::string_view text);

}  // namespace basalt::cli
