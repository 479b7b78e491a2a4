#include "cli/feature_gates.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "base/nearest.h"

namespace basalt::cli {
namespace {

constexpr std::string_view kQueueAdmission = "SchedulingGatesQueueAdmission";

const std::vector<std::string>& VolcanosOthers() {
  static const std::vector<std::string> names = {"AllAlpha",
                                                 "AllBeta",
                                                 "CSIStorage",
                                                 "CronVolcanoJobSupport",
                                                 "PodDisruptionBudgetsSupport",
                                                 "PriorityClass",
                                                 "QueueCommandSync",
                                                 "ResourceTopology",
                                                 "VolcanoJobSupport",
                                                 "WorkLoadSupport"};
  return names;
}

std::unexpected<Error> Refuse(std::string_view entry, std::string why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("--feature-gates: \"{}\": {}", entry, why));
}

}  // namespace

Result<FeatureGates> ParseFeatureGates(std::string_view text) {
  FeatureGates gates;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    if (entry.empty()) continue;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) return Refuse(entry, "want NAME=true or NAME=false");
    const std::string name(entry.substr(0, equals));
    const std::string_view value = entry.substr(equals + 1);
    if (value != "true" && value != "false") return Refuse(entry, "want true or false");
    if (name == kQueueAdmission) {
      gates.queue_admission = value == "true";
      continue;
    }
    if (std::ranges::find(VolcanosOthers(), name) != VolcanosOthers().end()) {
      log::Info("this feature gate has no effect here", {{"gate", name}});
      continue;
    }
    std::vector<std::string> known = VolcanosOthers();
    known.emplace_back(kQueueAdmission);
    const std::string_view nearest = Nearest(name, known);
    if (!nearest.empty()) {
      return Refuse(entry, fmt::format("no such feature, did you mean {}?", nearest));
    }
    // Volcano's programs take those of Kubernetes' libraries too: some hundred, which come and go.
    log::Info("this feature gate has no effect here", {{"gate", name}});
  }
  return gates;
}

}  // namespace basalt::cli
