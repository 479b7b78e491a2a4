// Node and Namespace.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <set>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"

namespace basalt::apiserver {
namespace {

class NodeRules final : public BuiltinRules {
 public:
  NodeRules() : BuiltinRules(*FindBuiltinType("core.Node"), {.namespaced = false}) {}

  void Default(json::object& node) const override {
    // What a node has, pods may have, unless it says otherwise.
    json::object& status = Child(node, "status");
    const json::object* capacity = FindObject(status, {"capacity"});
    if (capacity != nullptr && FindObject(status, {"allocatable"}) == nullptr) {
      status["allocatable"] = json::object(*capacity);
    } else if (capacity != nullptr) {
      const json::object copy = *capacity;
      for (const auto& [name, amount] : copy)
        SetDefault(Child(status, "allocatable"), name, amount);
    }
    json::object& spec = Child(node, "spec");
    const std::string cidr(GetString(spec, {"podCIDR"}));
    if (!cidr.empty() && FindArray(spec, {"podCIDRs"}) == nullptr) {
      spec["podCIDRs"] = {json::string(cidr)};
    }
  }

  // A kubelet registers its node complete with status.
  void PrepareForCreate(json::object& /*node*/, Time /*now*/) const override {}

  void CheckCreate(const json::object& node, FieldErrors& errors) const override {
    CheckTaints(ListOf(ObjectOf(node, "spec"), "taints"), errors);
    for (const std::string_view list : {"capacity", "allocatable"}) {
      for (const auto& [name, amount] : ObjectOf(ObjectOf(node, "status"), list)) {
        ValidateResourceQuantity(name, amount, Sub(Sub("status", list), name), errors);
      }
    }
    const json::array& cidrs = ListOf(ObjectOf(node, "spec"), "podCIDRs");
    for (std::size_t i = 0; i < cidrs.size(); ++i) {
      const std::string_view cidr = AsText(cidrs[i]);
      const std::size_t slash = cidr.find('/');
      if (slash == cidr.npos || !syntax::IsIpAddress(cidr.substr(0, slash))) {
        errors.Invalid(At("spec.podCIDRs", i), cidr,
                       "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
      }
    }
  }

  void CheckUpdate(const json::object& node, const json::object& old,
                   FieldErrors& errors) const override {
    CheckCreate(node, errors);
    CheckTaints(ListOf(ObjectOf(node, "spec"), "taints"), errors);
    const json::object& spec = ObjectOf(node, "spec");
    const json::object& old_spec = ObjectOf(old, "spec");
    if (!ListOf(old_spec, "podCIDRs").empty() &&
        ListOf(old_spec, "podCIDRs") != ListOf(spec, "podCIDRs")) {
      errors.Forbidden("spec.podCIDRs",
                       "node updates may not change podCIDR except from \"\" to valid");
    }
    const std::string_view provider = GetString(old_spec, {"providerID"});
    if (!provider.empty() && provider != GetString(spec, {"providerID"})) {
      errors.Forbidden("spec.providerID",
                       "node updates may not change providerID except from \"\" to valid");
    }
  }

  json::array Cells(const json::object& node, Time now) const override {
    const auto known = [](std::string_view text) {
      return json::string(text.empty() ? "<unknown>" : text);
    };
    return {json::string(Name(node)),
            json::string(StatusText(node)),
            json::string(Roles(node)),
            json::string(Age(node, now)),
            json::string(GetString(node, {"status", "nodeInfo", "kubeletVersion"})),
            json::string(Address(node, "InternalIP")),
            json::string(Address(node, "ExternalIP")),
            known(GetString(node, {"status", "nodeInfo", "osImage"})),
            known(GetString(node, {"status", "nodeInfo", "kernelVersion"})),
            known(GetString(node, {"status", "nodeInfo", "containerRuntimeVersion"}))};
  }

  bool FieldValue(const json::object& node, std::string_view field,
                  std::string& value) const override {
    if (field != "spec.unschedulable") return false;
    value = GetBool(node, {"spec", "unschedulable"}) ? "true" : "false";
    return true;
  }

 private:
  static void CheckTaints(const json::array& taints, FieldErrors& errors) {
    std::set<std::string> seen;
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
      if (!seen.insert(fmt::format("{}/{}", effect, key)).second) {
        FieldErrors one;
        one.Duplicate(at, taint);
        FieldError error = one.all().front();
        error.detail += ": taints must be unique by key and effect pair";
        errors.Add(std::move(error));
      }
    }
  }

  static std::string StatusText(const json::object& node) {
    std::string text = "Unknown";
    for (const json::value& item : ListOf(ObjectOf(node, "status"), "conditions")) {
      const json::object& condition = AsObject(item);
      if (GetString(condition, {"type"}) != "Ready") continue;
      text = GetString(condition, {"status"}) == "True" ? "Ready" : "NotReady";
    }
    if (GetBool(node, {"spec", "unschedulable"})) text += ",SchedulingDisabled";
    return text;
  }

  static std::string Roles(const json::object& node) {
    constexpr std::string_view kRolePrefix = "node-role.kubernetes.io/";
    std::set<std::string> roles;
    for (const auto& [label, value] : ObjectOf(ObjectOf(node, "metadata"), "labels")) {
      const std::string_view key = label;
      if (key.starts_with(kRolePrefix)) {
        if (key.size() > kRolePrefix.size()) roles.emplace(key.substr(kRolePrefix.size()));
      } else if (key == "kubernetes.io/role" && !AsText(value).empty()) {
        roles.emplace(AsText(value));
      }
    }
    return roles.empty() ? "<none>" : fmt::format("{}", fmt::join(roles, ","));
  }

  static std::string Address(const json::object& node, std::string_view type) {
    for (const json::value& item : ListOf(ObjectOf(node, "status"), "addresses")) {
      if (GetString(AsObject(item), {"type"}) == type) {
        return std::string(GetString(AsObject(item), {"address"}));
      }
    }
    return "<none>";
  }
};

syntax::Complaints NamespaceName(std::string_view name, bool prefix) {
  if (name.find('.') != name.npos && syntax::NameIsDnsSubdomain(name, prefix).empty()) {
    return {"must not contain dots"};
  }
  return syntax::NameIsDnsLabel(name, prefix);
}

class NamespaceRules final : public BuiltinRules {
 public:
  NamespaceRules()
      : BuiltinRules(
            *FindBuiltinType("core.Namespace"),
            {.namespaced = false, .name_check = NamespaceName, .checks_all_on_update = false}) {}

  void Default(json::object& object) const override {
    const std::string name(Name(object));
    if (!name.empty()) {
      Child(Metadata(object), "labels")["kubernetes.io/metadata.name"] = name;
    }
  }

  void PrepareForCreate(json::object& object, Time /*now*/) const override {
    Child(Metadata(object), "labels")["kubernetes.io/metadata.name"] = std::string(Name(object));
    object["status"] = {{"phase", "Active"}};
    json::array& finalizers = [&]() -> json::array& {
      json::value& list = Child(object, "spec")["finalizers"];
      if (!list.is_array()) list.emplace_array();
      return list.get_array();
    }();
    if (std::ranges::find(finalizers, json::value("kubernetes")) == finalizers.end()) {
      finalizers.emplace_back("kubernetes");
    }
  }

  // Only the namespace controller, through its own subresource, takes finalizers away.
  void PrepareForUpdate(json::object& object, const json::object& old, Time now) const override {
    BuiltinRules::PrepareForUpdate(object, old, now);
    if (const json::value* spec = old.if_contains("spec")) object["spec"] = *spec;
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    for (const json::value& finalizer : ListOf(ObjectOf(object, "spec"), "finalizers")) {
      const std::string_view name = AsText(finalizer);
      if (name.find('/') == name.npos && name != "kubernetes") {
        errors.Invalid("spec.finalizers", name,
                       "name is neither a standard finalizer name nor is it fully qualified");
      }
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)), json::string(GetString(object, {"status", "phase"})),
            json::string(Age(object, now))};
  }

  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override {
    if (field == "name") {
      value = Name(object);
      return true;
    }
    if (field != "status.phase") return false;
    value = GetString(object, {"status", "phase"});
    return true;
  }
};

}  // namespace

std::shared_ptr<const KindRules> NodeRulesInstance() { return std::make_shared<NodeRules>(); }
std::shared_ptr<const KindRules> NamespaceRulesInstance() {
  return std::make_shared<NamespaceRules>();
}

}  // namespace basalt::apiserver
