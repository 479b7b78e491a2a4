#include "cli/yaml_text.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cctype>
#include <string_view>
#include <utility>

#include "cli/shown_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// Words that YAML readers, old ones too, take for something else.
bool IsPlain(std::string_view text) {
  constexpr std::array<std::string_view, 9> kWords = {"true", "false", "null", "yes", "no",
                                                      "on",   "off",   "y",    "n"};
  if (text.empty() || !std::isalpha(static_cast<unsigned char>(text.front()))) return false;
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::ranges::find(kWords, lower) != kWords.end()) return false;
  return std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '/';
  });
}

std::string Scalar(const json::value& value) {
  if (value.is_string()) {
    const std::string text(value.as_string());
    if (IsPlain(text)) return text;
  }
  return JsonText(value, Escapes::kYaml);  // JSON's scalars are YAML's
}

bool IsScalar(const json::value& value) {
  return !(value.is_object() && !value.as_object().empty()) &&
         !(value.is_array() && !value.as_array().empty());
}

void Append(const json::value& value, const std::string& indent, bool after_dash,
            std::string& out) {
  if (IsScalar(value)) {
    out += Scalar(value) + "\n";
    return;
  }
  bool first = after_dash;
  if (const json::array* items = value.if_array()) {
    for (const json::value& item : *items) {
      out += (std::exchange(first, false) ? "" : indent) + "- ";
      Append(item, indent + "  ", true, out);
    }
    return;
  }
  for (const auto& [key, item] : value.as_object()) {
    out += (std::exchange(first, false) ? "" : indent) + Scalar(json::string(key)) + ":";
    if (IsScalar(item)) {
      out += " " + Scalar(item) + "\n";
    } else {
      out += "\n";
      Append(item, item.is_array() ? indent : indent + "  ", false, out);
    }
  }
}

}  // namespace

std::string YamlText(const json::value& value) {
  std::string out;
  Append(value, "", false, out);
  return out;
}

}  // namespace basalt::cli
