#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace basalt::cli {

// One screen of health, from what the scheduler answers to /v1/status and what is known of leases.
// Of many queues those are shown in which most waits, then the fullest; with `wide` all of them.
// Pure.
std::string StatusText(const boost::json::object& status, std::string_view server, Time now,
                       bool wide = false);

// Leases as `status -o json` has them: name, holder, renewTime.
boost::json::array LeaseRows(const boost::json::array& leases);

}  // namespace basalt::cli
