#include "tests/conformance/compare.h"

#include <cmath>

namespace basalt::conformance {

namespace json = boost::json;

namespace {

bool IsNothing(const json::value& value) {
  return value.is_null() || (value.is_array() && value.as_array().empty()) ||
         (value.is_object() && value.as_object().empty());
}

}  // namespace

bool Same(const json::value& want, const json::value& got, double tolerance) {
  if (want.is_bool() || got.is_bool()) return want == got;
  if (want.is_number()) {
    const double number = want.to_number<double>();
    if (got.is_null()) return number == 0;
    return got.is_number() && std::abs(number - got.to_number<double>()) <= tolerance;
  }
  if (want.is_object() && got.is_object()) {
    for (const auto& entry : want.as_object()) {
      const json::value* part = got.as_object().if_contains(entry.key());
      if (!Same(entry.value(), part ? *part : json::value(nullptr), tolerance)) return false;
    }
    return true;
  }
  if (want.is_array() && got.is_array()) {
    if (want.as_array().size() != got.as_array().size()) return false;
    for (std::size_t i = 0; i < want.as_array().size(); ++i) {
      if (!Same(want.as_array()[i], got.as_array()[i], tolerance)) return false;
    }
    return true;
  }
  if (IsNothing(want) && IsNothing(got)) return true;
  return want == got;
}

std::map<std::string, std::string> StringMapOf(const json::value* object) {
  std::map<std::string, std::string> map;
  if (object && object->is_object()) {
    for (const auto& entry : object->as_object()) {
      map[entry.key()] = std::string(entry.value().as_string());
    }
  }
  return map;
}

std::string Show(const std::map<std::string, std::string>& map) {
  std::string text = "{";
  for (const auto& [key, value] : map) {
    if (text.size() > 1) text += ", ";
    text += key + ": " + value;
  }
  return text + "}";
}

}  // namespace basalt::conformance
