#pragma once

#include <boost/json/object.hpp>

#include "webhook/verdict.h"

// What makes jobs, and what describes the network they run in (contract C12.13 to C12.15). Pure.
namespace basalt::webhook {

Verdict ValidateJobFlow(const boost::json::object& flow);
// Knows time zones by asking the system for them.
Verdict ValidateCronJob(const boost::json::object& cron_job);
Verdict ValidateHyperNode(const boost::json::object& hyper_node);

}  // namespace basalt::webhook
