#pragma once

#include <map>
#include <string>
#include <vector>

namespace basalt::webhook {

// A circle of names in which each needs the next, as "a, b, a"; "" where there is none. Names that
// need no other may be left out. Takes time in proportion to what there is.
std::string FindCycle(const std::map<std::string, std::vector<std::string>>& needs);

}  // namespace basalt::webhook
