#include "apiserver/object.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <chrono>

namespace basalt::apiserver {

const json::value* Find(const json::object& object, FieldPath path) {
  const json::object* at = &object;
  const json::value* value = nullptr;
  for (const std::string_view key : path) {
    if (at == nullptr) return nullptr;
    value = at->if_contains(key);
    if (value == nullptr) return nullptr;
    at = value->if_object();
  }
  return value == nullptr || value->is_null() ? nullptr : value;
}

json::value* Find(json::object& object, FieldPath path) {
  return const_cast<json::value*>(Find(static_cast<const json::object&>(object), path));
}

const json::object* FindObject(const json::object& object, FieldPath path) {
  const json::value* value = Find(object, path);
  return value == nullptr ? nullptr : value->if_object();
}

json::object* FindObject(json::object& object, FieldPath path) {
  json::value* value = Find(object, path);
  return value == nullptr ? nullptr : value->if_object();
}

const json::array* FindArray(const json::object& object, FieldPath path) {
  const json::value* value = Find(object, path);
  return value == nullptr ? nullptr : value->if_array();
}

json::array* FindArray(json::object& object, FieldPath path) {
  json::value* value = Find(object, path);
  return value == nullptr ? nullptr : value->if_array();
}

std::string_view GetString(const json::object& object, FieldPath path) {
  const json::value* value = Find(object, path);
  if (value == nullptr || !value->is_string()) return {};
  const json::string& text = value->get_string();
  return {text.data(), text.size()};
}

std::int64_t GetInt(const json::object& object, FieldPath path, std::int64_t otherwise) {
  const json::value* value = Find(object, path);
  if (value == nullptr) return otherwise;
  if (value->is_int64()) return value->get_int64();
  if (value->is_uint64()) return static_cast<std::int64_t>(value->get_uint64());
  return otherwise;
}

bool GetBool(const json::object& object, FieldPath path, bool otherwise) {
  const json::value* value = Find(object, path);
  return value != nullptr && value->is_bool() ? value->get_bool() : otherwise;
}

json::object& Child(json::object& object, std::string_view key) {
  json::value& value = object[key];
  if (!value.is_object()) value.emplace_object();
  return value.get_object();
}

std::string FormatTime(Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(seconds - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

bool DesiredStateDiffers(const json::object& a, const json::object& b) {
  const auto counts = [](std::string_view key) { return key != "metadata" && key != "status"; };
  for (const auto& [key, value] : a) {
    if (!counts(key)) continue;
    const json::value* other = b.if_contains(key);
    if (other == nullptr || *other != value) return true;
  }
  for (const auto& [key, value] : b) {
    if (counts(key) && !a.contains(key)) return true;
  }
  return false;
}

}  // namespace basalt::apiserver
