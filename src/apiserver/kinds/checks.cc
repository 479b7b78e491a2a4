#include "apiserver/kinds/checks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "apiserver/apply/merge.h"
#include "apiserver/schema/builtin_types.h"
#include "base/check.h"

namespace basalt::apiserver {

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
  const FieldSet all = changes.removed | changes.modified | changes.added;
  return fmt::format("{}", fmt::join(all.Paths(), ", "));
}

bool SelectorMatches(const json::object* selector, const json::object* labels) {
  if (selector == nullptr) return false;
  const auto label = [labels](std::string_view key) -> const json::value* {
    return labels == nullptr ? nullptr : labels->if_contains(key);
  };
  for (const auto& [key, value] : ObjectOf(*selector, "matchLabels")) {
    const json::value* found = label(key);
    if (found == nullptr || *found != value) return false;
  }
  for (const json::value& item : ListOf(*selector, "matchExpressions")) {
    const json::object& expression = AsObject(item);
    const json::value* found = label(GetString(expression, {"key"}));
    const std::string_view op = GetString(expression, {"operator"});
    const json::array& values = ListOf(expression, "values");
    const bool among = found != nullptr && std::ranges::find(values, *found) != values.end();
    const bool holds = op == "In"             ? among
                       : op == "NotIn"        ? !among
                       : op == "Exists"       ? found != nullptr
                       : op == "DoesNotExist" ? found == nullptr
                                              : false;
    if (!holds) return false;
  }
  return true;
}

void CheckSelected(const json::object& spec, FieldErrors& errors) {
  const json::value* labels = Find(spec, {"template", "metadata", "labels"});
  const json::object* selector = FindObject(spec, {"selector"});
  if (SelectorMatches(selector, labels ? labels->if_object() : nullptr)) return;
  errors.Invalid("spec.template.metadata.labels", labels ? *labels : json::value(),
                 "`selector` does not match template `labels`");
}

}  // namespace basalt::apiserver
