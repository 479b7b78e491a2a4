#pragma once

#include <fmt/format.h>

#include <set>
#include <span>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"
#include "apiserver/object/object.h"
#include "kube/types/quantity.h"
#include "kube/types/selector.h"
#include "kube/types/string_map.h"

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
// The same to be written to; what is there for want of a list is nowhere.
std::span<json::value> ListIn(json::object& object, std::string_view field);
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

// A field by the names on the way to it, null where there is none.
using Path = std::vector<std::string>;
const json::value* Follow(const json::object& object, const Path& path);
// A string, a truth or a number as text.
std::string TextOf(const json::value& value);
// Not absent, and no empty string or list.
bool IsThere(const json::value* value);

// What a text is expected to be that is not of a format (syntax.cc has them all); nothing: it is.
std::string_view Misfit(std::string_view format, std::string_view text);
bool IsFormat(std::string_view name);
// Adds a complaint of kind Invalid where there is one.
inline void AddInvalid(const std::string& path, const QuotedValue& value,
                       std::string_view complaint, FieldErrors& errors) {
  if (!complaint.empty()) errors.Invalid(path, value, complaint);
}
// "field is immutable" where the two differ; a missing value counts as null.
void RequireUnchanged(const json::value* now, const json::value* before, const std::string& path,
                      FieldErrors& errors, bool forbidden = false);

// Whether status.conditions has one of this type and status.
bool HasCondition(const json::object& object, std::string_view type,
                  std::string_view status = "True");

// Puts `value` under `key` unless there is something: decoding has dropped what Go cannot tell from
// absent, so that a zero or an empty string here is one that the client wrote.
void SetDefault(json::object& object, std::string_view key, json::value value);

// Adds a text to the list `field` unless it is in it.
void AddToList(json::object& object, std::string_view field, std::string_view text);

// The number in front of the percent sign; -1 where there is none.
int PercentOf(const json::value& value);

// The fields in which two values of a type differ, for a refusal that says what may not change:
// ".nodeName, .containers[name="c"].command".
std::string ChangedFields(const json::object& before, const json::object& after,
                          std::string_view type);

// A metav1.LabelSelector; nothing where there is none, or none that is well-formed: it selects
// nothing then.
std::optional<kube::LabelSelector> SelectorOf(const json::object* selector);
kube::StringMap LabelsOf(const json::object* labels);
inline bool SelectorMatches(const json::object* selector, const json::object* labels) {
  return kube::Matches(SelectorOf(selector), LabelsOf(labels));
}

// metadata of any object, built-in or not: name, generateName, namespace, labels, annotations,
// owner references, finalizers.
void ValidateObjectMeta(const json::object& object, bool namespaced, std::string_view name_format,
                        FieldErrors& errors);
// What may not change once it is written.
void ValidateObjectMetaUpdate(const json::object& object, const json::object& old,
                              FieldErrors& errors);
// Built-in kinds allow only finalizers with a domain, and three of Kubernetes' own.
void ValidateFinalizerNames(const json::object& object, FieldErrors& errors);

// Parts of the above that templates need too.
void ValidateLabels(const json::object* labels, const std::string& path, FieldErrors& errors);
void ValidateAnnotations(const json::object* annotations, const std::string& path,
                         FieldErrors& errors);

// requests and limits of a container (or of a claim template, without limits on names).
void ValidateResourceRequirements(const json::object& resources, const json::object& pod_spec,
                                  const std::string& path, FieldErrors& errors);
// Not negative, and whole where the resource has no halves.
void ValidateResourceQuantity(std::string_view name, const json::value& quantity,
                              const std::string& path, FieldErrors& errors);

// One that Kubernetes itself knows: "cpu", "pods", "requests.memory", "hugepages-2Mi".
bool IsStandardResource(std::string_view name);
// "Guaranteed", "Burstable" or "BestEffort".
std::string_view QosClass(const json::object& pod_spec);

// The amount under `name`, if there is one.
std::optional<kube::Quantity> FindQuantity(const json::object* amounts, std::string_view name);

// What is special about a type and no property of a field (fields.txt). Each runs beside what all
// types have in common, not instead of it; only the first two of types that are no kinds.
struct Hooks {
  std::string_view type;
  // After the rows of the type and of all in it.
  void (*fill)(json::object& value) = nullptr;
  void (*check)(const json::object& value, const std::string& path, FieldErrors& errors) = nullptr;
  void (*prepare_create)(json::object& object, Time now) = nullptr;
  void (*prepare_update)(json::object& object, const json::object& old) = nullptr;
  void (*prepare_status)(json::object& object, const json::object& old) = nullptr;
  void (*check_update)(const json::object& object, const json::object& old,
                       FieldErrors& errors) = nullptr;
  json::array (*cells)(const json::object& object, Time now) = nullptr;
  json::array (*row_conditions)(const json::object& object) = nullptr;
};
// Each in the file that its name says.
std::span<const Hooks> PodHooks();         // pod.cc
std::span<const Hooks> ClusterHooks();     // cluster.cc
std::span<const Hooks> EventHooks();       // event.cc
std::span<const Hooks> ConfigHooks();      // config.cc
std::span<const Hooks> WorkloadHooks();    // workloads.cc
std::span<const Hooks> DefinitionHooks();  // definition_rules.cc

// A pod's row in kubectl's table; pod_table.cc.
json::array PodCells(const json::object& pod, Time now);

// Those of all types.
const std::vector<Hooks>& AllHooks();

}  // namespace basalt::apiserver
