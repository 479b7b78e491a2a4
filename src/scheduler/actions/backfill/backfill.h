#pragma once

#include <vector>

#include "scheduler/framework/action.h"
#include "scheduler/framework/extension_points.h"

namespace basalt::scheduler::actions {

// Places best-effort tasks, which need no room, on any node that the filters allow. Counterpart:
// Volcano actions/backfill. Arguments: predicateErrorCacheEnable (as in allocate).
class Backfill final : public Action {
 public:
  static constexpr std::string_view kName = "backfill";
  static Result<std::unique_ptr<Action>> Make(const Arguments& arguments);

  std::string_view name() const override { return kName; }
  void Run(Session& session) override;

  // The tasks that wait for it, in the order of queues, jobs and tasks. Those that were promised a
  // node lose the promise: they need none.
  static std::vector<const Task*> PickTasks(Session& session);
};

}  // namespace basalt::scheduler::actions
