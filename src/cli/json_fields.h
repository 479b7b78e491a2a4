#pragma once

#include <boost/json/value.hpp>

#include "kube/types/json_fields.h"

namespace basalt::cli {

using kube::ArrayAt;
using kube::NumberAt;
using kube::ObjectAt;
using kube::TextAt;

// Empty where it is none.
inline const boost::json::object& ObjectOf(const boost::json::value& value) {
  static const boost::json::object kNone;
  return value.is_object() ? value.get_object() : kNone;
}
inline const boost::json::array& ItemsOf(const boost::json::value& list) {
  return ArrayAt(list.if_object(), "items");
}

// Of an object's metadata.
inline std::string MetaText(const boost::json::object& object, std::string_view key) {
  return TextAt(ObjectAt(object, {"metadata"}), key);
}

inline double DoubleAt(const boost::json::object* object, std::string_view key) {
  const boost::json::value* value = object ? object->if_contains(key) : nullptr;
  return value && value->is_number() ? value->to_number<double>() : 0;
}

}  // namespace basalt::cli
