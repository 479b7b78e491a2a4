#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "cli/object_table.h"

// The tables and pages of `basalt job`, `queue`, `jobflow`, `jobtemplate` and `pod` (contract
// C12.16), from objects as the API server gives them.
namespace basalt::cli {

std::string JobsText(const boost::json::array& jobs, const TableForm& form);
// One job with all that it says, and its events or why they cannot be read.
std::string JobText(const boost::json::object& job, const Result<boost::json::array>& events,
                    Time now);
std::string QueueTable(const boost::json::array& queues, const TableForm& form);
// JobFlows and JobTemplates.
std::string FlowsText(const boost::json::array& objects, std::string_view kind, Time now);
std::string PodsText(const boost::json::array& pods, const TableForm& form, Time now);

}  // namespace basalt::cli
