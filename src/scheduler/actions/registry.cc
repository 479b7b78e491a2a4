#include "scheduler/actions/registry.h"

namespace basalt::scheduler {

// Each in the file of its action.
namespace actions {
using Maker = Result<std::unique_ptr<Action>>(const Arguments& arguments);
Maker MakeAllocate, MakeBackfill, MakeEnqueue, MakePreempt, MakeReclaim, MakeReserve;
}  // namespace actions

const ActionRegistry& BuiltinActions() {
  // One line per action, by name.
  static const ActionRegistry kRegistry{{
      {"allocate", actions::MakeAllocate},
      {"backfill", actions::MakeBackfill},
      {"enqueue", actions::MakeEnqueue},
      {"preempt", actions::MakePreempt},
      {"reclaim", actions::MakeReclaim},
      {"reserve", actions::MakeReserve},
  }};
  return kRegistry;
}

}  // namespace basalt::scheduler
