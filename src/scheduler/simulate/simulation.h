#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <memory>

#include "base/error.h"
#include "scheduler/scheduler.h"
#include "scheduler/simulate/request.h"

namespace basalt::scheduler::simulate {

// What the scheduler of the image would do, were it as the request says (docs/simulate.md has the
// answer's keys). Pure but for `go_on`, which is asked now and then whether to go on: what takes
// too long fails. Any thread. `leftovers`: takes what it was worked out on, to be thrown away when
// there is time.
Result<boost::json::object> Simulate(const SchedulerImage& image, const Request& request,
                                     const std::function<bool()>& go_on,
                                     std::shared_ptr<void>* leftovers = nullptr);

}  // namespace basalt::scheduler::simulate
