#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace basalt::cli {

// One screen of health, from what the scheduler answers to /v1/status and the leases of its
// namespace. Pure.
std::string StatusText(const boost::json::object& status, const boost::json::array& leases,
                       std::string_view server, Time now);

// Leases as `status -o json` has them: name, holder, renewTime.
boost::json::array LeaseRows(const boost::json::array& leases);

// Ten places of which as many are full as `part` (0 to 1) says: "███████░░░".
std::string Bar(double part);

}  // namespace basalt::cli
