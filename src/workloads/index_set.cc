#include "workloads/index_set.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace basalt::workloads {
namespace {

// Completions are at most this for an Indexed Job, so that no range can be absurd.
constexpr std::int32_t kMostIndexes = 1'000'000;

std::optional<std::int32_t> ParseIndex(std::string_view text) {
  std::int32_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size() || index < 0) return std::nullopt;
  return index;
}

}  // namespace

std::set<std::int32_t> ParseIndexes(std::string_view text) {
  std::set<std::int32_t> indexes;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t dash = item.find('-');
    const auto first = ParseIndex(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : ParseIndex(item.substr(dash + 1));
    if (!first || !last || *last - *first > kMostIndexes) continue;
    for (std::int32_t index = *first; index <= *last; ++index) indexes.insert(index);
  }
  return indexes;
}

std::string FormatIndexes(const std::set<std::int32_t>& indexes) {
  std::string text;
  for (auto it = indexes.begin(); it != indexes.end();) {
    const std::int32_t first = *it;
    std::int32_t last = first;
    while (++it != indexes.end() && *it == last + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(first);
    // Two in a row are written as two, three and more as a range.
    if (last > first) text += (last == first + 1 ? "," : "-") + std::to_string(last);
  }
  return text;
}

}  // namespace basalt::workloads
