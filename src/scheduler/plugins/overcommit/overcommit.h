#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Lets a job into its queue only while the minima of all jobs that are in, and not placed yet, fit
// into what the cluster has left, with the total counted `overcommit-factor` times (1.2; less than
// 1 is taken for 1.2). Counterpart: Volcano plugins/overcommit.
//
// Differs from Volcano: what leaves is free, and what is promised is not, so that a job that will
// have the room of pods that leave may be promised it.
class Overcommit final : public Plugin, public EnqueueVoter, public SessionObserver {
 public:
  static constexpr std::string_view kName = "overcommit";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  explicit Overcommit(double factor) : factor_(factor) {}
  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override;
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override;

 private:
  double factor_;
  const SessionView* view_ = nullptr;
  model::Resource idle_;  // when the session was opened
};

}  // namespace basalt::scheduler::plugins
