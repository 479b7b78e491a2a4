#include "scheduler/state/bad_input.h"

#include <fmt/format.h>

#include <string_view>

#include "kube/types/reasons.h"
#include "model/annotations.h"
#include "model/task.h"

namespace basalt::scheduler {

std::vector<model::Intent> WarningsAbout(const std::shared_ptr<const kube::Pod>& pod,
                                         bool queue_gates) {
  namespace annotations = model::annotations;
  std::vector<model::Intent> warnings;
  if (pod->bound()) return warnings;
  if (queue_gates && pod->HasGate(annotations::kQueueAllocationGate) &&
      !model::OptsInToGate(*pod)) {
    warnings.push_back(model::Warning(
        pod, reasons::kGateMismatch,
        fmt::format("the pod has the gate {} but not the annotation of that name with "
                    "the value \"true\": the gate stays until somebody removes it or "
                    "sets the annotation",
                    annotations::kQueueAllocationGate)));
  }
  const std::string_view used = pod->meta.annotations.Get(annotations::kGroupName);
  const std::string_view other = pod->meta.annotations.Get(annotations::kVolcanoGroupName);
  if (!used.empty() && !other.empty() && used != other) {
    warnings.push_back(model::Warning(
        pod, reasons::kGroupConflict,
        fmt::format("two PodGroups claim the pod: annotation {} says {}, which counts, "
                    "and {} says {}; remove one of them",
                    annotations::kGroupName, used, annotations::kVolcanoGroupName, other)));
  }
  return warnings;
}

}  // namespace basalt::scheduler
