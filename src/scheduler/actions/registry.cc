#include "scheduler/actions/registry.h"

#include "scheduler/actions/allocate/allocate.h"
#include "scheduler/actions/backfill/backfill.h"
#include "scheduler/actions/enqueue/enqueue.h"
#include "scheduler/actions/preempt/preempt.h"
#include "scheduler/actions/reclaim/reclaim.h"
#include "scheduler/actions/reserve/reserve.h"

namespace basalt::scheduler {

const ActionRegistry& BuiltinActions() {
  // One line per action, by name.
  static const ActionRegistry kRegistry{{
      {std::string(actions::Allocate::kName), actions::Allocate::Make},
      {std::string(actions::Backfill::kName), actions::Backfill::Make},
      {std::string(actions::Enqueue::kName), actions::Enqueue::Make},
      {std::string(actions::Preempt::kName), actions::Preempt::Make},
      {std::string(actions::Reclaim::kName), actions::Reclaim::Make},
      {std::string(actions::Reserve::kName), actions::Reserve::Make},
  }};
  return kRegistry;
}

}  // namespace basalt::scheduler
