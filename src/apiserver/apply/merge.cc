#include "apiserver/apply/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "apiserver/object/json_text.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

// How a value is taken: field by field, item by item, or as a whole.
enum class Form { kWhole, kFields, kItems };

Form FormOf(const TypeSchema& type, const json::value& value) {
  switch (type.kind) {
    case Kind::kStruct:
    case Kind::kMap: return type.atomic ? Form::kWhole : Form::kFields;
    case Kind::kList:
      return type.list_type == TypeSchema::ListType::kAtomic ? Form::kWhole : Form::kItems;
    case Kind::kAny:
      return type.open && !type.atomic && value.is_object() ? Form::kFields : Form::kWhole;
    default: return Form::kWhole;
  }
}

// Of a field that its struct does not name.
const TypeSchema& Undescribed(bool open) {
  static const TypeSchema* const kOpen = [] {
    auto* type = new TypeSchema;
    type->open = true;
    return type;
  }();
  static const TypeSchema* const kClosed = new TypeSchema;
  return open ? *kOpen : *kClosed;
}

const TypeSchema& FieldType(const TypeSchema& type, std::string_view name) {
  if (type.kind == Kind::kMap) return *type.element;
  if (type.kind == Kind::kAny) return type;
  const TypeSchema::Field* field = type.FindField(name);
  return field != nullptr ? *field->type : Undescribed(type.open);
}

bool IsNamed(const TypeSchema& type, std::string_view name) {
  return type.kind == Kind::kStruct && type.FindField(name) != nullptr;
}

std::string FieldElement(std::string_view name) {
  std::string element = "f:";
  element += name;
  return element;
}

const json::object& FieldsIn(const json::value* value) {
  static const json::object kNone;
  return value != nullptr && value->is_object() ? value->get_object() : kNone;
}

const json::array& ItemsIn(const json::value* value) {
  static const json::array kNone;
  return value != nullptr && value->is_array() ? value->get_array() : kNone;
}

bool IsEmpty(const json::value* value, Form form) {
  return form == Form::kFields ? FieldsIn(value).empty() : ItemsIn(value).empty();
}

// The path element of an item of a merged list; the error names the key that is missing.
Result<std::string> ItemElement(const TypeSchema& list, const json::value& item) {
  if (list.list_type == TypeSchema::ListType::kSet) return "v:" + ToText(item);
  json::object keys;
  for (const std::string& key : list.list_keys) {
    const json::value* value = FieldsIn(&item).if_contains(key);
    const TypeSchema::Field* field = list.element->FindField(key);
    if (value != nullptr) {
      keys[key] = *value;
    } else if (field != nullptr && !field->default_value.empty()) {
      keys[key] = field->default_value;
    } else if (field != nullptr && !list.element->published_name.empty()) {
      // Go's zero: validation says that the key is required.
      keys[key] = field->type->kind == Kind::kString ? json::value("") : json::value(0);
    } else {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("an item of a list that is merged by its key lacks the key \"{}\"", key));
    }
  }
  return "k:" + ToText(keys);
}

// The items of a merged list by path element, in order; those without one are left out.
struct Items {
  std::vector<std::string> order;  // each once
  std::map<std::string, std::vector<const json::value*>, std::less<>> by_element;

  Items(const TypeSchema& list, const json::value* value) {
    for (const json::value& item : ItemsIn(value)) {
      Result<std::string> element = ItemElement(list, item);
      if (!element) continue;
      std::vector<const json::value*>& same = by_element[*element];
      if (same.empty()) order.push_back(std::move(*element));
      same.push_back(&item);
    }
  }

  // The one item there; null where there is none, or more.
  const json::value* Only(const std::string& element) const {
    const auto found = by_element.find(element);
    return found == by_element.end() || found->second.size() != 1 ? nullptr : found->second.front();
  }
  std::size_t Count(const std::string& element) const {
    const auto found = by_element.find(element);
    return found == by_element.end() ? 0 : found->second.size();
  }
};

// Checking

std::unexpected<Error> Wrong(const std::string& path, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", path.empty() ? "." : path, why));
}

Result<void> CheckScalar(const json::value& value, const TypeSchema& type,
                         const std::string& path) {
  const bool number = value.is_int64() || value.is_uint64() || value.is_double();
  switch (type.kind) {
    case Kind::kBool:
      if (!value.is_bool()) return Wrong(path, "expected boolean");
      break;
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble:
      if (!number) return Wrong(path, "expected numeric (int or float)");
      break;
    case Kind::kQuantity:
    case Kind::kIntOrString:
      if (!number && !value.is_string()) return Wrong(path, "expected string or number");
      break;
    case Kind::kString:
    case Kind::kTime:
    case Kind::kMicroTime:
    case Kind::kDuration:
    case Kind::kBytes:
      if (!value.is_string()) return Wrong(path, "expected string");
      break;
    default: break;
  }
  return {};
}

Result<void> CheckAt(const json::value& value, const TypeSchema& type, const std::string& path) {
  if (value.is_null() || type.kind == Kind::kAny) return {};
  if (type.kind == Kind::kStruct || type.kind == Kind::kMap) {
    if (!value.is_object()) return Wrong(path, "expected map");
    for (const auto& [name, child] : value.get_object()) {
      const std::string at = fmt::format("{}.{}", path, std::string_view(name));
      if (type.kind == Kind::kStruct && !type.open && type.FindField(name) == nullptr) {
        return Wrong(at, "field not declared in schema");
      }
      if (Result<void> checked = CheckAt(child, FieldType(type, name), at); !checked)
        return checked;
    }
    return {};
  }
  if (type.kind == Kind::kList) {
    if (!value.is_array()) return Wrong(path, "expected list");
    std::vector<std::string> seen;
    for (std::size_t i = 0; i < value.get_array().size(); ++i) {
      const json::value& item = value.get_array()[i];
      const std::string at = fmt::format("{}[{}]", path, i);
      if (type.list_type != TypeSchema::ListType::kAtomic) {
        Result<std::string> element = ItemElement(type, item);
        if (!element) return Wrong(path, fmt::format("element {}: {}", i, element.error().message));
        seen.push_back(std::move(*element));
      }
      if (Result<void> checked = CheckAt(item, *type.element, at); !checked) return checked;
    }
    std::ranges::sort(seen);
    if (std::ranges::adjacent_find(seen) != seen.end()) {
      return Wrong(path,
                   fmt::format("duplicate entries for key {}", *std::ranges::adjacent_find(seen)));
    }
    return {};
  }
  return CheckScalar(value, type, path);
}

// Merging. Either side may be missing, not both.

json::value MergeAt(const json::value& live, const json::value& applied, const TypeSchema& type);

json::value MergeSides(const json::value* live, const json::value* applied,
                       const TypeSchema& type) {
  if (applied == nullptr) return *live;
  if (live == nullptr) return *applied;
  return MergeAt(*live, *applied, type);
}

// Items of both in the order of `applied`; those of `live` alone keep their place before what
// followed them.
json::value MergeItems(const json::value& live, const json::value& applied,
                       const TypeSchema& type) {
  const Items lives(type, &live);
  const Items given(type, &applied);
  json::array out;
  std::size_t l = 0;
  std::size_t g = 0;
  std::size_t shared = 0;  // the next of `given` that is in `lives`, too
  while (l < lives.order.size() || g < given.order.size()) {
    while (shared < given.order.size() && (shared < g || lives.Count(given.order[shared]) == 0)) {
      ++shared;
    }
    if (l < lives.order.size()) {
      const std::string& element = lives.order[l];
      if (given.Count(element) == 0) {
        for (const json::value* item : lives.by_element.at(element)) out.push_back(*item);
        ++l;
        continue;
      }
      // It comes, or has come, at its place in `given`.
      if (shared == given.order.size() || element != given.order[shared]) {
        ++l;
        continue;
      }
    }
    const std::string& element = given.order[g];
    const json::value* mine = given.by_element.at(element).front();
    out.push_back(MergeSides(lives.Only(element), mine, *type.element));
    ++g;
  }
  return out;
}

json::value MergeAt(const json::value& live, const json::value& applied, const TypeSchema& type) {
  const Form form = FormOf(type, applied);
  if (form == Form::kWhole || form != FormOf(type, live) ||
      (IsEmpty(&live, form) && IsEmpty(&applied, form))) {
    return applied;
  }
  if (form == Form::kItems) return MergeItems(live, applied, type);
  json::object out;
  for (const auto& [name, value] : FieldsIn(&live)) {
    out[name] = MergeSides(&value, FieldsIn(&applied).if_contains(name), FieldType(type, name));
  }
  for (const auto& [name, value] : FieldsIn(&applied)) {
    if (!out.contains(name)) out[name] = value;
  }
  return out;
}

// Comparing

Comparison CompareAt(const json::value* before, const json::value* after, const TypeSchema& type);

void AddBelow(Comparison& to, const std::string& element, Comparison child) {
  to.removed.Add(element, std::move(child.removed));
  to.modified.Add(element, std::move(child.modified));
  to.added.Add(element, std::move(child.added));
}

void CompareItems(const json::value* before, const json::value* after, const TypeSchema& type,
                  Comparison& out) {
  const Items old_items(type, before);
  const Items new_items(type, after);
  std::vector<std::string> all = old_items.order;
  for (const std::string& element : new_items.order) {
    if (old_items.Count(element) == 0) all.push_back(element);
  }
  for (const std::string& element : all) {
    const std::size_t had = old_items.Count(element);
    const std::size_t has = new_items.Count(element);
    if (had <= 1 && has <= 1) {
      AddBelow(out, element,
               CompareAt(old_items.Only(element), new_items.Only(element), *type.element));
      continue;
    }
    // Several with the same keys count as one thing.
    const auto same = [](const json::value* a, const json::value* b) { return *a == *b; };
    FieldSet whole{.member = true};
    if (had == 0) {
      out.added.Add(element, std::move(whole));
    } else if (has == 0) {
      out.removed.Add(element, std::move(whole));
    } else if (!std::ranges::equal(old_items.by_element.at(element),
                                   new_items.by_element.at(element), same)) {
      out.modified.Add(element, std::move(whole));
    }
  }
}

Comparison CompareAt(const json::value* before, const json::value* after, const TypeSchema& type) {
  Comparison out;
  const Form form = FormOf(type, after != nullptr ? *after : *before);
  const bool whole = form == Form::kWhole ||
                     (before != nullptr && after != nullptr && form != FormOf(type, *before)) ||
                     (IsEmpty(before, form) && IsEmpty(after, form));
  if (whole) {
    out.modified.member = before != nullptr && after != nullptr && *before != *after;
  } else if (form == Form::kItems) {
    CompareItems(before, after, type, out);
  } else {
    for (const auto& [name, value] : FieldsIn(before)) {
      AddBelow(out, FieldElement(name),
               CompareAt(&value, FieldsIn(after).if_contains(name), FieldType(type, name)));
    }
    for (const auto& [name, value] : FieldsIn(after)) {
      if (FieldsIn(before).contains(name)) continue;
      AddBelow(out, FieldElement(name), CompareAt(nullptr, &value, FieldType(type, name)));
    }
  }
  out.added.member = before == nullptr;
  out.removed.member = after == nullptr;
  return out;
}

}  // namespace

Result<void> CheckApplied(const json::value& value, const TypeSchema& type) {
  return CheckAt(value, type, "");
}

FieldSet FieldsOf(const json::value& value, const TypeSchema& type) {
  FieldSet set;
  const Form form = FormOf(type, value);
  if (form == Form::kWhole) {
    set.member = true;
  } else if (form == Form::kItems) {
    const Items items(type, &value);
    for (const std::string& element : items.order) {
      const json::value* only = items.Only(element);
      FieldSet child = only == nullptr ? FieldSet() : FieldsOf(*only, *type.element);
      child.member = true;
      set.Add(element, std::move(child));
    }
  } else {
    for (const auto& [name, field] : FieldsIn(&value)) {
      FieldSet child = FieldsOf(field, FieldType(type, name));
      const bool empty = field.is_null() || (field.is_object() && field.get_object().empty());
      if (empty || !IsNamed(type, name)) child.member = true;
      set.Add(FieldElement(name), std::move(child));
    }
  }
  return set;
}

json::value MergeApplied(const json::value& live, const json::value& applied,
                         const TypeSchema& type) {
  return MergeAt(live, applied, type);
}

Comparison Compare(const json::value& before, const json::value& after, const TypeSchema& type) {
  return CompareAt(&before, &after, type);
}

json::value Without(const json::value& value, const FieldSet& fields, const TypeSchema& type) {
  if (type.kind == Kind::kList) {
    if (type.list_type == TypeSchema::ListType::kAtomic) return nullptr;
    json::array kept;
    for (const json::value& item : ItemsIn(&value)) {
      const Result<std::string> element = ItemElement(type, item);
      const FieldSet* below = element ? fields.Find(*element) : nullptr;
      if (below != nullptr && below->member) continue;
      kept.push_back(below == nullptr ? item : Without(item, *below, *type.element));
    }
    return kept.empty() ? json::value() : json::value(std::move(kept));
  }
  if (!value.is_object()) return value;
  if (type.atomic) return nullptr;
  json::object kept;
  for (const auto& [name, field] : value.get_object()) {
    const FieldSet* below = fields.Find(FieldElement(name));
    if (below != nullptr && below->member) continue;
    kept[name] = below == nullptr ? field : Without(field, *below, FieldType(type, name));
  }
  return kept.empty() ? json::value() : json::value(std::move(kept));
}

FieldSet WithNamedFields(const FieldSet& set, const TypeSchema& type) {
  FieldSet named;
  named.member = set.member;
  for (const auto& [element, child] : set.children) {
    const bool field = element.starts_with("f:");
    const std::string_view name = std::string_view(element).substr(2);
    const TypeSchema& below = field                      ? FieldType(type, name)
                              : type.kind == Kind::kList ? *type.element
                                                         : Undescribed(false);
    FieldSet copy = WithNamedFields(child, below);
    if (field && !child.children.empty() && IsNamed(type, name)) copy.member = true;
    named.children.emplace(element, std::move(copy));
  }
  return named;
}

}  // namespace basalt::apiserver
