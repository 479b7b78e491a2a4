#include "scheduler/config/arguments.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <charconv>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/nearest.h"

namespace basalt::scheduler {
namespace {

template <class T>
std::optional<T> ParseNumber(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class T>
constexpr bool Holds(std::int64_t value) {
  if constexpr (std::is_integral_v<T>) return std::in_range<T>(value);
  return true;
}

// Each reads one type. false: the value is not of it.
struct Reader {
  const boost::json::value& value;

  bool operator()(std::monostate) const { return true; }
  bool operator()(int* out) const { return Number(out); }
  bool operator()(double* out) const {
    const auto* number = value.if_double();
    if (number) *out = *number;
    return number || Number(out);
  }
  bool operator()(bool* out) const {
    if (const auto* truth = value.if_bool()) {
      *out = *truth;
      return true;
    }
    std::string text;
    if (!(*this)(&text)) return false;
    for (const char* yes : {"1", "t", "T", "true", "TRUE", "True"}) {
      if (text == yes) return *out = true;
    }
    for (const char* no : {"0", "f", "F", "false", "FALSE", "False"}) {
      if (text == no) return !(*out = false);
    }
    return false;
  }
  bool operator()(std::string* out) const {
    if (value.is_string()) *out = std::string(value.get_string());
    return value.is_string();
  }

 private:
  template <class T>
  bool Number(T* out) const {
    std::optional<T> number;
    if (const auto* whole = value.if_int64(); whole && Holds<T>(*whole)) {
      number = static_cast<T>(*whole);
    }
    if (const auto* text = value.if_string()) number = ParseNumber<T>(*text);
    if (number) *out = *number;
    return number.has_value();
  }
};

// By the types of Arguments::Target.
constexpr std::string_view kTypes[] = {"", "whole number", "number", "truth value", "string"};

}  // namespace

Result<void> Arguments::Get(std::string_view key, Target out) const {
  const boost::json::value* value = Find(key);
  if (!value || std::visit(Reader{*value}, out)) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("argument {}: {} is no {}", key, boost::json::serialize(*value),
                          kTypes[out.index()]));
}

Result<void> Arguments::Read(std::initializer_list<Known> known,
                             std::initializer_list<std::string_view> prefixes) const {
  for (const auto& entry : values_) {
    const std::string_view key = entry.key();
    bool found = false;
    for (const Known& one : known) found = found || key == one.key;
    for (const std::string_view prefix : prefixes) found = found || key.starts_with(prefix);
    if (found) continue;
    std::string message = fmt::format("unknown argument \"{}\"", key);
    std::vector<std::string> names;
    for (const Known& one : known) names.emplace_back(one.key);
    const std::string_view nearest = Nearest(key, names);
    if (!nearest.empty()) message += fmt::format(", did you mean \"{}\"?", nearest);
    return Fail(ErrorCode::kInvalidArgument, std::move(message));
  }
  for (const Known& one : known) {
    if (Result<void> got = Get(one.key, one.out); !got) return got;
  }
  return {};
}

}  // namespace basalt::scheduler
