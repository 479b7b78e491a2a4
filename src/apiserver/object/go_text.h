#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace basalt::apiserver {

// Go's %q: in double quotes, with its escapes. Kubernetes' messages are full of it.
std::string GoQuote(std::string_view text);
// Go's %v of a decoded JSON value: map[a:1 b:[x y]].
std::string GoValue(const boost::json::value& value);

}  // namespace basalt::apiserver
