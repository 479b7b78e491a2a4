#include "apiserver/object/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/stream_parser.hpp>
#include <cmath>
#include <stdexcept>

#include "apiserver/object/utf8.h"

namespace basalt::apiserver {
namespace {

void AppendDouble(std::string& out, double value) {
  const double magnitude = std::fabs(value);
  if (magnitude < 1e21 && value == std::trunc(value) && magnitude < 1e15) {
    fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(value));
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80) {
      const std::size_t length = Utf8Length(text.substr(i));
      if (length > 0) {
        i += length - 1;
        continue;
      }
      out.append(text, start, i - start);
      out += "\xef\xbf\xbd";
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

std::string ToText(const json::value& value) {
  std::string out;
  AppendJson(out, value);
  return out;
}

std::string ToText(const json::object& object) {
  std::string out;
  AppendJson(out, object);
  return out;
}

namespace {

// An upper bound: every character as an escape, every number with all its digits.
constexpr std::size_t kMostOfCharacter = 6;
constexpr std::size_t kMostOfNumber = 32;

std::size_t MostOfString(std::size_t length) { return kMostOfCharacter * length + 2; }

void MeasureObject(const json::object& object, std::size_t depth, JsonExtent& extent);

void Measure(const json::value& value, std::size_t depth, JsonExtent& extent) {
  switch (value.kind()) {
    case json::kind::string: extent.most_bytes += MostOfString(value.get_string().size()); return;
    case json::kind::object: return MeasureObject(value.get_object(), depth + 1, extent);
    case json::kind::array:
      extent.depth = std::max(extent.depth, depth + 1);
      extent.most_bytes += 2;
      if (depth + 1 > kMostDepth) return;
      for (const json::value& item : value.get_array()) {
        Measure(item, depth + 1, extent);
        ++extent.most_bytes;
      }
      return;
    default: extent.most_bytes += kMostOfNumber;
  }
}

void MeasureObject(const json::object& object, std::size_t depth, JsonExtent& extent) {
  extent.depth = std::max(extent.depth, depth);
  extent.most_bytes += 2;
  if (depth > kMostDepth) return;
  for (const auto& [key, value] : object) {
    extent.most_bytes += MostOfString(key.size()) + 2;
    Measure(value, depth, extent);
  }
}

}  // namespace

JsonExtent MeasureJson(const json::value& value) {
  JsonExtent extent;
  Measure(value, 0, extent);
  return extent;
}

JsonExtent MeasureJson(const json::object& object) {
  JsonExtent extent;
  MeasureObject(object, 1, extent);
  return extent;
}

namespace {

json::value ParseAny(std::string_view text, std::size_t depth, boost::system::error_code& error) {
  json::parse_options options;
  options.max_depth = depth;
  options.allow_invalid_utf8 = true;  // there is none
  // One buffer for the whole document, freed at once: a node costs no allocation of its own.
  const std::size_t size = 1024 + 4 * text.size();
  return json::parse(text, error, json::make_shared_resource<json::monotonic_resource>(size),
                     options);
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

// Of a text that is no JSON.
std::string WhatIsWrong(std::string_view text) {
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = kMostDepth;
  options.allow_invalid_utf8 = true;
  json::stream_parser parser({}, options);
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read == text.size()) parser.finish(error);
  if (!error) return fmt::format("no JSON: something follows it at byte {}", read);
  return fmt::format("no JSON: {} at byte {}", error.message(), read);
}

}  // namespace

Result<json::value> ParseJson(std::string_view text) {
  std::string mended;
  boost::system::error_code error;
  json::value value = ParseAny(
      IsValidUtf8(text) ? text : std::string_view(mended = ValidUtf8(text)), kMostDepth, error);
  if (error) return Fail(ErrorCode::kInvalidArgument, WhatIsWrong(text));
  if (HasInfinity(value)) {
    return Fail(ErrorCode::kInvalidArgument, "a number is too large");
  }
  return value;
}

json::value ParseOwnJson(std::string_view text) {
  boost::system::error_code error;
  json::value value = ParseAny(text, 2 * kMostDepth, error);
  if (error) throw std::logic_error("a stored text is no JSON: " + error.message());
  return value;
}

}  // namespace basalt::apiserver
