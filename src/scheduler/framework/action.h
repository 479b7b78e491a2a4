#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "scheduler/config/arguments.h"
#include "scheduler/framework/registry.h"

namespace basalt::scheduler {

class Session;

// One stage of a cycle. Made once per configuration; keeps nothing of the state from cycle to
// cycle. Owned by the Scheduler; scheduling thread only.
class Action {
 public:
  virtual ~Action() = default;
  virtual std::string_view name() const = 0;
  virtual void Run(Session& session) = 0;
};

// Refuses arguments that it does not know or cannot use.
using ActionFactory = std::function<Result<std::unique_ptr<Action>>(const Arguments&)>;

// The known actions (actions/registry.cc has the list).
using ActionRegistry = Registry<ActionFactory>;

}  // namespace basalt::scheduler
