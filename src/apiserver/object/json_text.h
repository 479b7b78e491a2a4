#pragma once

#include "apiserver/object/object.h"
#include "base/error.h"

namespace basalt::apiserver {

// Deeper documents are neither read nor stored: everything that walks them recurses.
inline constexpr std::size_t kMostDepth = 200;

// Compact JSON, numbers as Go writes them (1.5, not 1.5E0). It is always UTF-8.
void AppendJson(std::string& out, const json::value& value);
void AppendJson(std::string& out, const json::object& object);
void AppendJsonString(std::string& out, std::string_view text);
// A text as a message quotes it: a JSON string.
std::string Quoted(std::string_view text);
// Of a value or an object.
template <class Json>
std::string ToText(const Json& json) {
  std::string out;
  AppendJson(out, json);
  return out;
}

// With the keys of objects in order: the same for values that are equal.
std::string CanonicalText(const json::value& value);

// How deep a document nests (a scalar: 0), and what its text takes at most. Stops to look where it
// is deeper than kMostDepth.
struct JsonExtent {
  std::size_t depth = 0;
  std::size_t most_bytes = 0;
};
JsonExtent MeasureJson(const json::value& value);
JsonExtent MeasureJson(const json::object& object);

bool IsValidUtf8(std::string_view text);

// Parses one document; bytes that are no UTF-8 become U+FFFD, as in Go. The error says what is
// wrong and at which byte.
Result<json::value> ParseJson(std::string_view text);
// The same for a text that AppendJson has written. Throws where it is not one.
json::value ParseOwnJson(std::string_view text);

}  // namespace basalt::apiserver
