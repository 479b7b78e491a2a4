#include "apiserver/kinds/checks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "apiserver/apply/merge.h"
#include "apiserver/schema/type_schema.h"
#include "base/check.h"

namespace basalt::apiserver {

std::span<json::value> ListIn(json::object& object, std::string_view field) {
  json::array* list = FindArray(object, {field});
  return list == nullptr ? std::span<json::value>() : std::span(list->data(), list->size());
}

const json::object& ObjectOf(const json::object& object, std::string_view field) {
  static const json::object kNone;
  const json::object* found = FindObject(object, {field});
  return found ? *found : kNone;
}

NameSet NamesIn(const json::array& list) {
  NameSet names;
  for (const json::value& item : list) names.insert(GetString(AsObject(item), {"name"}));
  return names;
}

const json::value* Follow(const json::object& object, const Path& path) {
  const json::object* at = &object;
  const json::value* found = nullptr;
  for (const std::string& field : path) {
    found = at == nullptr ? nullptr : at->if_contains(field);
    if (found == nullptr) return nullptr;
    at = found->if_object();
  }
  return found;
}

std::string TextOf(const json::value& value) {
  if (value.is_bool()) return value.get_bool() ? "true" : "false";
  return value.is_int64() ? std::to_string(value.get_int64()) : std::string(AsText(value));
}

bool IsThere(const json::value* value) {
  if (value == nullptr || value->is_null()) return false;
  if (value->is_string()) return !value->get_string().empty();
  return !value->is_array() || !value->get_array().empty();
}

void RequireUnchanged(const json::value* now, const json::value* before, const std::string& path,
                      FieldErrors& errors, bool forbidden) {
  constexpr std::string_view kWhy = "field is immutable";
  const json::value nothing;
  if ((now ? *now : nothing) == (before ? *before : nothing)) return;
  forbidden ? errors.Forbidden(path, kWhy) : errors.Invalid(path, now ? *now : nothing, kWhy);
}

bool HasCondition(const json::object& object, std::string_view type, std::string_view status) {
  const json::array& conditions = ListAt(object, {"status", "conditions"});
  return std::ranges::any_of(conditions, [&](const json::value& item) {
    const json::object& condition = AsObject(item);
    return GetString(condition, {"type"}) == type && GetString(condition, {"status"}) == status;
  });
}

void SetDefault(json::object& object, std::string_view key, json::value value) {
  const json::value* found = object.if_contains(key);
  if (found == nullptr || found->is_null()) object[key] = std::move(value);
}

void AddToList(json::object& object, std::string_view field, std::string_view text) {
  json::value& list = object[field];
  if (!list.is_array()) list.emplace_array();
  const json::value wanted(text);
  json::array& items = list.get_array();
  if (std::ranges::find(items, wanted) == items.end()) items.push_back(wanted);
}

int PercentOf(const json::value& value) {
  if (!value.is_string()) return -1;
  std::string_view text = value.get_string();
  if (!text.ends_with('%')) return -1;
  text.remove_suffix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return -1;
  int percent = -1;
  std::from_chars(text.data(), text.data() + text.size(), percent);
  return percent;
}

std::string ChangedFields(const json::object& before, const json::object& after,
                          std::string_view type) {
  const TypeSchema* schema = FindBuiltinType(type);
  BASALT_CHECK(schema != nullptr);
  const Comparison changes = Compare(before, after, *schema);
  const FieldSet all = changes.removed | changes.set;
  return fmt::format("{}", fmt::join(all.Paths(), ", "));
}

kube::StringMap LabelsOf(const json::object* labels) {
  std::vector<kube::StringMap::Entry> entries;
  if (labels != nullptr) {
    for (const auto& [key, value] : *labels) entries.push_back({key, AsText(value)});
  }
  return kube::StringMap(std::move(entries));
}

std::optional<kube::LabelSelector> SelectorOf(const json::object* selector) {
  using Operator = kube::LabelRequirement::Operator;
  constexpr std::pair<std::string_view, Operator> kOperators[] = {
      {"In", Operator::kIn},
      {"NotIn", Operator::kNotIn},
      {"Exists", Operator::kExists},
      {"DoesNotExist", Operator::kDoesNotExist}};
  if (selector == nullptr) return std::nullopt;
  kube::LabelSelector result =
      kube::LabelSelector::OfLabels(LabelsOf(FindObject(*selector, {"matchLabels"})));
  for (const json::value& item : ListOf(*selector, "matchExpressions")) {
    const json::object& expression = AsObject(item);
    const auto* const known = std::ranges::find(kOperators, GetString(expression, {"operator"}),
                                                &std::pair<std::string_view, Operator>::first);
    if (known == std::end(kOperators)) return std::nullopt;
    std::vector<std::string> values;
    for (const json::value& value : ListOf(expression, "values"))
      values.emplace_back(AsText(value));
    result.Add({.key = std::string(GetString(expression, {"key"})),
                .op = known->second,
                .values = std::move(values)});
  }
  return result;
}

}  // namespace basalt::apiserver
