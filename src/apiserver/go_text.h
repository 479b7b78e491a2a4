#pragma once

#include <string>
#include <string_view>

namespace basalt::apiserver {

// Go's %q: in double quotes, with its escapes. Kubernetes' messages are full of it.
std::string GoQuote(std::string_view text);

}  // namespace basalt::apiserver
