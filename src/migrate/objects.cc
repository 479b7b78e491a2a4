#include "migrate/objects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/object.hpp>

namespace basalt::migrate {

namespace json = boost::json;

const json::value* At(const json::value& from, std::initializer_list<std::string_view> path) {
  const json::value* value = &from;
  for (const std::string_view field : path) {
    const json::object* object = value->if_object();
    value = object ? object->if_contains(field) : nullptr;
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::string_view TextAt(const json::value& from, std::initializer_list<std::string_view> path) {
  const json::value* value = At(from, path);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

const json::array& ArrayIn(const json::value& from, std::initializer_list<std::string_view> path) {
  static const json::array none;
  const json::value* value = At(from, path);
  return value && value->is_array() ? value->get_array() : none;
}

std::string NameOf(const json::value& object) {
  const std::string_view ns = TextAt(object, {"metadata", "namespace"});
  const std::string_view name = TextAt(object, {"metadata", "name"});
  return ns.empty() ? std::string(name) : fmt::format("{}/{}", ns, name);
}

std::string Some(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  const auto shown = std::min(names.size(), kMost);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string Count(std::size_t count, std::string_view what, std::string_view one,
                  std::string_view many) {
  return count == 1 ? fmt::format("1 {} {}", what, one)
                    : fmt::format("{} {}s {}", count, what, many);
}

}  // namespace basalt::migrate
