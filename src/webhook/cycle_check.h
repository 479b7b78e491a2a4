#pragma once

#include <map>
#include <string>
#include <vector>

namespace basalt::webhook {

// A circle in who needs whom, as "a, b, a"; "" where there is none. Names that need nobody may be
// left out. Takes time in proportion to what there is.
std::string FindCycle(const std::map<std::string, std::vector<std::string>>& needs);

}  // namespace basalt::webhook
