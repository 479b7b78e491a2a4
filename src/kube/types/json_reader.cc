#include "kube/types/json_reader.h"

#include <fmt/core.h>

#include <algorithm>

#include "kube/types/time.h"

namespace basalt::kube::json {
namespace {

std::string_view NameOf(char first) {
  switch (first) {
    case '{': return "an object";
    case '[': return "a list";
    case '"': return "a string";
    case 't':
    case 'f': return "a boolean";
    case 'n': return "null";
    default: return "a number";
  }
}

bool ReadInteger(Reader& reader, Value& value, std::int64_t& out) {
  const auto error = value.get_int64().get(out);
  if (!error) return true;
  const std::string_view token = value.raw_json_token();
  const bool number = !token.empty() && (token[0] == '-' || (token[0] >= '0' && token[0] <= '9'));
  if (!number) return reader.WrongType(value, "an integer");
  return reader.Fail("the number is no integer, or too large");
}

// Go writes its zero time for a time that is not set.
constexpr std::string_view kZeroTime = "0001-01-01T00:00:00Z";

}  // namespace

bool Reader::Fail(std::string what) {
  what_ = std::move(what);
  path_.clear();
  return false;
}

bool Reader::WrongType(Value& value, std::string_view expected) {
  const std::string_view token = value.raw_json_token();
  return Fail(fmt::format("expected {}, not {}", expected, NameOf(token.empty() ? '0' : token[0])));
}

bool Reader::BadText(simdjson::error_code error) {
  return Fail(fmt::format("invalid text: {}", simdjson::error_message(error)));
}

bool Reader::Broken(simdjson::error_code error) {
  broken_ = true;
  return Fail(fmt::format("invalid JSON: {}", simdjson::error_message(error)));
}

bool Reader::In(std::string_view key) {
  const std::string_view separator = path_.empty() || path_[0] == '[' ? "" : ".";
  path_ = fmt::format("{}{}{}", key, separator, path_);
  return false;
}

bool Reader::In(std::size_t index) {
  const std::string_view separator = path_.empty() || path_[0] == '[' ? "" : ".";
  path_ = fmt::format("[{}]{}{}", index, separator, path_);
  return false;
}

std::string Reader::Message() const {
  return path_.empty() ? what_ : fmt::format("{}: {}", path_, what_);
}

bool Read(Reader& reader, Value& value, std::string& out) {
  std::string_view text;
  if (!ReadText(reader, value, text)) return false;
  out = text;
  return true;
}

bool Read(Reader& reader, Value& value, bool& out) {
  if (value.get_bool().get(out)) return reader.WrongType(value, "a boolean");
  return true;
}

bool Read(Reader& reader, Value& value, std::int64_t& out) {
  return ReadInteger(reader, value, out);
}

bool Read(Reader& reader, Value& value, std::int32_t& out) {
  std::int64_t wide = 0;
  if (!ReadInteger(reader, value, wide)) return false;
  using Limits = std::numeric_limits<std::int32_t>;
  if (wide < Limits::min() || wide > Limits::max()) {
    return reader.Fail(fmt::format("{} does not fit in 32 bits", wide));
  }
  out = static_cast<std::int32_t>(wide);
  return true;
}

bool Read(Reader& reader, Value& value, Time& out) {
  std::string_view text;
  if (!ReadText(reader, value, text)) return false;
  if (text == kZeroTime) {
    out = {};
    return true;
  }
  const Result<Time> time = ParseTime(text);
  if (!time) return reader.Fail(time.error().message);
  out = *time;
  return true;
}

bool Read(Reader& reader, Value& value, Duration& out) {
  std::string_view text;
  if (!ReadText(reader, value, text)) return false;
  const Result<Duration> duration = ParseDuration(text);
  if (!duration) return reader.Fail(duration.error().message);
  out = *duration;
  return true;
}

bool Read(Reader& reader, Value& value, Quantity& out) {
  std::string_view text = value.raw_json_token();
  const bool number = !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
  if (number) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  } else if (!ReadText(reader, value, text)) {
    return false;
  }
  const Result<Quantity> quantity = Quantity::Parse(text);
  if (!quantity) return reader.Fail(quantity.error().message);
  out = *quantity;
  return true;
}

bool Read(Reader& reader, Value& value, StringMap& out) {
  std::vector<StringMap::Entry>& entries = reader.scratch();
  entries.clear();
  const bool ok = ReadObject(reader, value, [&](std::string_view key, Value& field) {
    std::string_view text;
    if (!ReadText(reader, field, text)) return false;
    entries.push_back({key, text});
    return true;
  });
  if (ok) out = StringMap::FromScratch(entries);
  return ok;
}

bool Read(Reader& reader, Value& value, ResourceList& out) {
  out.Clear();
  return ReadObject(reader, value, [&](std::string_view key, Value& field) {
    Quantity quantity;
    if (!Read(reader, field, quantity)) return false;
    if (out.empty()) out.Reserve(2);  // mostly cpu and memory
    out.Set(key, quantity);
    return true;
  });
}

bool Read(Reader& reader, Value& value, IntOrString& out) {
  const std::string_view token = value.raw_json_token();
  out = {};
  if (!token.starts_with('"')) return Read(reader, value, out.number);
  out.is_string = true;
  return Read(reader, value, out.text);
}

bool Read(Reader& reader, Value& value, std::vector<std::pair<std::string, std::int32_t>>& out) {
  out.clear();
  const bool ok = ReadObject(reader, value, [&](std::string_view key, Value& field) {
    std::int32_t number = 0;
    if (!Read(reader, field, number)) return false;
    std::erase_if(out, [&](const auto& entry) { return entry.first == key; });
    out.emplace_back(key, number);
    return true;
  });
  std::sort(out.begin(), out.end());
  return ok;
}

bool Read(Reader& reader, Value& value, ConditionStatus& out) {
  return ReadEnum(reader, value, out,
                  {{"True", ConditionStatus::kTrue}, {"False", ConditionStatus::kFalse}},
                  ConditionStatus::kUnknown);
}

}  // namespace basalt::kube::json
