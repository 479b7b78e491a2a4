#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "base/clock.h"

namespace basalt::cli {

// How old the object is, as kubectl has it: "5s", "12m", "3h", "2d"; "-" where it does not say.
std::string AgeText(const boost::json::object& object, Time now);

}  // namespace basalt::cli
