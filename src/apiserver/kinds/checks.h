#pragma once

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <set>
#include <string>
#include <string_view>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"
#include "apiserver/object/object.h"

// What the checks of many kinds share.
namespace basalt::apiserver {

// Field paths in messages: spec.containers[0].resources.limits[cpu].
inline std::string Sub(std::string_view path, std::string_view field) {
  return path.empty() ? std::string(field) : fmt::format("{}.{}", path, field);
}
inline std::string At(std::string_view path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}
inline std::string Key(std::string_view path, std::string_view key) {
  return fmt::format("{}[{}]", path, key);
}

// An empty list where there is none.
inline const json::array& ListOf(const json::object& object, std::string_view field) {
  return ListAt(object, {field});
}
// An empty object where there is none.
const json::object& ObjectOf(const json::object& object, std::string_view field);

// The names of a list's elements: lists are as long as their client likes, so looking one up must
// not walk them.
using NameSet = std::set<std::string_view>;
NameSet NamesIn(const json::array& list);

// Calls `see` with each object of the list `field` and its path.
template <class See>
void ForEachIn(const json::object& holder, std::string_view field, const std::string& path,
               See see) {
  const json::array& list = ListOf(holder, field);
  for (std::size_t i = 0; i < list.size(); ++i) {
    see(AsObject(list[i]), At(Sub(path, field), i));
  }
}

// Whether status.conditions has one of this type and status.
bool HasCondition(const json::object& object, std::string_view type,
                  std::string_view status = "True");

// Puts `value` under `key` unless there is something: decoding has dropped what Go cannot tell from
// absent, so that a zero or an empty string here is one that somebody wrote.
void SetDefault(json::object& object, std::string_view key, json::value value);

// The number in front of the percent sign; -1 where there is none.
int PercentOf(const json::value& value);

// The fields in which two values of a type differ, for a refusal that says what may not change:
// ".nodeName, .containers[name="c"].command".
std::string ChangedFields(const json::object& before, const json::object& after,
                          std::string_view type);

// Whether a metav1.LabelSelector, null included, selects the labels. One that is not well-formed
// selects nothing.
bool SelectorMatches(const json::object* selector, const json::object* labels);
// That a workload selects the pods of its template.
void CheckSelected(const json::object& spec, FieldErrors& errors);

}  // namespace basalt::apiserver
