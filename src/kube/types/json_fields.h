#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

// Reading objects whose form has not been checked: what is not there, or is something else, is as
// good as empty.
namespace basalt::kube {

// The object at the end of the path; nullptr: there is none.
inline const boost::json::object* ObjectAt(const boost::json::object& from,
                                           std::initializer_list<std::string_view> path) {
  const boost::json::object* at = &from;
  for (const std::string_view key : path) {
    const boost::json::value* value = at->if_contains(key);
    at = value ? value->if_object() : nullptr;
    if (!at) return nullptr;
  }
  return at;
}

inline std::string TextAt(const boost::json::object* object, std::string_view key) {
  const boost::json::value* value = object ? object->if_contains(key) : nullptr;
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

inline std::int64_t NumberAt(const boost::json::object* object, std::string_view key,
                             std::int64_t otherwise = 0) {
  const boost::json::value* value = object ? object->if_contains(key) : nullptr;
  return value && value->is_int64() ? value->get_int64() : otherwise;
}

inline const boost::json::array& ArrayAt(const boost::json::object* object, std::string_view key) {
  static const boost::json::array kNone;
  const boost::json::value* value = object ? object->if_contains(key) : nullptr;
  return value && value->is_array() ? value->get_array() : kNone;
}

}  // namespace basalt::kube
