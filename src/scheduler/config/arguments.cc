#include "scheduler/config/arguments.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <charconv>

#include "base/nearest.h"

namespace basalt::scheduler {
namespace {

std::unexpected<Error> WrongType(std::string_view key, const boost::json::value& value,
                                 std::string_view wanted) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("argument {}: {} is no {}", key, boost::json::serialize(value), wanted));
}

template <class T>
std::optional<T> ParseNumber(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Result<void> Arguments::Get(std::string_view key, int* out) const {
  const boost::json::value* value = Find(key);
  if (!value) return {};
  if (const auto* number = value->if_int64()) {
    *out = static_cast<int>(*number);
    return {};
  }
  if (const auto* text = value->if_string()) {
    if (const auto number = ParseNumber<int>(*text)) {
      *out = *number;
      return {};
    }
  }
  return WrongType(key, *value, "whole number");
}

Result<void> Arguments::Get(std::string_view key, double* out) const {
  const boost::json::value* value = Find(key);
  if (!value) return {};
  if (const auto* number = value->if_int64()) {
    *out = static_cast<double>(*number);
    return {};
  }
  if (const auto* number = value->if_double()) {
    *out = *number;
    return {};
  }
  if (const auto* text = value->if_string()) {
    if (const auto number = ParseNumber<double>(*text)) {
      *out = *number;
      return {};
    }
  }
  return WrongType(key, *value, "number");
}

Result<void> Arguments::Get(std::string_view key, bool* out) const {
  const boost::json::value* value = Find(key);
  if (!value) return {};
  if (const auto* truth = value->if_bool()) {
    *out = *truth;
    return {};
  }
  if (const auto* text = value->if_string()) {
    for (const char* yes : {"1", "t", "T", "true", "TRUE", "True"}) {
      if (*text == yes) {
        *out = true;
        return {};
      }
    }
    for (const char* no : {"0", "f", "F", "false", "FALSE", "False"}) {
      if (*text == no) {
        *out = false;
        return {};
      }
    }
  }
  return WrongType(key, *value, "truth value");
}

Result<void> Arguments::Get(std::string_view key, std::string* out) const {
  const boost::json::value* value = Find(key);
  if (!value) return {};
  if (const auto* text = value->if_string()) {
    *out = std::string(*text);
    return {};
  }
  return WrongType(key, *value, "string");
}

Result<void> Arguments::CheckKnown(std::initializer_list<std::string_view> known,
                                   std::initializer_list<std::string_view> prefixes) const {
  for (const auto& entry : values_) {
    const std::string_view key = entry.key();
    bool found = false;
    for (const std::string_view name : known) found = found || key == name;
    for (const std::string_view prefix : prefixes) found = found || key.starts_with(prefix);
    if (found) continue;
    std::string message = fmt::format("unknown argument \"{}\"", key);
    const std::vector<std::string> names(known.begin(), known.end());
    const std::string_view nearest = Nearest(key, names);
    if (!nearest.empty()) message += fmt::format(", did you mean \"{}\"?", nearest);
    return Fail(ErrorCode::kInvalidArgument, std::move(message));
  }
  return {};
}

}  // namespace basalt::scheduler
