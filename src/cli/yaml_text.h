#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace basalt::cli {

// JSON as block-style YAML; every string that is not plainly one is quoted.
std::string YamlText(const boost::json::value& value);

}  // namespace basalt::cli
