#include "apiserver/apply/merge.h"

#include <fmt/format.h>

#include <algorithm>

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

// The type of what a path element leads to.
const TypeSchema& TypeBelow(const TypeSchema& type, std::string_view element) {
  if (element.starts_with("f:")) return FieldType(type, element.substr(2));
  return type.kind == Kind::kList ? *type.element : Undescribed(false);
}

// The fields of a value, or the items of a merged list, by path element and in order; items without
// one are left out.
struct Children {
  std::vector<std::string> order;  // each once
  std::map<std::string, std::vector<const json::value*>, std::less<>> by_element;

  Children(const TypeSchema& type, Form form, const json::value* value) {
    if (form == Form::kFields) {
      for (const auto& [name, field] : FieldsIn(value)) Add(FieldElement(name), field);
    } else if (form == Form::kItems) {
      for (const json::value& item : ItemsIn(value)) {
        if (Result<std::string> element = ItemElement(type, item)) Add(std::move(*element), item);
      }
    }
  }

  // The one child there; null where there is none, or more.
  const json::value* Only(const std::string& element) const {
    const auto found = by_element.find(element);
    return found == by_element.end() || found->second.size() != 1 ? nullptr : found->second.front();
  }
  std::size_t Count(const std::string& element) const {
    const auto found = by_element.find(element);
    return found == by_element.end() ? 0 : found->second.size();
  }

 private:
  void Add(std::string element, const json::value& value) {
    std::vector<const json::value*>& same = by_element[element];
    if (same.empty()) order.push_back(std::move(element));
    same.push_back(&value);
  }
};

// Checking

std::unexpected<Error> Wrong(const std::string& path, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", path.empty() ? "." : path, why));
}

bool IsScalarOf(const json::value& value, Kind kind) {
  switch (kind) {
    case Kind::kAny: return true;
    case Kind::kBool: return value.is_bool();
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble: return value.is_number();
    case Kind::kQuantity:
    case Kind::kIntOrString: return value.is_number() || value.is_string();
    default: return value.is_string();
  }
}

// Merging

// Items of both in the order of `applied`; those of `live` alone keep their place before what
// followed them.
json::value MergeItems(const json::value& live, const json::value& applied,
                       const TypeSchema& type) {
  const Children lives(type, Form::kItems, &live);
  const Children given(type, Form::kItems, &applied);
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
    const json::value* theirs = lives.Only(element);
    out.push_back(theirs == nullptr ? *mine : MergeApplied(*theirs, *mine, *type.element));
    ++g;
  }
  return out;
}

// Comparing

void AddBelow(Comparison& to, const std::string& element, Comparison child) {
  to.set.Add(element, std::move(child.set));
  to.removed.Add(element, std::move(child.removed));
}

Comparison CompareAt(const json::value* before, const json::value* after, const TypeSchema& type) {
  Comparison out;
  out.set.member = before == nullptr;
  out.removed.member = after == nullptr;
  const Form form = FormOf(type, after != nullptr ? *after : *before);
  const Children old_ones(type, form, before);
  const Children new_ones(type, form, after);
  if (form == Form::kWhole ||
      (before != nullptr && after != nullptr && form != FormOf(type, *before)) ||
      (old_ones.order.empty() && new_ones.order.empty())) {
    if (before != nullptr && after != nullptr) out.set.member = *before != *after;
    return out;
  }
  std::vector<std::string> all = old_ones.order;
  for (const std::string& element : new_ones.order) {
    if (old_ones.Count(element) == 0) all.push_back(element);
  }
  for (const std::string& element : all) {
    const std::size_t had = old_ones.Count(element);
    const std::size_t has = new_ones.Count(element);
    if (had <= 1 && has <= 1) {
      AddBelow(out, element,
               CompareAt(old_ones.Only(element), new_ones.Only(element), TypeBelow(type, element)));
      continue;
    }
    // Several with the same keys count as one thing.
    const auto same = [](const json::value* a, const json::value* b) { return *a == *b; };
    if (had > 0 && has > 0 &&
        std::ranges::equal(old_ones.by_element.at(element), new_ones.by_element.at(element),
                           same)) {
      continue;
    }
    (has == 0 ? out.removed : out.set).Add(element, {.member = true});
  }
  return out;
}

}  // namespace

Result<void> CheckApplied(const json::value& value, const TypeSchema& type,
                          const std::string& path) {
  if (value.is_null()) return {};
  if (type.kind == Kind::kStruct || type.kind == Kind::kMap) {
    if (!value.is_object()) return Wrong(path, "expected map");
    for (const auto& [name, child] : value.get_object()) {
      const std::string at = fmt::format("{}.{}", path, std::string_view(name));
      if (type.kind == Kind::kStruct && !type.open && type.FindField(name) == nullptr) {
        return Wrong(at, "field not declared in schema");
      }
      if (Result<void> checked = CheckApplied(child, FieldType(type, name), at); !checked)
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
      if (Result<void> checked = CheckApplied(item, *type.element, at); !checked) return checked;
    }
    std::ranges::sort(seen);
    if (std::ranges::adjacent_find(seen) != seen.end()) {
      return Wrong(path,
                   fmt::format("duplicate entries for key {}", *std::ranges::adjacent_find(seen)));
    }
    return {};
  }
  if (!IsScalarOf(value, type.kind)) return Wrong(path, "a value of another type is expected");
  return {};
}

FieldSet FieldsOf(const json::value& value, const TypeSchema& type) {
  const Form form = FormOf(type, value);
  FieldSet set{.member = form == Form::kWhole};
  if (set.member) return set;
  const Children children(type, form, &value);
  for (const std::string& element : children.order) {
    const json::value* only = children.Only(element);
    FieldSet child = only == nullptr ? FieldSet() : FieldsOf(*only, TypeBelow(type, element));
    const bool empty =
        only != nullptr && (only->is_null() || (only->is_object() && FieldsIn(only).empty()));
    if (form == Form::kItems || empty || !IsNamed(type, element.substr(2))) child.member = true;
    set.Add(element, std::move(child));
  }
  return set;
}

json::value MergeApplied(const json::value& live, const json::value& applied,
                         const TypeSchema& type) {
  const Form form = FormOf(type, applied);
  const bool nothing = FieldsIn(&live).empty() && FieldsIn(&applied).empty() &&
                       ItemsIn(&live).empty() && ItemsIn(&applied).empty();
  if (form == Form::kWhole || form != FormOf(type, live) || nothing) return applied;
  if (form == Form::kItems) return MergeItems(live, applied, type);
  json::object out = FieldsIn(&live);
  for (const auto& [name, value] : FieldsIn(&applied)) {
    json::value* present = out.if_contains(name);
    out[name] = present == nullptr ? value : MergeApplied(*present, value, FieldType(type, name));
  }
  return out;
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
  FieldSet named{.member = set.member};
  for (const auto& [element, child] : set.children) {
    FieldSet copy = WithNamedFields(child, TypeBelow(type, element));
    if (element.starts_with("f:") && !child.children.empty() && IsNamed(type, element.substr(2))) {
      copy.member = true;
    }
    named.children.emplace(element, std::move(copy));
  }
  return named;
}

}  // namespace basalt::apiserver
