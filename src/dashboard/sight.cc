#include "dashboard/sight.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <cctype>

namespace basalt::dashboard {
namespace {

namespace json = boost::json;

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

// Whether what stands before the slash can be a namespace: "0/3 nodes" and "example.com/gpu" are no
// names of objects.
bool CanBeNamespace(std::string_view text) {
  return !text.empty() && text.find('.') == std::string_view::npos &&
         std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string WithoutOthersNames(const Sight& sight, std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t slash = text.find('/', at);
    if (slash == std::string_view::npos) break;
    std::size_t begin = slash, end = slash + 1;
    while (begin > at && IsNameChar(text[begin - 1])) --begin;
    while (end < text.size() && IsNameChar(text[end])) ++end;
    const std::string_view ns = text.substr(begin, slash - begin);
    const bool hidden = CanBeNamespace(ns) && end > slash + 1 && !sight.Sees(ns);
    out += text.substr(at, (hidden ? begin : end) - at);
    if (hidden) out += "(of another namespace)";
    at = end;
  }
  out += text.substr(at);
  return out;
}

bool IsHidden(const Sight& sight, const json::value& item) {
  const json::object* row = item.if_object();
  const json::value* ns = row ? row->if_contains("namespace") : nullptr;
  return ns && ns->is_string() && !ns->as_string().empty() &&
         !sight.Sees(std::string_view(ns->as_string()));
}

}  // namespace

std::string Sight::Key() const {
  if (everything) return "*";
  std::string key;
  for (const std::string& ns : namespaces) key += ns + ",";
  return key;
}

void Hide(const Sight& sight, json::value& value) {
  if (sight.everything) return;
  if (json::array* list = value.if_array()) {
    json::array kept;
    for (json::value& item : *list) {
      if (IsHidden(sight, item)) continue;
      Hide(sight, item);
      kept.push_back(std::move(item));
    }
    *list = std::move(kept);
  } else if (json::object* object = value.if_object()) {
    if (json::value* other = object->if_contains("forNamespace");
        other && other->is_string() && !sight.Sees(std::string_view(other->as_string()))) {
      *other = "";
      (*object)["forName"] = "(of another namespace)";
    }
    for (auto& [key, member] : *object) Hide(sight, member);
  } else if (json::string* text = value.if_string()) {
    if (text->find('/') != json::string::npos) {
      value = WithoutOthersNames(sight, std::string_view(*text));
    }
  }
}

}  // namespace basalt::dashboard
