#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::plugins {

// Who names a reservation gets that one or none: a job that cannot use it is not let in and not
// placed, and its pods are placed by nobody but the action `reserve`. And the tasks of reservations
// go to the nodes that they name, where one of them takes them. Counterpart: Volcano's proposal of
// a plugin of that name. It takes no arguments.
class Reservation final : public Plugin,
                          public JobValidator,
                          public EnqueueVoter,
                          public TaskGate,
                          public BestNode,
                          public SessionObserver {
 public:
  static constexpr std::string_view kName = "reservation";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override { view_ = &view; }

  Verdict ValidateJob(const Job& job) const override;
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override;
  Verdict CheckTask(const Task& task) override;
  bool Concerns(const Task& task) const override;
  std::optional<NodeId> Choose(const Task& task, std::span<const NodeId> nodes,
                               std::span<const double> scores) const override;

 private:
  const SessionView* view_ = nullptr;
};

}  // namespace basalt::scheduler::plugins
