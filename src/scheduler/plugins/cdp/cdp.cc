#include "scheduler/plugins/cdp/cdp.h"

#include <algorithm>

#include "kube/types/time.h"
#include "model/annotations.h"

namespace basalt::scheduler::plugins {

Result<std::unique_ptr<Plugin>> Cdp::Make(const PluginContext& context) {
  if (auto ok = context.config.arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Cdp>();
}

std::optional<Time> Cdp::ProtectedUntil(const kube::Pod& pod) const {
  auto text = pod.meta.labels.Find(model::annotations::kCooldownTime);
  if (!text) text = pod.meta.annotations.Find(model::annotations::kCooldownTime);
  if (!text || pod.status.phase != kube::PodPhase::kRunning) return std::nullopt;
  const auto cooldown = kube::ParseDuration(*text);
  if (!cooldown) return std::nullopt;
  const kube::Condition* scheduled = kube::FindCondition(pod.status.conditions, "PodScheduled");
  if (!scheduled || scheduled->status != kube::ConditionStatus::kTrue) return std::nullopt;
  const Time end = scheduled->last_transition_time + *cooldown;
  return end > view_->now() ? std::optional(end) : std::nullopt;
}

VictimOpinion Cdp::PermitPreemption(const Task& preemptor,
                                    std::span<const Task* const> candidates) const {
  VictimOpinion opinion;
  for (const Task* task : candidates) {
    if (const std::optional<Time> end = ProtectedUntil(*task->pod)) {
      const auto [it, added] = cooled_down_.try_emplace(preemptor.job, *end);
      if (!added) it->second = std::min(it->second, *end);
    } else {
      opinion.victims.push_back(task);
    }
  }
  return opinion;
}

std::optional<Time> Cdp::ChangesAt(const Job& job) const {
  const auto it = cooled_down_.find(job.id);
  return it == cooled_down_.end() ? std::nullopt : std::optional(it->second);
}

VictimOpinion Cdp::PermitReclaim(const Task& reclaimer,
                                 std::span<const Task* const> candidates) const {
  return PermitPreemption(reclaimer, candidates);
}

}  // namespace basalt::scheduler::plugins
