#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "kube/types/time.h"
#include "model/annotations.h"
#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

// Cool-down protection: a running pod with label or annotation volcano.sh/cooldown-time is no
// victim for so long after it was scheduled. Counterpart: Volcano plugins/cdp. It takes no
// arguments.
class Cdp final : public SessionPlugin, public EvictionVictims, public TimeDependent {
 public:
  VictimOpinion Permit(const Task& beneficiary, Candidates candidates) const override {
    return VictimsAmong(candidates, [&](const Task& task) {
      const std::optional<Time> end = ProtectedUntil(*task.pod);
      if (!end) return true;
      Time& first = cooled_down_.try_emplace(beneficiary.job, *end).first->second;
      first = std::min(first, *end);
      return false;
    });
  }
  // When the first pod that could not be evicted for the job in this session may be evicted.
  std::optional<Time> ChangesAt(const Job& job) const override {
    const auto it = cooled_down_.find(job.id);
    return it == cooled_down_.end() ? std::nullopt : std::optional(it->second);
  }
  std::int64_t KindOf(const Job&) const override { return 0; }

 private:
  void Opened() override { cooled_down_.clear(); }
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
    return end > view().now() ? std::optional(end) : std::nullopt;
  }

  // By the job that needs room: when the first protected candidate may be evicted.
  mutable boost::unordered_flat_map<model::JobId, Time> cooled_down_;
};

}  // namespace

std::unique_ptr<Plugin> MakeCdp() { return std::make_unique<Cdp>(); }

}  // namespace basalt::scheduler::plugins
