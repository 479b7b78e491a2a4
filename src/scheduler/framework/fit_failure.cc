#include "scheduler/framework/fit_failure.h"

#include <fmt/format.h>

#include <algorithm>

namespace basalt::scheduler {

std::string FitFailure::Message() const {
  if (!other.empty()) return other;
  std::vector<std::string> parts;
  for (const auto& [reason, count] : nodes_by_reason) {
    parts.push_back(fmt::format("{} {}", count, reason));
  }
  std::ranges::sort(parts);
  return parts.empty()
             ? "there are no nodes"
             : fmt::format("0/{} nodes are available: {}.", nodes, fmt::join(parts, ", "));
}

namespace {

constexpr std::string_view kPrefix = "0/";
constexpr std::string_view kMiddle = " nodes are available: ";

std::size_t SkipDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  return at;
}

// The text before "0/5 nodes are available: ", and the reasons after it without their numbers.
// false: it has no such part.
bool Split(std::string_view text, std::string_view* before,
           std::vector<std::string_view>* reasons) {
  for (std::size_t at = text.find(kPrefix); at != text.npos; at = text.find(kPrefix, at + 1)) {
    const std::size_t end = SkipDigits(text, at + kPrefix.size());
    if (!text.substr(end).starts_with(kMiddle)) continue;
    *before = text.substr(0, at);
    std::string_view rest = text.substr(end + kMiddle.size());
    while (!rest.empty()) {
      rest.remove_prefix(SkipDigits(rest, 0));
      const std::size_t comma = rest.find(", ");
      reasons->push_back(rest.substr(0, comma));
      rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 2);
    }
    if (!reasons->empty() && reasons->back().ends_with('.')) reasons->back().remove_suffix(1);
    std::ranges::sort(*reasons);
    return true;
  }
  return false;
}

}  // namespace

bool GiveSameReasons(std::string_view a, std::string_view b) {
  if (a == b) return true;
  std::string_view before_a, before_b;
  std::vector<std::string_view> reasons_a, reasons_b;
  return Split(a, &before_a, &reasons_a) && Split(b, &before_b, &reasons_b) &&
         before_a == before_b && reasons_a == reasons_b;
}

}  // namespace basalt::scheduler
