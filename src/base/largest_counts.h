#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace basalt {

// How the rest is called.
inline constexpr std::string_view kOtherNames = "(others)";

// Counts by names that anybody may choose, bounded: the largest `most` of them, the largest first,
// and behind them the sum of all others, if there is any.
template <class Number>
std::vector<std::pair<std::string_view, Number>> LargestCounts(
    std::vector<std::pair<std::string_view, Number>> counts, std::size_t most) {
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::vector<std::pair<std::string_view, Number>> out;
  Number others = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i < most && counts[i].first != kOtherNames) {
      out.push_back(counts[i]);
    } else {
      others += counts[i].second;
    }
  }
  if (others > 0) out.emplace_back(kOtherNames, others);
  return out;
}

}  // namespace basalt
