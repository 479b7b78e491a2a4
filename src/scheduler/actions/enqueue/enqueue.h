#pragma once

#include "scheduler/framework/action.h"

namespace basalt::scheduler::actions {

// Lets pending jobs into their queues: queue by queue in the queues' order, a job at a time, each
// when the plugins vote for it. A job that says no minimum of resources enters without a vote.
// Counterpart: Volcano actions/enqueue. It takes no arguments.
class Enqueue final : public Action {
 public:
  static constexpr std::string_view kName = "enqueue";
  static Result<std::unique_ptr<Action>> Make(const Arguments& arguments);

  std::string_view name() const override { return kName; }
  void Run(Session& session) override;
};

}  // namespace basalt::scheduler::actions
