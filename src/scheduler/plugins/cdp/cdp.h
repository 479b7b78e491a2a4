#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Cool-down protection: a running pod with label or annotation volcano.sh/cooldown-time is no
// victim for so long after it was scheduled. Counterpart: Volcano plugins/cdp. It takes no
// arguments.
class Cdp final : public Plugin,
                  public PreemptionVictims,
                  public ReclaimVictims,
                  public TimeDependent,
                  public SessionObserver {
 public:
  static constexpr std::string_view kName = "cdp";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override {
    view_ = &view;
    cooled_down_.clear();
  }
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override;
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override;
  // When the first of those that could not be evicted for it in this session may be.
  std::optional<Time> ChangesAt(const Job& job) const override;
  std::int64_t KindOf(const Job&) const override { return 0; }

 private:
  // Until when the pod is no victim; none: it may be one.
  std::optional<Time> ProtectedUntil(const kube::Pod& pod) const;

  const SessionView* view_ = nullptr;
  // By the job for which somebody was asked to leave.
  mutable boost::unordered_flat_map<model::JobId, Time> cooled_down_;
};

}  // namespace basalt::scheduler::plugins
