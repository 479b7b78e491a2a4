// Services and network policies.
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

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

void CheckServiceSpec(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const bool external = GetString(spec, {"type"}) == "ExternalName";
  const json::array& ports = ListOf(spec, "ports");
  if (ports.empty() && !external && GetString(spec, {"clusterIP"}) != "None") {
    errors.Required(Sub(path, "ports"));
  }
  if (external && GetString(spec, {"externalName"}).empty()) {
    errors.Required(Sub(path, "externalName"));
  }
  for (std::size_t i = 0; ports.size() > 1 && i < ports.size(); ++i) {
    if (GetString(AsObject(ports[i]), {"name"}).empty()) {
      errors.Required(Sub(At(Sub(path, "ports"), i), "name"));
    }
  }
}

void FillNetworkPolicySpec(json::object& spec) {
  if (!ListOf(spec, "policyTypes").empty()) return;
  json::array types{"Ingress"};
  if (!ListOf(spec, "egress").empty()) types.push_back("Egress");
  spec["policyTypes"] = std::move(types);
}

constexpr TypeHooks kNetworkTypes[] = {
    {.type = "core.ServicePort", .fill = FillServicePort},
    {.type = "core.ServiceSpec", .fill = FillServiceSpec, .check = CheckServiceSpec},
    {.type = "networking.NetworkPolicySpec", .fill = FillNetworkPolicySpec},
};

// An address stays where an update does not name it.
void PrepareServiceUpdate(json::object& object, const json::object& old) {
  json::object& spec = Child(object, "spec");
  if (GetString(spec, {"type"}) == "ExternalName") return;
  for (const std::string_view field : {"clusterIP", "clusterIPs"}) {
    if (Find(spec, {field}) == nullptr) Restore(spec, ObjectOf(old, "spec"), field);
  }
}

}  // namespace

std::span<const TypeHooks> NetworkHooks() { return kNetworkTypes; }

std::span<const KindHooks> NetworkKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "core.Service", .prepare_update = PrepareServiceUpdate},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
