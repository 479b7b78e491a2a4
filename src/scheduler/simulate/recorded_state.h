#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "scheduler/scheduler.h"
#include "scheduler/simulate/request.h"

namespace basalt::scheduler::simulate {

struct RecordedState {
  std::vector<Object> objects;
  std::string config;  // the scheduler's configuration, YAML
  SchedulerOptions options;
};

// What a scheduler knows that starts on these objects, at the last moment that any of them tells
// of: an image as of one that leads. What only the leader's key proves (promises that pods carry,
// evictions under way) is not believed, since a file may say anything.
Result<SchedulerImage> ImageOf(RecordedState state);

}  // namespace basalt::scheduler::simulate
