#include "scheduler/framework/fit_failure.h"

#include <fmt/format.h>

#include <algorithm>

namespace basalt::scheduler {

std::string FitFailure::Message() const {
  if (!other.empty()) return other;
  std::vector<std::string> parts;
  for (const auto& [reason, count] : nodes_by_reason) {
    parts.push_back(fmt::format("{} {}", count, reason));
  }
  std::ranges::sort(parts);
  return parts.empty()
             ? "there are no nodes"
             : fmt::format("0/{} nodes are available: {}.", nodes, fmt::join(parts, ", "));
}

}  // namespace basalt::scheduler
