// Service and Endpoints. There is no cluster network: a service keeps the address that it asks for,
// or gets none.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"

namespace basalt::apiserver {
namespace {

syntax::Complaints ServiceName(std::string_view name, bool prefix) {
  return syntax::NameIsDnsLabel(name, prefix);
}

class ServiceRules final : public BuiltinRules {
 public:
  ServiceRules() : BuiltinRules(*FindBuiltinType("core.Service"), {.name_check = ServiceName}) {}

  void Default(json::object& object) const override {
    json::object& spec = Child(object, "spec");
    SetDefault(spec, "sessionAffinity", "None");
    SetDefault(spec, "type", "ClusterIP");
    if (GetString(spec, {"sessionAffinity"}) == "ClientIP") {
      json::object& config = Child(Child(spec, "sessionAffinityConfig"), "clientIP");
      SetDefault(config, "timeoutSeconds", 10800);
    }
    if (json::array* ports = FindArray(spec, {"ports"})) {
      for (json::value& item : *ports) {
        json::object& port = AsObject(item);
        SetDefault(port, "protocol", "TCP");
        const json::value* target = Find(port, {"targetPort"});
        const bool unset = target == nullptr || *target == 0 || *target == "";
        if (unset) port["targetPort"] = GetInt(port, {"port"});
      }
    }
    const std::string_view type = GetString(spec, {"type"});
    if (type == "ExternalName") return;
    SetDefault(spec, "internalTrafficPolicy", "Cluster");
    if (type == "NodePort" || type == "LoadBalancer") {
      SetDefault(spec, "externalTrafficPolicy", "Cluster");
    }
    if (type == "LoadBalancer") SetDefault(spec, "allocateLoadBalancerNodePorts", true);
    if (ListOf(spec, "ipFamilies").empty()) spec["ipFamilies"] = {json::string("IPv4")};
    SetDefault(spec, "ipFamilyPolicy", "SingleStack");
    const std::string address(GetString(spec, {"clusterIP"}));
    if (!address.empty() && ListOf(spec, "clusterIPs").empty()) {
      spec["clusterIPs"] = {json::string(address)};
    }
  }

  void PrepareForUpdate(json::object& object, const json::object& old, Time now) const override {
    BuiltinRules::PrepareForUpdate(object, old, now);
    json::object& spec = Child(object, "spec");
    if (GetString(spec, {"type"}) == "ExternalName") return;
    // An address stays where an update does not name it.
    for (const std::string_view field : {"clusterIP", "clusterIPs"}) {
      const json::value* before = Find(old, {"spec", field});
      if (Find(spec, {field}) == nullptr && before != nullptr) spec[field] = *before;
    }
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    const std::string_view type = GetString(spec, {"type"});
    const json::array& ports = ListOf(spec, "ports");
    const bool headless = GetString(spec, {"clusterIP"}) == "None";
    if (ports.empty() && !headless && type != "ExternalName") errors.Required("spec.ports");
    if (type == "ExternalName" && GetString(spec, {"externalName"}).empty()) {
      errors.Required("spec.externalName");
    }
    for (std::size_t i = 0; i < ports.size(); ++i) {
      CheckPort(AsObject(ports[i]), At("spec.ports", i), ports.size() > 1, errors);
    }
    ValidateLabels(FindObject(spec, {"selector"}), "spec.selector", errors);
    RequireOneOf(spec, "sessionAffinity", "spec", {"ClientIP", "None"}, errors);
    RequireOneOf(spec, "type", "spec", {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"},
                 errors);
    const json::array& addresses = ListOf(spec, "clusterIPs");
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const std::string_view address = AsText(addresses[i]);
      if (address != "None" && !syntax::IsIpAddress(address)) {
        errors.Invalid(At("spec.clusterIPs", i), address,
                       "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
      }
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    const json::object& spec = ObjectOf(object, "spec");
    const std::string_view type = GetString(spec, {"type"});
    std::string ports;
    for (const json::value& item : ListOf(spec, "ports")) {
      const json::object& port = AsObject(item);
      if (!ports.empty()) ports += ",";
      const std::int64_t node_port = GetInt(port, {"nodePort"});
      ports += node_port != 0
                   ? fmt::format("{}:{}/{}", GetInt(port, {"port"}), node_port,
                                 GetString(port, {"protocol"}))
                   : fmt::format("{}/{}", GetInt(port, {"port"}), GetString(port, {"protocol"}));
    }
    std::string external;
    for (const json::value& address : ListOf(spec, "externalIPs")) {
      if (!external.empty()) external += ",";
      external += AsText(address);
    }
    if (type == "ExternalName") external = GetString(spec, {"externalName"});
    if (external.empty()) external = type == "LoadBalancer" ? "<pending>" : "<none>";
    return {json::string(Name(object)),
            json::string(type),
            json::string(OrNone(GetString(spec, {"clusterIP"}))),
            json::string(external),
            json::string(OrNone(ports)),
            json::string(Age(object, now)),
            json::string(LabelsText(FindObject(spec, {"selector"})))};
  }

  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override {
    for (const std::string_view known : {"clusterIP", "type"}) {
      if (field != Sub("spec", known)) continue;
      value = GetString(object, {"spec", known});
      return true;
    }
    return false;
  }

 private:
  static void CheckPort(const json::object& port, const std::string& at, bool name_required,
                        FieldErrors& errors) {
    const std::string_view name = GetString(port, {"name"});
    if (name.empty()) {
      if (name_required) errors.Required(Sub(at, "name"));
    } else {
      AddInvalid(Sub(at, "name"), name, syntax::Dns1123Label(name), errors);
    }
    const std::int64_t number = GetInt(port, {"port"});
    AddInvalid(Sub(at, "port"), number, syntax::PortNumber(number), errors);
    RequireOneOf(port, "protocol", at, {"SCTP", "TCP", "UDP"}, errors);
    const json::value* target = Find(port, {"targetPort"});
    if (target == nullptr) return;
    if (target->is_string()) {
      AddInvalid(Sub(at, "targetPort"), *target, syntax::PortName(target->get_string()), errors);
    } else {
      AddInvalid(Sub(at, "targetPort"), *target, syntax::PortNumber(GetInt(port, {"targetPort"})),
                 errors);
    }
  }
};

class EndpointsRules final : public BuiltinRules {
 public:
  EndpointsRules() : BuiltinRules(*FindBuiltinType("core.Endpoints"), {}) {}

  void Default(json::object& object) const override {
    json::array* subsets = FindArray(object, {"subsets"});
    if (subsets == nullptr) return;
    for (json::value& subset : *subsets) {
      json::array* ports = FindArray(AsObject(subset), {"ports"});
      if (ports == nullptr) continue;
      for (json::value& port : *ports) SetDefault(AsObject(port), "protocol", "TCP");
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> all;
    for (const json::value& item : ListOf(object, "subsets")) {
      const json::object& subset = AsObject(item);
      const json::array& ports = ListOf(subset, "ports");
      for (const json::value& address : ListOf(subset, "addresses")) {
        const std::string_view ip = GetString(AsObject(address), {"ip"});
        if (ports.empty()) all.emplace_back(ip);
        for (const json::value& port : ports) {
          all.push_back(fmt::format("{}:{}", ip, GetInt(AsObject(port), {"port"})));
        }
      }
    }
    const std::size_t more = all.size() > kMost ? all.size() - kMost : 0;
    all.resize(std::min(all.size(), kMost));
    std::string text = OrNone(fmt::format("{}", fmt::join(all, ",")));
    if (more > 0) text += fmt::format(" + {} more...", more);
    return {json::string(Name(object)), json::string(text), json::string(Age(object, now))};
  }
};

}  // namespace

std::shared_ptr<const KindRules> ServiceRulesInstance() { return std::make_shared<ServiceRules>(); }
std::shared_ptr<const KindRules> EndpointsRulesInstance() {
  return std::make_shared<EndpointsRules>();
}

}  // namespace basalt::apiserver
