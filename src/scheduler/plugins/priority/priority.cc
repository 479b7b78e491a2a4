#include "scheduler/plugins/priority/priority.h"

namespace basalt::scheduler::plugins {

Result<std::unique_ptr<Plugin>> Priority::Make(const PluginContext& context) {
  if (auto ok = context.config.arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Priority>();
}

VictimOpinion Priority::PermitPreemption(const Task& preemptor,
                                         std::span<const Task* const> candidates) const {
  VictimOpinion opinion;
  const Job* job = view_->JobOf(preemptor);
  if (!job) return opinion;
  for (const Task* task : candidates) {
    const Job* other = view_->JobOf(*task);
    if (!other) continue;
    const bool lower =
        other == job ? task->priority < preemptor.priority : other->priority < job->priority;
    if (lower) opinion.victims.push_back(task);
  }
  return opinion;
}

VictimOpinion Priority::PermitEviction(const GangEviction& context,
                                       std::span<const Task* const> candidates) const {
  VictimOpinion opinion;
  for (const Task* task : candidates) {
    const Job* other = view_->JobOf(*task);
    if (context.kind == GangEviction::Kind::kReclaim ||
        (other && other->priority < context.beneficiary->priority)) {
      opinion.victims.push_back(task);
    }
  }
  return opinion;
}

}  // namespace basalt::scheduler::plugins
