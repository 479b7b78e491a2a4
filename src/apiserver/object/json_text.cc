#include "apiserver/object/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cmath>
#include <map>
#include <stdexcept>

#include "kube/types/utf8.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

std::size_t CharacterLength(std::string_view text) {
  return static_cast<unsigned char>(text.front()) < 0x80 ? 1 : kube::Utf8Length(text);
}

void AppendDouble(std::string& out, double value) {
  if (value == std::trunc(value) && std::fabs(value) < 1e15) {
    fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(value));
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

json::value Sorted(const json::value& value) {
  if (value.is_array()) {
    json::array out;
    for (const json::value& item : value.get_array()) out.push_back(Sorted(item));
    return out;
  }
  if (!value.is_object()) return value;
  std::map<std::string_view, const json::value*> fields;
  for (const auto& [name, field] : value.get_object()) fields[name] = &field;
  json::object out;
  for (const auto& [name, field] : fields) out[name] = Sorted(*field);
  return out;
}

// An upper bound: every character as an escape, every number with all its digits.
std::size_t MostOfString(std::size_t length) { return 6 * length + 2; }
constexpr std::size_t kMostOfNumber = 32;

// `depth`: of what is around the value.
void Measure(const json::value& value, std::size_t depth, JsonExtent& extent);

void Measure(const json::object& object, std::size_t depth, JsonExtent& extent) {
  extent.depth = std::max(extent.depth, depth + 1);
  extent.most_bytes += 2;
  if (depth == kMostDepth) return;
  for (const auto& [key, value] : object) {
    extent.most_bytes += MostOfString(key.size()) + 2;
    Measure(value, depth + 1, extent);
  }
}

void Measure(const json::value& value, std::size_t depth, JsonExtent& extent) {
  if (value.is_object()) return Measure(value.get_object(), depth, extent);
  if (value.is_string()) {
    extent.most_bytes += MostOfString(value.get_string().size());
  } else if (!value.is_array()) {
    extent.most_bytes += kMostOfNumber;
  } else {
    extent.depth = std::max(extent.depth, depth + 1);
    extent.most_bytes += 2 + value.get_array().size();
    if (depth == kMostDepth) return;
    for (const json::value& item : value.get_array()) Measure(item, depth + 1, extent);
  }
}

// Each byte that belongs to no character replaced by U+FFFD, as Go's JSON decoder does it.
std::string ValidUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    out.append(length == 0 ? kReplacement : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

Result<json::value> ParseAny(std::string_view text, std::size_t depth) {
  json::parse_options options;
  options.max_depth = depth;
  options.allow_invalid_utf8 = true;  // there is none
  unsigned char stack[4096];          // enough for the small ones
  json::parser parser(json::storage_ptr(), options, stack);
  // One buffer for the whole document, freed at once: a node costs no allocation of its own.
  parser.reset(json::make_shared_resource<json::monotonic_resource>(1024 + 4 * text.size()));
  boost::system::error_code error;
  const std::size_t read = parser.write_some(text, error);
  if (!error && read == text.size()) return parser.release();
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("no JSON: {} at byte {}",
                          error ? error.message() : "something follows it", read));
}

// Whether a number is beyond what a double holds: it could not be written again.
bool HasInfinity(const json::value& value) {
  switch (value.kind()) {
    case json::kind::double_: return !std::isfinite(value.get_double());
    case json::kind::array: return std::ranges::any_of(value.get_array(), HasInfinity);
    case json::kind::object:
      return std::ranges::any_of(value.get_object(),
                                 [](const auto& entry) { return HasInfinity(entry.value()); });
    default: return false;
  }
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) {
      const std::size_t length = kube::Utf8Length(text.substr(i));
      if (length > 0) {
        i += length - 1;
        continue;
      }
      out.append(text, start, i - start);
      out += kReplacement;
      start = i + 1;
      continue;
    }
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, start, i - start);
    start = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
    }
  }
  out.append(text, start);
  out += '"';
}

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

void AppendJson(std::string& out, const json::object& object) {
  out += '{';
  bool first = true;
  for (const auto& [key, value] : object) {
    if (!first) out += ',';
    first = false;
    AppendJsonString(out, key);
    out += ':';
    AppendJson(out, value);
  }
  out += '}';
}

void AppendJson(std::string& out, const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: out += "null"; break;
    case json::kind::bool_: out += value.get_bool() ? "true" : "false"; break;
    case json::kind::int64: fmt::format_to(std::back_inserter(out), "{}", value.get_int64()); break;
    case json::kind::uint64:
      fmt::format_to(std::back_inserter(out), "{}", value.get_uint64());
      break;
    case json::kind::double_: AppendDouble(out, value.get_double()); break;
    case json::kind::string: AppendJsonString(out, value.get_string()); break;
    case json::kind::array: {
      out += '[';
      bool first = true;
      for (const json::value& item : value.get_array()) {
        if (!first) out += ',';
        first = false;
        AppendJson(out, item);
      }
      out += ']';
      break;
    }
    case json::kind::object: AppendJson(out, value.get_object()); break;
  }
}

std::string CanonicalText(const json::value& value) { return ToText(Sorted(value)); }

JsonExtent MeasureJson(const json::value& value) {
  JsonExtent extent;
  Measure(value, 0, extent);
  return extent;
}

JsonExtent MeasureJson(const json::object& object) {
  JsonExtent extent;
  Measure(object, 0, extent);
  return extent;
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

Result<json::value> ParseJson(std::string_view text) {
  Result<json::value> value = ParseAny(IsValidUtf8(text) ? text : ValidUtf8(text), kMostDepth);
  if (value && HasInfinity(*value)) {
    return Fail(ErrorCode::kInvalidArgument, "a number is too large");
  }
  return value;
}

json::value ParseOwnJson(std::string_view text) {
  Result<json::value> value = ParseAny(text, 2 * kMostDepth);
  if (!value) throw std::logic_error("a stored text is " + value.error().message);
  return std::move(*value);
}

}  // namespace basalt::apiserver
