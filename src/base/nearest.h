#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace basalt {

// The known name that `typed` most likely meant: the fewest edits (a swap of neighbours counts as
// one), ties to the first; empty when nothing is near enough to be worth suggesting.
std::string_view Nearest(std::string_view typed, const std::vector<std::string>& known);

}  // namespace basalt
