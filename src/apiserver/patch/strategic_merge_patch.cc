#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/patch/patch.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kSetOrder = "$setElementOrder/";
constexpr std::string_view kDeletePrimitive = "$deleteFromPrimitiveList/";

std::unexpected<Error> BadPatch(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

// What an object or an element of a list says of itself: delete, replace or merge, which is also
// what is meant where it says nothing. Anything else is no directive.
std::string_view DirectiveOf(const json::value& value) {
  const json::value* directive = AsObject(value).if_contains("$patch");
  return directive == nullptr ? "merge" : AsText(*directive);
}

bool IsDirective(std::string_view name) {
  return name == "$patch" || name == kRetainKeys || name.starts_with(kSetOrder) ||
         name.starts_with(kDeletePrimitive);
}

// The type of a field of a struct or map; nullptr where the schema is silent.
const TypeSchema* TypeOfField(const TypeSchema* type, std::string_view name) {
  if (type == nullptr) return nullptr;
  if (type->kind == TypeSchema::Kind::kMap) return type->element;
  if (type->kind != TypeSchema::Kind::kStruct) return nullptr;
  const TypeSchema::Field* field = type->FindField(name);
  return field == nullptr ? nullptr : field->type;
}

// What a patch means where there is nothing to merge with: itself, without directives and nulls.
json::value WithoutDirectives(const json::value& value) {
  if (value.is_object()) {
    json::object out;
    if (DirectiveOf(value) == "delete") return out;
    for (const auto& [key, item] : value.get_object()) {
      if (!IsDirective(key) && !item.is_null()) out[key] = WithoutDirectives(item);
    }
    return out;
  }
  if (!value.is_array()) return value;
  json::array out;
  for (const json::value& item : value.get_array()) {
    // delete: nothing to delete; replace: an element that only says so.
    if (DirectiveOf(item) == "merge") out.push_back(WithoutDirectives(item));
  }
  return out;
}

// What an element is known by, itself or its merge key, as text.
std::string KeyText(const json::value& item, const std::string& merge_key) {
  if (merge_key.empty()) return ToText(item);
  const json::value* key = AsObject(item).if_contains(merge_key);
  return key == nullptr ? "null" : ToText(*key);
}

// Where each key is in the list. Lists may be as long as a body: elements are found by their keys,
// not by looking.
using Places = std::unordered_map<std::string, std::vector<std::size_t>>;

Places PlacesIn(const json::array& list, const std::string& merge_key) {
  Places places;
  for (std::size_t i = 0; i < list.size(); ++i) places[KeyText(list[i], merge_key)].push_back(i);
  return places;
}

std::optional<std::size_t> FirstPlace(const Places& places, const std::string& key) {
  const auto found = places.find(key);
  return found == places.end() ? std::nullopt : std::optional(found->second.front());
}

// Puts what `order` names into that order and the server's own elements between them, as near as
// may be to where they were in `before`.
Result<void> Reorder(const json::value& order, const TypeSchema* type, const json::array& before,
                     json::array& list) {
  if (!order.is_array()) return BadPatch("$setElementOrder is a list");
  const std::string merge_key = type == nullptr ? "" : type->merge_key;
  const Places ordered = PlacesIn(order.get_array(), merge_key);
  const Places old = PlacesIn(before, merge_key);
  struct Element {
    std::size_t place;                // in the list
    std::optional<std::size_t> rank;  // in the order
    std::optional<std::size_t> was;   // in `before`
  };
  std::vector<Element> named;
  std::vector<Element> others;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string key = KeyText(list[i], merge_key);
    const Element element{i, FirstPlace(ordered, key), FirstPlace(old, key)};
    (element.rank ? named : others).push_back(element);
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

Result<void> RetainKeys(const json::value& keys, const json::object& patch,
                        json::object& document) {
  if (!keys.is_array()) return BadPatch("$retainKeys is a list");
  std::unordered_set<std::string_view> kept;
  for (const json::value& item : keys.get_array()) kept.insert(AsText(item));
  for (const auto& [key, value] : patch) {
    const std::string_view name = key;
    if (name.starts_with('$') || value.is_null() || kept.contains(name)) continue;
    return BadPatch(fmt::format("{} is set and not in $retainKeys", name));
  }
  std::vector<std::string> going;
  for (const auto& [key, value] : document) {
    if (!kept.contains(key)) going.emplace_back(key);
  }
  for (const std::string& key : going) document.erase(key);
  return {};
}

void DeletePrimitives(const json::value& gone, json::value* list) {
  if (list == nullptr || !list->is_array() || !gone.is_array()) return;
  const Places values = PlacesIn(gone.get_array(), "");
  json::array kept;
  for (json::value& item : list->get_array()) {
    if (!values.contains(ToText(item))) kept.push_back(std::move(item));
  }
  *list = std::move(kept);
}

Result<void> MergeMap(const json::object& patch, const TypeSchema* type, json::object& document);

Result<void> MergeList(const json::array& patch, const TypeSchema& type, json::array& list) {
  const std::string& merge_key = type.merge_key;
  Places places = PlacesIn(list, merge_key);
  if (merge_key.empty()) {
    for (const json::value& item : patch) {
      if (places.try_emplace(ToText(item)).second) list.push_back(item);
    }
    return {};
  }
  for (const json::value& item : patch) {
    if (!item.is_object()) return BadPatch("an object is expected in a list keyed by " + merge_key);
    if (DirectiveOf(item) == "replace") {
      list = WithoutDirectives(patch).get_array();
      return {};
    }
  }
  std::vector<bool> gone(list.size());
  for (const json::value& item : patch) {
    if (!item.get_object().contains(merge_key)) {
      return BadPatch(fmt::format("{} lacks the merge key {}", ToText(item), merge_key));
    }
    std::vector<std::size_t>& with_key = places[KeyText(item, merge_key)];
    if (DirectiveOf(item) == "delete") {
      // All that have the key: ports may share a number.
      for (const std::size_t place : std::exchange(with_key, {})) gone[place] = true;
    } else if (DirectiveOf(item) != "merge") {
      return BadPatch(fmt::format("unknown patch directive: {}", DirectiveOf(item)));
    } else if (with_key.empty()) {
      with_key.push_back(list.size());
      list.push_back(WithoutDirectives(item));
      gone.push_back(false);
    } else {
      json::object& found = AsObject(list[with_key.front()]);
      if (auto merged = MergeMap(item.get_object(), type.element, found); !merged) return merged;
    }
  }
  json::array kept;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!gone[i]) kept.push_back(std::move(list[i]));
  }
  list = std::move(kept);
  return {};
}

Result<void> MergeField(std::string_view name, const json::object& patch, const TypeSchema* type,
                        json::object& document) {
  const json::value& value = patch.at(name);
  if (value.is_null()) {
    document.erase(name);
    return {};
  }
  json::value* target = document.if_contains(name);
  const TypeSchema* field = TypeOfField(type, name);
  if (target != nullptr && target->is_object() && value.is_object()) {
    return MergeMap(value.get_object(), field, target->get_object());
  }
  if (target == nullptr || !target->is_array() || !value.is_array() || field == nullptr ||
      !field->merge) {
    document[name] = WithoutDirectives(value);
    return {};
  }
  json::array& list = target->get_array();
  const json::array before = list;
  if (Result<void> merged = MergeList(value.get_array(), *field, list); !merged) return merged;
  const json::value* order = patch.if_contains(std::string(kSetOrder) + std::string(name));
  if (order != nullptr) return Reorder(*order, field, before, list);
  // Where the patch names no order, that of the elements that it does not delete counts.
  json::array present;
  for (const json::value& item : value.get_array()) {
    if (!AsObject(item).contains("$patch")) present.push_back(item);
  }
  return Reorder(present, field, before, list);
}

Result<void> MergeMap(const json::object& patch, const TypeSchema* type, json::object& document) {
  if (const json::value* directive = patch.if_contains("$patch")) {
    const std::string_view what = AsText(*directive);
    if (what == "replace" || what == "delete") {
      document = what == "delete" ? json::object() : WithoutDirectives(patch).get_object();
      return {};
    }
    if (what != "merge") return BadPatch(fmt::format("unknown patch directive: {}", what));
  }
  if (const json::value* keys = patch.if_contains(kRetainKeys)) {
    if (Result<void> kept = RetainKeys(*keys, patch, document); !kept) return kept;
  }
  for (const auto& [key, value] : patch) {
    const std::string_view name = key;
    if (name.starts_with(kDeletePrimitive)) {
      DeletePrimitives(value, document.if_contains(name.substr(kDeletePrimitive.size())));
    } else if (!IsDirective(name)) {
      if (auto merged = MergeField(name, patch, type, document); !merged) return merged;
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
    if (auto done = Reorder(value, TypeOfField(type, list), before, target->get_array()); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace

Result<void> ApplyStrategicMergePatch(const json::object& patch, const TypeSchema& schema,
                                      json::object& document) {
  return MergeMap(patch, &schema, document);
}

}  // namespace basalt::apiserver
