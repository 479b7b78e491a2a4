#pragma once

#include <boost/json/object.hpp>

#include "webhook/review.h"

// What makes jobs, and what describes the network they run in (contract C12.13 to C12.15). Pure.
namespace basalt::webhook {

Review ValidateJobFlow(const boost::json::object& flow);
// Knows time zones by asking the system for them.
Review ValidateCronJob(const boost::json::object& cron_job);
Review ValidateHyperNode(const boost::json::object& hyper_node);

}  // namespace basalt::webhook
