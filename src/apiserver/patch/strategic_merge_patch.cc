#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/go_text.h"
#include "apiserver/patch/patch.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kSetOrder = "$setElementOrder/";
constexpr std::string_view kDeletePrimitive = "$deleteFromPrimitiveList/";

std::unexpected<Error> Bad(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

// The type of a field of a struct or map; nullptr where the schema is silent.
const TypeSchema* FieldType(const TypeSchema* type, std::string_view name) {
  if (type == nullptr) return nullptr;
  if (type->kind == TypeSchema::Kind::kMap) return type->element;
  if (type->kind != TypeSchema::Kind::kStruct) return nullptr;
  const TypeSchema::Field* field = type->FindField(name);
  return field == nullptr ? nullptr : field->type;
}

// What a patch means where there is nothing to merge with: itself, without directives and nulls.
json::value WithoutDirectives(const json::value& value) {
  if (const json::object* object = value.if_object()) {
    json::object out;
    const json::value* directive = object->if_contains(kDirective);
    if (directive != nullptr && directive->is_string() && directive->get_string() == "delete") {
      return out;
    }
    for (const auto& [key, item] : *object) {
      const std::string_view name = key;
      if (name == kDirective || name == kRetainKeys || name.starts_with(kSetOrder) ||
          name.starts_with(kDeletePrimitive) || item.is_null()) {
        continue;
      }
      out[key] = WithoutDirectives(item);
    }
    return out;
  }
  if (const json::array* array = value.if_array()) {
    json::array out;
    for (const json::value& item : *array) {
      const json::object* object = item.if_object();
      if (object != nullptr && object->contains(kDirective)) {
        const json::value& directive = object->at(kDirective);
        const bool merge = directive.is_string() && directive.get_string() == "merge";
        if (!merge) continue;  // delete: nothing to delete; replace: an element that only says so
      }
      out.push_back(WithoutDirectives(item));
    }
    return out;
  }
  return value;
}

class Merger {
 public:
  Result<void> MergeMap(const json::object& patch, const TypeSchema* type, json::object& document) {
    if (const json::value* directive = patch.if_contains(kDirective)) {
      const std::string_view what =
          directive->is_string() ? std::string_view(directive->get_string()) : std::string_view();
      if (what == "replace") {
        document = WithoutDirectives(patch).get_object();
        return {};
      }
      if (what == "delete") {
        document.clear();
        return {};
      }
      if (what != "merge") return Bad(fmt::format("unknown patch type found: {}", what));
    }
    if (const json::value* keys = patch.if_contains(kRetainKeys)) {
      if (Result<void> kept = RetainKeys(*keys, patch, document); !kept) return kept;
    }
    for (const auto& [key, value] : patch) {
      const std::string_view name = key;
      if (name == kDirective || name == kRetainKeys || name.starts_with(kSetOrder)) continue;
      if (name.starts_with(kDeletePrimitive)) {
        DeletePrimitives(value, document.if_contains(name.substr(kDeletePrimitive.size())));
        continue;
      }
      const json::value* order = patch.if_contains(std::string(kSetOrder) + std::string(name));
      if (Result<void> merged = MergeField(name, value, order, type, document); !merged) {
        return merged;
      }
    }
    // An order for a list that is not itself patched.
    for (const auto& [key, value] : patch) {
      const std::string_view name = key;
      if (!name.starts_with(kSetOrder)) continue;
      const std::string_view list = name.substr(kSetOrder.size());
      json::value* target = document.if_contains(list);
      if (patch.contains(list) || target == nullptr || !target->is_array()) continue;
      const json::array before = target->get_array();
      if (Result<void> ordered = Reorder(value, FieldType(type, list), before, target->get_array());
          !ordered) {
        return ordered;
      }
    }
    return {};
  }

 private:
  static Result<void> RetainKeys(const json::value& keys, const json::object& patch,
                                 json::object& document) {
    if (!keys.is_array()) return Bad("invalid patch format of retainKeys");
    const json::array& kept = keys.get_array();
    const auto keeps = [&kept](std::string_view key) {
      return std::ranges::any_of(kept, [key](const json::value& item) {
        return item.is_string() && std::string_view(item.get_string()) == key;
      });
    };
    for (const auto& [key, value] : patch) {
      const std::string_view name = key;
      if (name.starts_with('$') || value.is_null() || keeps(name)) continue;
      return Bad(fmt::format("invalid patch format of retainKeys: {} is not retained", name));
    }
    std::vector<std::string> going;
    for (const auto& [key, value] : document) {
      if (!keeps(key)) going.emplace_back(key);
    }
    for (const std::string& key : going) document.erase(key);
    return {};
  }

  static void DeletePrimitives(const json::value& gone, json::value* list) {
    if (list == nullptr || !list->is_array() || !gone.is_array()) return;
    json::array kept;
    for (json::value& item : list->get_array()) {
      const json::array& values = gone.get_array();
      if (std::find(values.begin(), values.end(), item) == values.end()) {
        kept.push_back(std::move(item));
      }
    }
    *list = std::move(kept);
  }

  Result<void> MergeField(std::string_view name, const json::value& value, const json::value* order,
                          const TypeSchema* type, json::object& document) {
    if (value.is_null()) {
      document.erase(name);
      return {};
    }
    json::value* target = document.if_contains(name);
    if (target == nullptr || target->kind() != value.kind()) {
      document[name] = WithoutDirectives(value);
      return {};
    }
    const TypeSchema* field = FieldType(type, name);
    if (value.is_object()) {
      return MergeMap(value.get_object(), field, target->get_object());
    }
    if (value.is_array()) {
      if (field == nullptr || !field->merge) {
        *target = WithoutDirectives(value);
        return {};
      }
      json::array& list = target->get_array();
      const json::array before = list;
      if (Result<void> merged = MergeList(value.get_array(), *field, list); !merged) return merged;
      return Reorder(order == nullptr ? json::value(Present(value.get_array())) : *order, field,
                     before, list);
    }
    *target = value;
    return {};
  }

  Result<void> MergeList(const json::array& patch, const TypeSchema& type, json::array& list) {
    if (type.merge_key.empty()) {
      for (const json::value& item : patch) {
        if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
      }
      return {};
    }
    for (const json::value& item : patch) {
      const json::object* object = item.if_object();
      if (object == nullptr)
        return Bad(fmt::format("expected a map in a list keyed by {}", type.merge_key));
      const json::value* directive = object->if_contains(kDirective);
      if (directive != nullptr && directive->is_string() && directive->get_string() == "replace") {
        list = WithoutDirectives(patch).get_array();
        return {};
      }
    }
    for (const json::value& item : patch) {
      const json::object& object = item.get_object();
      const json::value* key = object.if_contains(type.merge_key);
      if (key == nullptr) {
        return Bad(fmt::format("map: {} does not contain declared merge key: {}", GoValue(object),
                               type.merge_key));
      }
      const auto found = std::find_if(list.begin(), list.end(), [&](const json::value& other) {
        return KeyOf(other, type.merge_key) == *key;
      });
      const json::value* directive = object.if_contains(kDirective);
      if (directive != nullptr) {
        const std::string_view what =
            directive->is_string() ? std::string_view(directive->get_string()) : std::string_view();
        if (what == "delete") {
          // All that have the key: ports may share a number.
          for (auto it = found; it != list.end();) {
            it = KeyOf(*it, type.merge_key) == *key ? list.erase(it) : it + 1;
          }
          continue;
        }
        if (what != "merge") return Bad(fmt::format("unexpected patch directive: {}", what));
      }
      if (found == list.end()) {
        list.push_back(WithoutDirectives(item));
      } else if (!found->is_object()) {
        *found = WithoutDirectives(item);
      } else if (Result<void> merged = MergeMap(object, type.element, found->get_object());
                 !merged) {
        return merged;
      }
    }
    return {};
  }

  // The patch's elements that it does not delete: where it names no order, theirs counts.
  static json::array Present(const json::array& patch) {
    json::array present;
    for (const json::value& item : patch) {
      const json::object* object = item.if_object();
      if (object == nullptr || !object->contains(kDirective)) present.push_back(item);
    }
    return present;
  }

  // What an element is known by: itself, or its merge key.
  static json::value KeyOf(const json::value& item, const std::string& merge_key) {
    if (merge_key.empty()) return item;
    const json::object* object = item.if_object();
    const json::value* key = object == nullptr ? nullptr : object->if_contains(merge_key);
    return key == nullptr ? json::value() : *key;
  }

  static std::size_t Place(const json::array& list, const json::value& key,
                           const std::string& merge_key) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (KeyOf(list[i], merge_key) == key) return i;
    }
    return list.size();
  }

  // Puts what `order` names into that order and the server's own elements between them, as near as
  // may be to where they were in `before`.
  static Result<void> Reorder(const json::value& order, const TypeSchema* type,
                              const json::array& before, json::array& list) {
    if (!order.is_array()) return Bad("$setElementOrder is a list");
    const std::string merge_key = type == nullptr ? "" : type->merge_key;
    json::array named;
    json::array others;
    for (const json::value& item : order.get_array()) {
      const json::value key = KeyOf(item, merge_key);
      for (json::value& element : list) {
        if (KeyOf(element, merge_key) == key) named.push_back(element);
      }
    }
    for (json::value& element : list) {
      const json::value key = KeyOf(element, merge_key);
      if (Place(named, key, merge_key) == named.size()) others.push_back(element);
    }
    json::array merged;
    std::size_t next = 0;
    for (json::value& element : others) {
      const std::size_t was = Place(before, KeyOf(element, merge_key), merge_key);
      while (next < named.size()) {
        const std::size_t named_was = Place(before, KeyOf(named[next], merge_key), merge_key);
        const bool both_known = was < before.size() && named_was < before.size();
        if (both_known && was < named_was) break;
        merged.push_back(named[next++]);
      }
      merged.push_back(element);
    }
    while (next < named.size()) merged.push_back(named[next++]);
    list = std::move(merged);
    return {};
  }
};

}  // namespace

Result<void> ApplyStrategicMergePatch(const json::object& patch, const TypeSchema& schema,
                                      json::object& document) {
  return Merger().MergeMap(patch, &schema, document);
}

}  // namespace basalt::apiserver
