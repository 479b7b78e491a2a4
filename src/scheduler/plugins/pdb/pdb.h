#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Victims are only those that disruption budgets allow to go, all together. As in Volcano a pod
// without labels is no victim here. Counterpart: Volcano plugins/pdb. It takes no arguments.
class Pdb final : public Plugin,
                  public PreemptionVictims,
                  public ReclaimVictims,
                  public PeriodicVictims,
                  public SessionObserver {
 public:
  static constexpr std::string_view kName = "pdb";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override { view_ = &view; }
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override;
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override;
  std::vector<const Task*> FindVictims(std::span<const Task* const> running) override;

 private:
  std::vector<const Task*> Allowed(std::span<const Task* const> tasks) const;

  const SessionView* view_ = nullptr;
};

}  // namespace basalt::scheduler::plugins
