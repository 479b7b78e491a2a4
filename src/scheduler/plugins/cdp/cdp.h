#pragma once

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
                  public SessionObserver {
 public:
  static constexpr std::string_view kName = "cdp";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  // Whoever was placed lately may be evicted later.
  bool depends_on_time() const override { return true; }
  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override { view_ = &view; }
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override;
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override;

 private:
  bool IsProtected(const kube::Pod& pod) const;

  const SessionView* view_ = nullptr;
};

}  // namespace basalt::scheduler::plugins
