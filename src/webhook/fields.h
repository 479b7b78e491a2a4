#pragma once

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

// Reading JSON that may be anything: a field that is missing, null or of another type is as if it
// were not there (its type is the schema's matter).
namespace basalt::webhook {

inline const boost::json::object& ObjectAt(const boost::json::object& object,
                                           std::string_view key) {
  static const boost::json::object kNone;
  const boost::json::value* value = object.if_contains(key);
  return value != nullptr && value->is_object() ? value->get_object() : kNone;
}

inline const boost::json::array& ListAt(const boost::json::object& object, std::string_view key) {
  static const boost::json::array kNone;
  const boost::json::value* value = object.if_contains(key);
  return value != nullptr && value->is_array() ? value->get_array() : kNone;
}

inline std::string_view TextAt(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

inline std::optional<std::int64_t> NumberAt(const boost::json::object& object,
                                            std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_int64()) return value->get_int64();
  if (value->is_uint64()) return std::numeric_limits<std::int64_t>::max();
  return std::nullopt;
}

inline bool Has(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  return value != nullptr && !value->is_null();
}

// Puts `value` at an RFC 6901 pointer without escapes; objects on the way are made where there is
// nothing, and "-" is the place behind an array's last. False: the way leads through something
// else.
inline bool SetAtPointer(boost::json::value& root, std::string_view pointer,
                         boost::json::value value) {
  boost::json::value* at = &root;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t slash = std::min(pointer.find('/'), pointer.size());
    const std::string_view part = pointer.substr(0, slash);
    pointer.remove_prefix(slash);
    if (boost::json::array* array = at->if_array()) {
      std::size_t index = array->size();
      if (part == "-") {
        array->push_back(nullptr);
      } else {
        std::from_chars(part.data(), part.data() + part.size(), index);
      }
      if (index >= array->size()) return false;
      at = &(*array)[index];
    } else {
      if (at->is_null()) at->emplace_object();
      if (!at->is_object()) return false;
      at = &at->get_object()[part];
    }
  }
  *at = std::move(value);
  return true;
}

// What the array holds, objects only.
inline const boost::json::object& AsObject(const boost::json::value& value) {
  static const boost::json::object kNone;
  return value.is_object() ? value.get_object() : kNone;
}

}  // namespace basalt::webhook
