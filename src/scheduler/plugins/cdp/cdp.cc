#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "kube/types/time.h"
#include "model/annotations.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {
namespace {

// Cool-down protection: a running pod with label or annotation volcano.sh/cooldown-time is no
// victim for so long after it was scheduled. Counterpart: Volcano plugins/cdp. It takes no
// arguments.
class Cdp final : public Plugin,
                  public PreemptionVictims,
                  public ReclaimVictims,
                  public TimeDependent,
                  public SessionObserver {
 public:
  void Open(const SessionView& view) override {
    view_ = &view;
    cooled_down_.clear();
  }
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override {
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
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override {
    return PermitPreemption(reclaimer, candidates);
  }
  // When the first pod that could not be evicted for the job in this session may be evicted.
  std::optional<Time> ChangesAt(const Job& job) const override {
    const auto it = cooled_down_.find(job.id);
    return it == cooled_down_.end() ? std::nullopt : std::optional(it->second);
  }
  std::int64_t KindOf(const Job&) const override { return 0; }

 private:
  // Until when the pod is no victim; none: it may be one.
  std::optional<Time> ProtectedUntil(const kube::Pod& pod) const {
    auto text = pod.meta.labels.Find(model::annotations::kCooldownTime);
    if (!text) text = pod.meta.annotations.Find(model::annotations::kCooldownTime);
    if (!text || pod.status.phase != kube::PodPhase::kRunning) return std::nullopt;
    const auto cooldown = kube::ParseDuration(*text);
    if (!cooldown) return std::nullopt;
    const kube::Condition* scheduled = kube::PodScheduledOf(pod);
    if (!scheduled || scheduled->status != kube::ConditionStatus::kTrue) return std::nullopt;
    const Time end = scheduled->last_transition_time + *cooldown;
    return end > view_->now() ? std::optional(end) : std::nullopt;
  }

  const SessionView* view_ = nullptr;
  // By the job that needs room: when the first protected candidate may be evicted.
  mutable boost::unordered_flat_map<model::JobId, Time> cooled_down_;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeCdp(const PluginContext& context) {
  if (auto ok = context.config.arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Cdp>();
}

}  // namespace basalt::scheduler::plugins
