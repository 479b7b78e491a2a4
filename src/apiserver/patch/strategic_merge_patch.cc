#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "apiserver/object/json_text.h"
#include "apiserver/patch/patch.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kSetOrder = "$setElementOrder/";
constexpr std::string_view kDeletePrimitive = "$deleteFromPrimitiveList/";

std::unexpected<Error> BadPatch(std::string message) {
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
      if (what != "merge") return BadPatch(fmt::format("unknown patch type found: {}", what));
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
    if (!keys.is_array()) return BadPatch("invalid patch format of retainKeys");
    std::unordered_set<std::string_view> kept;
    for (const json::value& item : keys.get_array()) {
      if (item.is_string()) kept.insert(item.get_string());
    }
    for (const auto& [key, value] : patch) {
      const std::string_view name = key;
      if (name.starts_with('$') || value.is_null() || kept.contains(name)) continue;
      return BadPatch(fmt::format("invalid patch format of retainKeys: {} is not retained", name));
    }
    std::vector<std::string> going;
    for (const auto& [key, value] : document) {
      if (!kept.contains(key)) going.emplace_back(key);
    }
    for (const std::string& key : going) document.erase(key);
    return {};
  }

  static void DeletePrimitives(const json::value& gone, json::value* list) {
    if (list == nullptr || !list->is_array() || !gone.is_array()) return;
    std::unordered_set<std::string> values;
    for (const json::value& item : gone.get_array()) values.insert(ToText(item));
    json::array kept;
    for (json::value& item : list->get_array()) {
      if (!values.contains(ToText(item))) kept.push_back(std::move(item));
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

  // Lists may be as long as a body: elements are found by their keys, not by looking.
  Result<void> MergeList(const json::array& patch, const TypeSchema& type, json::array& list) {
    if (type.merge_key.empty()) {
      std::unordered_set<std::string> present;
      for (const json::value& item : list) present.insert(ToText(item));
      for (const json::value& item : patch) {
        if (present.insert(ToText(item)).second) list.push_back(item);
      }
      return {};
    }
    for (const json::value& item : patch) {
      const json::object* object = item.if_object();
      if (object == nullptr)
        return BadPatch(fmt::format("expected a map in a list keyed by {}", type.merge_key));
      const json::value* directive = object->if_contains(kDirective);
      if (directive != nullptr && directive->is_string() && directive->get_string() == "replace") {
        list = WithoutDirectives(patch).get_array();
        return {};
      }
    }
    std::unordered_map<std::string, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < list.size(); ++i) {
      places[KeyText(list[i], type.merge_key)].push_back(i);
    }
    std::vector<bool> gone(list.size());
    for (const json::value& item : patch) {
      const json::object& object = item.get_object();
      if (!object.contains(type.merge_key)) {
        return BadPatch(fmt::format("map: {} does not contain declared merge key: {}",
                                    ToText(object), type.merge_key));
      }
      std::vector<std::size_t>& with_key = places[KeyText(item, type.merge_key)];
      if (const json::value* directive = object.if_contains(kDirective)) {
        const std::string_view what =
            directive->is_string() ? std::string_view(directive->get_string()) : std::string_view();
        if (what == "delete") {
          // All that have the key: ports may share a number.
          for (const std::size_t place : std::exchange(with_key, {})) gone[place] = true;
          continue;
        }
        if (what != "merge") return BadPatch(fmt::format("unexpected patch directive: {}", what));
      }
      if (with_key.empty()) {
        with_key.push_back(list.size());
        list.push_back(WithoutDirectives(item));
        gone.push_back(false);
        continue;
      }
      json::value& found = list[with_key.front()];
      if (!found.is_object()) {
        found = WithoutDirectives(item);
      } else if (Result<void> merged = MergeMap(object, type.element, found.get_object());
                 !merged) {
        return merged;
      }
    }
    if (std::ranges::find(gone, true) == gone.end()) return {};
    json::array kept;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!gone[i]) kept.push_back(std::move(list[i]));
    }
    list = std::move(kept);
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

  // What an element is known by, itself or its merge key, as text.
  static std::string KeyText(const json::value& item, const std::string& merge_key) {
    if (merge_key.empty()) return ToText(item);
    const json::object* object = item.if_object();
    const json::value* key = object == nullptr ? nullptr : object->if_contains(merge_key);
    return key == nullptr ? "null" : ToText(*key);
  }

  // Where each key first is in the list.
  static std::unordered_map<std::string, std::size_t> Places(const json::array& list,
                                                             const std::string& merge_key) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < list.size(); ++i) places.emplace(KeyText(list[i], merge_key), i);
    return places;
  }

  // Puts what `order` names into that order and the server's own elements between them, as near as
  // may be to where they were in `before`.
  static Result<void> Reorder(const json::value& order, const TypeSchema* type,
                              const json::array& before, json::array& list) {
    if (!order.is_array()) return BadPatch("$setElementOrder is a list");
    const std::string merge_key = type == nullptr ? "" : type->merge_key;
    const auto ordered = Places(order.get_array(), merge_key);
    const auto old = Places(before, merge_key);
    struct Element {
      std::size_t place;               // in the list
      std::size_t rank = 0;            // in the order
      std::optional<std::size_t> was;  // in `before`
    };
    std::vector<Element> named;
    std::vector<Element> others;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string key = KeyText(list[i], merge_key);
      Element element{.place = i};
      if (const auto it = old.find(key); it != old.end()) element.was = it->second;
      const auto rank = ordered.find(key);
      if (rank != ordered.end()) element.rank = rank->second;
      (rank == ordered.end() ? others : named).push_back(element);
    }
    std::ranges::stable_sort(named, {}, &Element::rank);
    json::array merged;
    std::size_t next = 0;
    for (const Element& element : others) {
      while (next < named.size() &&
             !(element.was && named[next].was && *element.was < *named[next].was)) {
        merged.push_back(std::move(list[named[next++].place]));
      }
      merged.push_back(std::move(list[element.place]));
    }
    while (next < named.size()) merged.push_back(std::move(list[named[next++].place]));
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
