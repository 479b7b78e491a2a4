#include "apiserver/kinds/checks.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <charconv>

#include "apiserver/kinds/paths.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {

const json::array& ListOf(const json::object& object, std::string_view field) {
  static const json::array kNone;
  const json::array* list = FindArray(object, {field});
  return list ? *list : kNone;
}

const json::object& ObjectOf(const json::object& object, std::string_view field) {
  static const json::object kNone;
  const json::object* found = FindObject(object, {field});
  return found ? *found : kNone;
}

NameSet NamesIn(const json::array& list) {
  NameSet names;
  for (const json::value& item : list) names.insert(GetString(AsObject(item), {"name"}));
  return names;
}

void RequireNonNegative(const json::object& object, std::string_view field, const std::string& path,
                        FieldErrors& errors) {
  const std::int64_t value = GetInt(object, {field});
  if (value < 0) errors.Invalid(Sub(path, field), value, "must be greater than or equal to 0");
}

void RequireOneOf(const json::object& object, std::string_view field, const std::string& path,
                  const std::vector<std::string>& supported, FieldErrors& errors) {
  if (Find(object, {field}) == nullptr) return;
  const std::string_view value = GetString(object, {field});
  if (std::ranges::find(supported, value) == supported.end()) {
    errors.NotSupported(Sub(path, field), value, supported);
  }
}

void RequireEnum(const json::object& object, std::string_view field, const std::string& path,
                 const std::vector<std::string>& allowed, FieldErrors& errors) {
  const std::string_view value = GetString(object, {field});
  if (value.empty()) {
    errors.Required(Sub(path, field));
  } else if (std::ranges::find(allowed, value) == allowed.end()) {
    errors.NotSupported(Sub(path, field), value, allowed);
  }
}

int PercentOf(const json::value& value) {
  if (!value.is_string()) return -1;
  std::string_view text = value.get_string();
  if (!text.ends_with('%')) return -1;
  text.remove_suffix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return -1;
  int percent = -1;
  std::from_chars(text.data(), text.data() + text.size(), percent);
  return percent;
}

void ValidateIntOrPercent(const json::value& value, const std::string& path, FieldErrors& errors) {
  if (value.is_string()) {
    if (PercentOf(value) < 0) {
      errors.Invalid(path, value,
                     "a valid percent string must be a numeric string followed by an ending '%' "
                     "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')");
    }
  } else if (value.is_int64() && value.get_int64() < 0) {
    errors.Invalid(path, value, "must be greater than or equal to 0");
  }
}

void ValidateAtMostHundredPercent(const json::value& value, const std::string& path,
                                  FieldErrors& errors) {
  if (PercentOf(value) > 100) errors.Invalid(path, value, "must not be greater than 100%");
}

bool SelectorMatches(const json::object* selector, const json::object* labels) {
  if (selector == nullptr) return false;
  const auto label = [labels](std::string_view key) -> const json::value* {
    return labels == nullptr ? nullptr : labels->if_contains(key);
  };
  for (const auto& [key, value] : ObjectOf(*selector, "matchLabels")) {
    const json::value* found = label(key);
    if (found == nullptr || *found != value) return false;
  }
  for (const json::value& item : ListOf(*selector, "matchExpressions")) {
    const json::object& expression = AsObject(item);
    const json::value* found = label(GetString(expression, {"key"}));
    const std::string_view op = GetString(expression, {"operator"});
    const json::array& values = ListOf(expression, "values");
    const bool among = found != nullptr && std::ranges::find(values, *found) != values.end();
    const bool holds = op == "In"             ? among
                       : op == "NotIn"        ? !among
                       : op == "Exists"       ? found != nullptr
                       : op == "DoesNotExist" ? found == nullptr
                                              : false;
    if (!holds) return false;
  }
  return true;
}

}  // namespace basalt::apiserver
