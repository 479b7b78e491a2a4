#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace basalt::cli {

// "cpu 4, memory 8Gi"; "-" where there is nothing.
std::string AmountsText(const boost::json::object* amounts);

// A text as it is, anything else as JSON; "" where there is none.
std::string ValueText(const boost::json::object& object, std::string_view key);

// As many of the places are full as `part` (0 to 1) says, in eighths: "███▌······".
std::string Bar(double part, int places = 10);

}  // namespace basalt::cli
