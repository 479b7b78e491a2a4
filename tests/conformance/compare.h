#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <string>

namespace basalt::conformance {

// `want` is a partial picture of `got`; numbers may differ by `tolerance`, nothing counts as zero
// or empty.
bool Same(const boost::json::value& want, const boost::json::value& got, double tolerance);

std::map<std::string, std::string> StringMapOf(const boost::json::value* object);
std::string Show(const std::map<std::string, std::string>& map);

}  // namespace basalt::conformance
