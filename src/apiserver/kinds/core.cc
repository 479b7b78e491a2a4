// Node and Namespace.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <set>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void FillNode(json::object& node) {
  // What a node has, pods may have, unless it says otherwise.
  json::object& status = Child(node, "status");
  if (const json::object* capacity = FindObject(status, {"capacity"})) {
    const json::object copy = *capacity;
    for (const auto& [name, amount] : copy) SetDefault(Child(status, "allocatable"), name, amount);
  }
  json::object& spec = Child(node, "spec");
  const std::string cidr(GetString(spec, {"podCIDR"}));
  if (!cidr.empty()) SetDefault(spec, "podCIDRs", json::array{json::string(cidr)});
}

void CheckTaints(const json::object& node, FieldErrors& errors) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  const json::array& taints = ListAt(node, {"spec", "taints"});
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const json::object& taint = AsObject(taints[i]);
    const std::string at = At("metadata.taints", i);
    const std::string_view key = GetString(taint, {"key"});
    const std::string_view value = GetString(taint, {"value"});
    const std::string_view effect = GetString(taint, {"effect"});
    AddInvalid(Sub(at, "key"), key, syntax::LabelKey(key), errors);
    AddInvalid(Sub(at, "value"), value, syntax::LabelValue(value), errors);
    if (effect.empty()) {
      errors.Required(Sub(at, "effect"));
    } else if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute") {
      errors.NotSupported(Sub(at, "effect"), effect,
                          {"NoSchedule", "PreferNoSchedule", "NoExecute"});
    }
    if (!seen.emplace(effect, key).second) errors.Duplicate(at, taint);
  }
}

void CheckNode(const json::object& node, FieldErrors& errors) {
  CheckTaints(node, errors);
  for (const std::string_view list : {"capacity", "allocatable"}) {
    for (const auto& [name, amount] : ObjectOf(ObjectOf(node, "status"), list)) {
      ValidateResourceQuantity(name, amount, Sub(Sub("status", list), name), errors);
    }
  }
}

void CheckNodeUpdate(const json::object& node, const json::object& old, FieldErrors& errors) {
  CheckTaints(node, errors);  // on update Kubernetes looks at them twice
  const json::object& spec = ObjectOf(node, "spec");
  for (const std::string_view field : {"podCIDRs", "providerID"}) {
    const json::value* before = Find(old, {"spec", field});
    const json::value* now = Find(spec, {field});
    if (before == nullptr || (now != nullptr && *now == *before)) continue;
    errors.Forbidden(Sub("spec", field), "may not change once it is set");
  }
}

void FillNamespace(json::object& object) {
  const std::string name(Name(object));
  if (!name.empty()) Child(Metadata(object), "labels")["kubernetes.io/metadata.name"] = name;
}

void PrepareNamespace(json::object& object, Time /*now*/) {
  FillNamespace(object);
  object["status"] = {{"phase", "Active"}};
  json::value& list = Child(object, "spec")["finalizers"];
  if (!list.is_array()) list.emplace_array();
  json::array& finalizers = list.get_array();
  if (std::ranges::find(finalizers, json::value("kubernetes")) == finalizers.end()) {
    finalizers.emplace_back("kubernetes");
  }
}

// Only the namespace controller, through its own subresource, takes finalizers away.
void PrepareNamespaceUpdate(json::object& object, const json::object& old) {
  Restore(object, old, "spec");
}

void CheckNamespace(const json::object& object, FieldErrors& errors) {
  for (const json::value& finalizer : ListAt(object, {"spec", "finalizers"})) {
    const std::string_view name = AsText(finalizer);
    if (name.find('/') == name.npos && name != "kubernetes") {
      errors.Invalid("spec.finalizers", name,
                     "name is neither a standard finalizer name nor is it fully qualified");
    }
  }
}

bool NamespaceFieldValue(const json::object& object, std::string_view field, std::string& value) {
  if (field != "name") return false;
  value = Name(object);
  return true;
}

}  // namespace

std::span<const KindHooks> CoreKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "core.Node", .fill = FillNode, .check = CheckNode, .check_update = CheckNodeUpdate},
      {.type = "core.Namespace",
       .fill = FillNamespace,
       .prepare_create = PrepareNamespace,
       .prepare_update = PrepareNamespaceUpdate,
       .check = CheckNamespace,
       .field_value = NamespaceFieldValue},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
