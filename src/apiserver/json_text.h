#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::apiserver {

namespace json = boost::json;

// Compact JSON, numbers as Go writes them (1.5, not 1.5E0).
void AppendJson(std::string& out, const json::value& value);
void AppendJson(std::string& out, const json::object& object);
void AppendJsonString(std::string& out, std::string_view text);
std::string ToText(const json::value& value);
std::string ToText(const json::object& object);

// Parses one document. The error is worded as Go's decoder words it: "invalid character 'b' looking
// for beginning of object key string".
Result<json::value> ParseJson(std::string_view text);
// The same for a text that AppendJson has written.
json::value ParseOwnJson(std::string_view text);

}  // namespace basalt::apiserver
