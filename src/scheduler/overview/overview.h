#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "base/error.h"
#include "scheduler/scheduler.h"

// What the dashboard shows, worked out from an image of the scheduler on another thread, since it
// walks everything. The keys are documented in docs/dashboard-api.md.
namespace basalt::scheduler::overview {

// Nodes, queues, what waits, evictions, promises, reservations.
boost::json::object OverviewOf(const SchedulerImage& image);

// One node: its pods, and why those that wait do not fit there, by the rules of this node alone.
Result<boost::json::object> NodeOf(const SchedulerImage& image, std::string_view name);

}  // namespace basalt::scheduler::overview
