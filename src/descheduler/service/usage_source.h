#pragma once

#include <functional>

#include "descheduler/plugins/usage.h"

namespace basalt::descheduler {

// Where LoadAware's measurements come from. Owned by a PolicyPlanning; loop thread only.
class UsageSource {
 public:
  virtual ~UsageSource() = default;
  // Calls `done` exactly once, later, with what could be found out: what failed is missing there,
  // and a line in the log says so. Dropped when the source is gone.
  virtual void Fetch(std::function<void(Usage)> done) = 0;
};

}  // namespace basalt::descheduler
