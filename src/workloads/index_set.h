#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace basalt::workloads {

// The completion indexes of an Indexed Job as its status writes them: "1,3-5,7".
std::set<std::int32_t> ParseIndexes(std::string_view text);  // what is no index is left out
std::string FormatIndexes(const std::set<std::int32_t>& indexes);

}  // namespace basalt::workloads
