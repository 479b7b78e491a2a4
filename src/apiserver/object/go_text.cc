#include "apiserver/object/go_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <utility>
#include <vector>

#include "apiserver/object/json_text.h"

namespace basalt::apiserver {
namespace {

void AppendGoValue(std::string& out, const json::value& value) {
  if (const json::object* object = value.if_object()) {
    std::vector<std::pair<std::string, const json::value*>> sorted;
    for (const auto& [key, item] : *object) sorted.emplace_back(key, &item);
    std::ranges::sort(sorted, {}, [](const auto& entry) { return entry.first; });
    out += "map[";
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (i > 0) out += ' ';
      out += sorted[i].first + ":";
      AppendGoValue(out, *sorted[i].second);
    }
    out += ']';
  } else if (const json::array* array = value.if_array()) {
    out += '[';
    for (std::size_t i = 0; i < array->size(); ++i) {
      if (i > 0) out += ' ';
      AppendGoValue(out, (*array)[i]);
    }
    out += ']';
  } else if (value.is_string()) {
    out += std::string_view(value.get_string());
  } else if (value.is_null()) {
    out += "<nil>";
  } else {
    AppendJson(out, value);
  }
}

}  // namespace

std::string GoValue(const json::value& value) {
  std::string out;
  AppendGoValue(out, value);
  return out;
}

std::string GoQuote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      case '\a': out += "\\a"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\v': out += "\\v"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
  return out;
}

}  // namespace basalt::apiserver
