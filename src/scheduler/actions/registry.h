#pragma once

#include "scheduler/framework/action.h"

namespace basalt::scheduler {

// Every action of Basalt.
const ActionRegistry& BuiltinActions();

}  // namespace basalt::scheduler
