#include "kube/types/vcjob.h"

#include <algorithm>

namespace basalt::kube {
namespace {

constexpr std::string_view kPhaseNames[kVcJobPhases] = {
    "",           "Pending",     "Running",   "Restarting", "Aborting", "Aborted",
    "Completing", "Terminating", "Completed", "Terminated", "Failed"};

}  // namespace

std::string_view ToString(VcJobPhase phase) { return kPhaseNames[static_cast<int>(phase)]; }

VcJobPhase ParseVcJobPhase(std::string_view text) {
  for (int i = 0; i < kVcJobPhases; ++i) {
    if (kPhaseNames[i] == text) return static_cast<VcJobPhase>(i);
  }
  return VcJobPhase::kNone;
}

std::int32_t VcJobTask::Minimum() const {
  if (min_available) return *min_available;
  if (partition_policy && partition_policy->min_partitions > 0) {
    return partition_policy->min_partitions * partition_policy->partition_size;
  }
  return replicas;
}

std::int32_t VcJobSpec::TotalReplicas() const {
  std::int32_t total = 0;
  for (const VcJobTask& task : tasks) total += task.replicas;
  return total;
}

std::int32_t VcJobSpec::TotalMinimum() const {
  std::int32_t total = 0;
  for (const VcJobTask& task : tasks) total += task.Minimum();
  return total;
}

std::int32_t VcJobSpec::MinAvailable() const {
  return min_available > 0 ? min_available : TotalMinimum();
}

const VcJobTask* VcJobSpec::FindTask(std::string_view name) const {
  const auto found = std::ranges::find(tasks, name, &VcJobTask::name);
  return found == tasks.end() ? nullptr : &*found;
}

}  // namespace basalt::kube
