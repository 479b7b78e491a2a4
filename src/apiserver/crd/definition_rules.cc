#include "apiserver/crd/definition_rules.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/crd/custom_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

class Rules final : public KindRules {
 public:
  void Default(json::object& object) const override {
    json::object& spec = Child(object, "spec");
    if (json::object* names = FindObject(spec, {"names"})) {
      const std::string kind(GetString(*names, {"kind"}));
      if (GetString(*names, {"singular"}).empty()) (*names)["singular"] = ToLower(kind);
      if (GetString(*names, {"listKind"}).empty() && !kind.empty()) {
        (*names)["listKind"] = kind + "List";
      }
    }
    FillDefaults(object, Type());
  }

  void PrepareForCreate(json::object& object, Time /*now*/) const override {
    json::array stored;
    for (const json::value& version : ListAt(object, {"spec", "versions"})) {
      if (!GetBool(AsObject(version), {"storage"})) continue;
      stored.push_back(json::string(GetString(AsObject(version), {"name"})));
    }
    object["status"] = json::object{{"conditions", nullptr},
                                    {"acceptedNames", json::object{{"plural", ""}, {"kind", ""}}},
                                    {"storedVersions", std::move(stored)}};
    Metadata(object)["generation"] = 1;
  }

  void Validate(const json::object& object, FieldErrors& errors) const override {
    ValidateObjectMeta(object, false, syntax::NameIsDnsSubdomain, errors);
    ValidateSpec(object, errors);
  }

  void ValidateUpdate(const json::object& object, const json::object& old,
                      FieldErrors& errors) const override {
    ValidateObjectMetaUpdate(object, old, errors);
    ValidateSpec(object, errors);
    CheckImmutable(object, old, Type(), errors);
  }

 private:
  static const TypeSchema& Type() {
    return *FindBuiltinType("apiextensions.CustomResourceDefinition");
  }

  static void ValidateSpec(const json::object& object, FieldErrors& errors) {
    CheckDesired(object, Type(), errors);
    const std::string_view group = GetString(object, {"spec", "group"});
    const std::string_view plural = GetString(object, {"spec", "names", "plural"});
    if (Name(object) != fmt::format("{}.{}", plural, group)) {
      errors.Invalid("metadata.name", Name(object), "must be spec.names.plural+\".\"+spec.group");
    }
    if (!group.empty() && group.find('.') == group.npos) {
      errors.Invalid("spec.group", group, "should be a domain with at least one dot");
    }
    ValidateVersions(object, errors);
    if (GetString(object, {"spec", "conversion", "strategy"}) == "Webhook") {
      errors.Forbidden("spec.conversion.strategy", "conversion by webhook is not served: use None");
    }
    if (ListAt(object, {"status", "storedVersions"}).empty()) {
      errors.Invalid("status.storedVersions", nullptr, "must have at least one stored version");
    }
  }

  static void ValidateVersions(const json::object& object, FieldErrors& errors) {
    int storage = 0;
    const json::array& versions = ListAt(object, {"spec", "versions"});
    for (std::size_t i = 0; i < versions.size(); ++i) {
      const std::string path = At("spec.versions", i);
      const json::object& version = AsObject(versions[i]);
      if (GetBool(version, {"storage"})) ++storage;
      const std::string_view name = GetString(version, {"name"});
      const std::string_view type = GetString(version, {"schema", "openAPIV3Schema", "type"});
      if (FindObject(version, {"schema", "openAPIV3Schema"}) == nullptr) {
        errors.Required(path + ".schema.openAPIV3Schema", "schemas are required");
      } else if (type.empty()) {
        errors.Required(path + ".schema.openAPIV3Schema.type", "must not be empty at the root");
      } else if (type != "object") {
        errors.Invalid(path + ".schema.openAPIV3Schema.type", type, "must be object at the root");
      }
      if (auto rules = CustomRules::Make(object, version); !rules) {
        errors.Invalid(path, name, rules.error().message);
      }
    }
    if (storage != 1) {
      errors.Invalid("spec.versions", versions,
                     "must have exactly one version marked as storage version");
    }
  }
};

}  // namespace

std::shared_ptr<const KindRules> DefinitionRules() {
  static const std::shared_ptr<const KindRules> rules = std::make_shared<Rules>();
  return rules;
}

}  // namespace basalt::apiserver
