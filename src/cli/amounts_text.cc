#include "cli/amounts_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/value.hpp>
#include <cmath>
#include <vector>

#include "cli/shown_text.h"

namespace basalt::cli {

std::string ValueText(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  if (!value || value->is_null()) return "";
  return value->is_string() ? std::string(value->get_string()) : JsonText(*value);
}

std::string AmountsText(const boost::json::object* amounts) {
  std::vector<std::string> parts;
  if (amounts != nullptr) {
    for (const auto& [name, value] : *amounts) {
      parts.push_back(fmt::format("{} {}", std::string_view(name), ValueText(*amounts, name)));
    }
  }
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string Bar(double part, int places) {
  constexpr std::string_view kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double within = std::clamp(std::isfinite(part) ? part : 0.0, 0.0, 1.0);
  const int eighths = static_cast<int>(std::lround(within * places * 8));
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  bar += kParts[eighths % 8];
  for (int i = (eighths + 7) / 8; i < places; ++i) bar += "·";
  return bar;
}

}  // namespace basalt::cli
