#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "base/clock.h"

// The tables and pages of `basalt job`, `queue`, `jobflow`, `jobtemplate` and `pod` (contract
// C12.16), from objects as the API server gives them.
namespace basalt::cli {

// `wide`: with the columns that -o wide adds.

std::string JobsText(const boost::json::array& jobs, bool all_namespaces, bool wide = false);
// One job with all that it says, and its events.
std::string JobText(const boost::json::object& job, const boost::json::array& events, Time now);
std::string QueueTable(const boost::json::array& queues, bool wide = false);
// JobFlows and JobTemplates.
std::string FlowsText(const boost::json::array& objects, std::string_view kind, Time now);
std::string PodsText(const boost::json::array& pods, bool all_namespaces, Time now,
                     bool wide = false);

}  // namespace basalt::cli
