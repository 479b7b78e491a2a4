#pragma once

#include <boost/json/object.hpp>
#include <functional>

#include "base/error.h"
#include "scheduler/scheduler.h"
#include "scheduler/simulate/request.h"

namespace basalt::scheduler::simulate {

// What the scheduler of the image would do, were it as the request says (docs/simulate.md has the
// answer's keys). Pure but for `go_on`, which is asked now and then whether to go on: what takes
// too long fails. Any thread.
Result<boost::json::object> Simulate(const SchedulerImage& image, const Request& request,
                                     const std::function<bool()>& go_on);

}  // namespace basalt::scheduler::simulate
