#include "apiserver/kinds/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <chrono>
#include <map>
#include <set>
#include <vector>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/kube_time.h"
#include "apiserver/object/object.h"
#include "kube/types/time.h"

namespace basalt::apiserver {

std::string HumanDuration(Duration duration) {
  using namespace std::chrono;
  const std::int64_t seconds = duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return fmt::format("{}s", seconds);
  const auto pair = [](std::int64_t major, char major_unit, std::int64_t minor, char minor_unit) {
    return minor == 0 ? fmt::format("{}{}", major, major_unit)
                      : fmt::format("{}{}{}{}", major, major_unit, minor, minor_unit);
  };
  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return fmt::format("{}m", minutes);
  const std::int64_t hours = minutes / 60;
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  const std::int64_t days = hours / 24;
  if (hours < 24 * 8) return pair(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return fmt::format("{}d", days);
  if (days < 365 * 8) return pair(days / 365, 'y', days % 365, 'd');
  return fmt::format("{}y", days / 365);
}

std::string Since(std::string_view timestamp, Time now) {
  if (timestamp.empty()) return "<unknown>";
  const Result<Time> then = kube::ParseTime(timestamp);
  return then ? HumanDuration(Between(*then, now)) : "<unknown>";
}

std::string Age(const json::object& object, Time now) {
  return Since(GetString(object, {"metadata", "creationTimestamp"}), now);
}

std::string OrNone(std::string_view text) { return std::string(text.empty() ? "<none>" : text); }

std::string LabelsText(const json::object* labels) {
  if (labels == nullptr || labels->empty()) return "<none>";
  std::vector<std::string> pairs;
  for (const auto& [key, value] : *labels) {
    pairs.push_back(fmt::format("{}={}", std::string_view(key), AsText(value)));
  }
  std::ranges::sort(pairs);
  return fmt::format("{}", fmt::join(pairs, ","));
}

std::string SelectorText(const json::object* selector) {
  if (selector == nullptr) return "<none>";
  // By key, matchLabels before matchExpressions of the same key.
  std::multimap<std::string, std::string> terms;
  for (const auto& [key, value] : ObjectOf(*selector, "matchLabels")) {
    terms.emplace(key, fmt::format("{}={}", std::string_view(key), AsText(value)));
  }
  for (const json::value& item : ListOf(*selector, "matchExpressions")) {
    const json::object& expression = AsObject(item);
    const std::string key(GetString(expression, {"key"}));
    const std::string_view op = GetString(expression, {"operator"});
    std::set<std::string_view> values;
    for (const json::value& value : ListOf(expression, "values")) values.insert(AsText(value));
    if (op == "Exists") {
      terms.emplace(key, key);
    } else if (op == "DoesNotExist") {
      terms.emplace(key, "!" + key);
    } else {
      terms.emplace(
          key, fmt::format("{} {} ({})", key, op == "In" ? "in" : "notin", fmt::join(values, ",")));
    }
  }
  if (terms.empty()) return "<none>";
  std::string text;
  for (const auto& [key, term] : terms) {
    if (!text.empty()) text += ",";
    text += term;
  }
  return text;
}

}  // namespace basalt::apiserver
