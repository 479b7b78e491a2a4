// Nodes, namespaces, priority classes, leases, services, network policies.

#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void FillNode(json::object& node) {
  // What a node has, pods may have, unless it says otherwise.
  json::object& status = Child(node, "status");
  const json::object capacity = ObjectOf(status, "capacity");
  for (const auto& [name, amount] : capacity) {
    SetDefault(Child(status, "allocatable"), name, amount);
  }
  json::object& spec = Child(node, "spec");
  const std::string cidr(GetString(spec, {"podCIDR"}));
  if (!cidr.empty()) SetDefault(spec, "podCIDRs", json::array{json::string(cidr)});
}

void CheckNode(const json::object& node, const std::string& /*path*/, FieldErrors& errors) {
  for (const std::string_view list : {"capacity", "allocatable"}) {
    for (const auto& [name, amount] : ObjectOf(ObjectOf(node, "status"), list)) {
      ValidateResourceQuantity(name, amount, Sub(Sub("status", list), name), errors);
    }
  }
}

void FillNamespace(json::object& object) {
  const std::string name(Name(object));
  if (!name.empty()) Child(Metadata(object), "labels")["kubernetes.io/metadata.name"] = name;
}

void PrepareNamespace(json::object& object, Time /*now*/) {
  FillNamespace(object);
  object["status"] = {{"phase", "Active"}};
  AddToList(Child(object, "spec"), "finalizers", "kubernetes");
}

// Only the namespace controller, through its own subresource, takes finalizers away.
void PrepareNamespaceUpdate(json::object& object, const json::object& old) {
  Restore(object, old, "spec");
}

void PreparePriorityClass(json::object& object, Time /*now*/) {
  Metadata(object)["generation"] = 1;
}

void CheckPriorityClass(const json::object& object, const std::string& /*path*/,
                        FieldErrors& errors) {
  const std::string_view name = Name(object);
  const std::int64_t value = GetInt(object, {"value"});
  const std::int64_t of_system = name == "system-node-critical"      ? 2000001000
                                 : name == "system-cluster-critical" ? 2000000000
                                                                     : 0;
  if (name.starts_with("system-") && (of_system == 0 || value != of_system)) {
    errors.Forbidden("metadata.name",
                     "names with the prefix 'system-' are for system-node-critical (2000001000) "
                     "and system-cluster-critical (2000000000) alone");
  } else if (of_system == 0 && value > 1'000'000'000) {
    errors.Forbidden("value", "maximum allowed value of a user defined priority is 1000000000");
  }
}

// Coordinated leader election is behind a feature gate that is off by default.
void FillLease(json::object& object) {
  json::object& spec = Child(object, "spec");
  spec.erase("strategy");
  spec.erase("preferredHolder");
}

void FillServicePort(json::object& port) {
  const json::value* target = Find(port, {"targetPort"});
  const bool unset = target == nullptr || *target == 0 || *target == "";
  if (unset) port["targetPort"] = GetInt(port, {"port"});
}

void FillServiceSpec(json::object& spec) {
  const std::string address(GetString(spec, {"clusterIP"}));
  if (GetString(spec, {"type"}) == "ExternalName" || address.empty()) return;
  if (ListOf(spec, "clusterIPs").empty()) spec["clusterIPs"] = {json::string(address)};
}

// Where there are several ports each has a name.
void CheckServiceSpec(const json::object& spec, const std::string& path, FieldErrors& errors) {
  if (ListOf(spec, "ports").size() < 2) return;
  ForEachIn(spec, "ports", path, [&](const json::object& port, const std::string& at) {
    if (GetString(port, {"name"}).empty()) errors.Required(Sub(at, "name"));
  });
}

// An address stays where an update does not name it.
void PrepareServiceUpdate(json::object& object, const json::object& old) {
  json::object& spec = Child(object, "spec");
  if (GetString(spec, {"type"}) == "ExternalName") return;
  for (const std::string_view field : {"clusterIP", "clusterIPs"}) {
    if (Find(spec, {field}) == nullptr) Restore(spec, ObjectOf(old, "spec"), field);
  }
}

void FillNetworkPolicySpec(json::object& spec) {
  if (!ListOf(spec, "policyTypes").empty()) return;
  AddToList(spec, "policyTypes", "Ingress");
  if (!ListOf(spec, "egress").empty()) AddToList(spec, "policyTypes", "Egress");
}

}  // namespace

std::span<const Hooks> ClusterHooks() {
  static constexpr Hooks kHooks[] = {
      {.type = "core.Node", .fill = FillNode, .check = CheckNode},
      {.type = "core.Namespace",
       .fill = FillNamespace,
       .prepare_create = PrepareNamespace,
       .prepare_update = PrepareNamespaceUpdate},
      {.type = "scheduling.PriorityClass",
       .check = CheckPriorityClass,
       .prepare_create = PreparePriorityClass},
      {.type = "coordination.Lease", .fill = FillLease},
      {.type = "core.Service", .prepare_update = PrepareServiceUpdate},
      {.type = "core.ServicePort", .fill = FillServicePort},
      {.type = "core.ServiceSpec", .fill = FillServiceSpec, .check = CheckServiceSpec},
      {.type = "networking.NetworkPolicySpec", .fill = FillNetworkPolicySpec},
  };
  return kHooks;
}

}  // namespace basalt::apiserver
