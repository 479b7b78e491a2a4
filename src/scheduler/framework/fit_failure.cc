#include "scheduler/framework/fit_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace basalt::scheduler {

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
  constexpr std::size_t kMostReasons = 20;
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

// "0/5 nodes are available: 4 Insufficient cpu, 1 Too many pods." in its parts.
struct NodesPart {
  std::string_view before;
  std::string_view nodes;                 // how many there are
  std::vector<std::string_view> reasons;  // without their numbers, sorted
};

std::optional<NodesPart> FindNodesPart(std::string_view text) {
  for (std::size_t at = text.find(kPrefix), digits = 0; at != text.npos;
       at = text.find(kPrefix, digits)) {
    digits = at + kPrefix.size();
    const std::size_t end = SkipDigits(text, digits);
    if (!text.substr(end).starts_with(kMiddle)) continue;
    NodesPart part{.before = text.substr(0, at), .nodes = text.substr(digits, end - digits)};
    std::string_view rest = text.substr(end + kMiddle.size());
    while (!rest.empty()) {
      rest.remove_prefix(SkipDigits(rest, 0));
      const std::size_t comma = rest.find(", ");
      part.reasons.push_back(rest.substr(0, comma));
      rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 2);
    }
    if (!part.reasons.empty() && part.reasons.back().ends_with('.')) {
      part.reasons.back().remove_suffix(1);
    }
    std::ranges::sort(part.reasons);
    return part;
  }
  return std::nullopt;
}

// Numbers as they are printed: without zeros before them.
bool IsLess(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
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

bool StillHolds(std::string_view said_text, std::string_view now_text) {
  if (said_text == now_text) return true;
  const std::string said_words = WithoutOrigin(said_text);
  const std::string now_words = WithoutOrigin(now_text);
  if (said_words == now_words) return true;
  const std::optional<NodesPart> said = FindNodesPart(said_words);
  const std::optional<NodesPart> now = FindNodesPart(now_words);
  if (!said || !now || said->before != now->before) return false;
  return IsLess(said->nodes, now->nodes) ? std::ranges::includes(now->reasons, said->reasons)
                                         : said->reasons == now->reasons;
}

}  // namespace basalt::scheduler
