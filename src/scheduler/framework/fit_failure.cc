#include "scheduler/framework/fit_failure.h"

#include <fmt/format.h>

#include <algorithm>

namespace basalt::scheduler {

namespace {

constexpr std::size_t kMostReasons = 20;

}  // namespace

FitFailure FitFailure::Of(const Verdict& verdict) {
  FitFailure failure{.other = std::string(verdict.reason)};
  if (verdict.code == Verdict::Code::kUnsupported) {
    failure.nodes_would_help = false;
    failure.held_by = reasons::kNotSupported;
  }
  return failure;
}

std::string FitFailure::Message() const {
  if (!other.empty()) return other;
  std::vector<std::string> parts;
  // Every node may have a reason of its own (a taint's value), and the text goes into an object.
  const std::size_t told = std::min(nodes_by_reason.size(), kMostReasons);
  for (std::size_t i = 0; i < told; ++i) {
    parts.push_back(fmt::format("{} {}", nodes_by_reason[i].second, nodes_by_reason[i].first));
  }
  std::ranges::sort(parts);
  if (const std::size_t more = nodes_by_reason.size() - told; more > 0) {
    parts.push_back(fmt::format("and {} other reasons", more));
  }
  return parts.empty()
             ? "there are no nodes"
             : fmt::format("0/{} nodes are available: {}.", nodes, fmt::join(parts, ", "));
}

namespace {

constexpr std::string_view kPrefix = "0/";
constexpr std::string_view kMiddle = " nodes are available: ";

std::size_t SkipDigits(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size());
}

// The text before "0/5 nodes are available: ", and the reasons after it without their numbers.
// false: it has no such part.
bool Split(std::string_view text, std::string_view* before,
           std::vector<std::string_view>* reasons) {
  for (std::size_t at = text.find(kPrefix); at != text.npos;
       at = text.find(kPrefix, at + kPrefix.size())) {
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

// Of a group's message: which of its pods was the first to fail is no reason.
std::string WithoutOrigin(std::string_view text) {
  constexpr std::string_view kOrigin = "Origin reason is ";
  const std::size_t at = text.find(kOrigin);
  const std::size_t end = at == text.npos ? at : text.find(": ", at);
  if (end == text.npos) return std::string(text);
  return std::string(text.substr(0, at + kOrigin.size())) + std::string(text.substr(end));
}

}  // namespace

bool GiveSameReasons(std::string_view text_a, std::string_view text_b) {
  if (text_a == text_b) return true;
  const std::string a = WithoutOrigin(text_a);
  const std::string b = WithoutOrigin(text_b);
  if (a == b) return true;
  std::string_view before_a, before_b;
  std::vector<std::string_view> reasons_a, reasons_b;
  return Split(a, &before_a, &reasons_a) && Split(b, &before_b, &reasons_b) &&
         before_a == before_b && reasons_a == reasons_b;
}

}  // namespace basalt::scheduler
