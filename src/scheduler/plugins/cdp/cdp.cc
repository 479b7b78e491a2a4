#include "scheduler/plugins/cdp/cdp.h"

#include "kube/types/time.h"
#include "model/annotations.h"

namespace basalt::scheduler::plugins {

Result<std::unique_ptr<Plugin>> Cdp::Make(const PluginContext& context) {
  if (auto ok = context.config.arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Cdp>();
}

bool Cdp::IsProtected(const kube::Pod& pod) const {
  auto text = pod.meta.labels.Find(model::annotations::kCooldownTime);
  if (!text) text = pod.meta.annotations.Find(model::annotations::kCooldownTime);
  if (!text || pod.status.phase != kube::PodPhase::kRunning) return false;
  const auto cooldown = kube::ParseDuration(*text);
  if (!cooldown) return false;
  const kube::Condition* scheduled = kube::FindCondition(pod.status.conditions, "PodScheduled");
  return scheduled && scheduled->status == kube::ConditionStatus::kTrue &&
         scheduled->last_transition_time + *cooldown > view_->now();
}

VictimOpinion Cdp::PermitPreemption(const Task&, std::span<const Task* const> candidates) const {
  VictimOpinion opinion;
  for (const Task* task : candidates) {
    if (!IsProtected(*task->pod)) opinion.victims.push_back(task);
  }
  return opinion;
}

VictimOpinion Cdp::PermitReclaim(const Task& reclaimer,
                                 std::span<const Task* const> candidates) const {
  return PermitPreemption(reclaimer, candidates);
}

}  // namespace basalt::scheduler::plugins
