#pragma once

#include "scheduler/framework/action.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::actions {

// Takes back for starving jobs what other queues have beyond their share: victims leave, and the
// task is promised their room. A job's evictions are carried out only when they give it enough to
// start. Counterpart: Volcano actions/reclaim. Arguments: predicateErrorCacheEnable (as in
// allocate).
class Reclaim final : public Action {
 public:
  static constexpr std::string_view kName = "reclaim";
  static Result<std::unique_ptr<Action>> Make(const Arguments& arguments);

  std::string_view name() const override { return kName; }
  void Run(Session& session) override;
};

}  // namespace basalt::scheduler::actions
