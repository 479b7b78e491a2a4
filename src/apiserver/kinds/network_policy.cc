// NetworkPolicy: stored and served. There is no cluster network that it would hold for.
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

class NetworkPolicyRules final : public BuiltinRules {
 public:
  NetworkPolicyRules()
      : BuiltinRules(*FindBuiltinType("networking.NetworkPolicy"), {.generation = true}) {}

  void Default(json::object& object) const override {
    json::object& spec = Child(object, "spec");
    SetDefault(spec, "podSelector", json::object());
    if (ListOf(spec, "policyTypes").empty()) {
      json::array types{"Ingress"};
      if (!ListOf(spec, "egress").empty()) types.push_back("Egress");
      spec["policyTypes"] = std::move(types);
    }
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    if (const json::object* selector = FindObject(spec, {"podSelector"})) {
      ValidateLabelSelector(*selector, "spec.podSelector", errors);
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)),
            json::string(SelectorText(FindObject(object, {"spec", "podSelector"}))),
            json::string(Age(object, now))};
  }
};

}  // namespace

std::shared_ptr<const KindRules> NetworkPolicyRulesInstance() {
  return std::make_shared<NetworkPolicyRules>();
}

}  // namespace basalt::apiserver
