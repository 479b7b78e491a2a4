#include "apiserver/object/object.h"

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

const json::object* FindObject(const json::object& object, FieldPath path) {
  const json::value* value = Find(object, path);
  return value == nullptr ? nullptr : value->if_object();
}

const json::array* FindArray(const json::object& object, FieldPath path) {
  const json::value* value = Find(object, path);
  return value == nullptr ? nullptr : value->if_array();
}

const json::array& ListAt(const json::object& object, FieldPath path) {
  static const json::array kNone;
  const json::array* list = FindArray(object, path);
  return list == nullptr ? kNone : *list;
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

const json::object& AsObject(const json::value& value) {
  static const json::object kNone;
  return value.is_object() ? value.get_object() : kNone;
}

void Restore(json::object& object, const json::object& old, std::string_view field) {
  if (const json::value* value = old.if_contains(field)) {
    object[field] = *value;
  } else {
    object.erase(field);
  }
}

void SetCondition(json::object& status, json::object condition) {
  json::value& list = status["conditions"];
  if (!list.is_array()) list.emplace_array();
  for (json::value& item : list.get_array()) {
    json::object& existing = AsObject(item);
    if (GetString(existing, {"type"}) != GetString(condition, {"type"})) continue;
    if (GetString(existing, {"status"}) == GetString(condition, {"status"})) {
      condition["lastTransitionTime"] = existing["lastTransitionTime"];
    }
    existing = std::move(condition);
    return;
  }
  list.get_array().push_back(std::move(condition));
}

bool DesiredStateDiffers(const json::object& a, const json::object& b) {
  const auto differs = [](const json::object& from, const json::object& to) {
    return std::ranges::any_of(from, [&to](const auto& entry) {
      if (entry.key() == "metadata" || entry.key() == "status") return false;
      const json::value* other = to.if_contains(entry.key());
      return other == nullptr || *other != entry.value();
    });
  };
  return differs(a, b) || differs(b, a);
}

}  // namespace basalt::apiserver
