#include "apiserver/crd/definition_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/crd/custom_rules.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/syntax.h"
#include "apiserver/object/object.h"
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
    if (Find(spec, {"conversion"}) == nullptr) {
      spec["conversion"] = json::object{{"strategy", "None"}};
    }
  }

  void PrepareForCreate(json::object& object, Time /*now*/) const override {
    json::array stored;
    if (const json::array* versions = FindArray(object, {"spec", "versions"})) {
      for (const json::value& version : *versions) {
        if (version.is_object() && GetBool(version.get_object(), {"storage"})) {
          stored.push_back(json::string(GetString(version.get_object(), {"name"})));
        }
      }
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
    for (const std::string_view field : {"group", "scope"}) {
      const std::string_view now = GetString(object, {"spec", field});
      if (now != GetString(old, {"spec", field})) {
        errors.Invalid(fmt::format("spec.{}", field), json::string(now), "field is immutable");
      }
    }
    for (const std::string_view field : {"plural", "kind"}) {
      const std::string_view now = GetString(object, {"spec", "names", field});
      if (now != GetString(old, {"spec", "names", field})) {
        errors.Invalid(fmt::format("spec.names.{}", field), json::string(now),
                       "field is immutable");
      }
    }
  }

  std::vector<TableColumn> Columns() const override { return KindRules::Columns(); }

 private:
  static void ValidateSpec(const json::object& object, FieldErrors& errors) {
    const std::string plural(GetString(object, {"spec", "names", "plural"}));
    const std::string group(GetString(object, {"spec", "group"}));
    const std::string wanted = plural + "." + group;
    if (Name(object) != wanted) {
      errors.Invalid("metadata.name", json::string(Name(object)),
                     "must be spec.names.plural+\".\"+spec.group");
    }
    if (group.empty()) {
      errors.Required("spec.group");
    } else if (group.find('.') == std::string::npos) {
      errors.Invalid("spec.group", json::string(group), "should be a domain with at least one dot");
    }
    const std::string_view scope = GetString(object, {"spec", "scope"});
    if (scope != "Cluster" && scope != "Namespaced") {
      if (scope.empty()) {
        errors.Required("spec.scope");
      } else {
        errors.NotSupported("spec.scope", json::string(scope), {"Cluster", "Namespaced"});
      }
    }
    ValidateVersions(object, errors);
    for (const std::string_view name : {"plural", "singular", "kind", "listKind"}) {
      if (GetString(object, {"spec", "names", name}).empty()) {
        errors.Required(fmt::format("spec.names.{}", name));
      }
    }
    if (GetString(object, {"spec", "conversion", "strategy"}) == "Webhook") {
      errors.Forbidden("spec.conversion.strategy", "conversion by webhook is not served: use None");
    }
    const json::array* stored = FindArray(object, {"status", "storedVersions"});
    if (stored == nullptr || stored->empty()) {
      errors.Invalid("status.storedVersions", nullptr, "must have at least one stored version");
    }
  }

  static void ValidateVersions(const json::object& object, FieldErrors& errors) {
    const json::array* versions = FindArray(object, {"spec", "versions"});
    if (versions == nullptr || versions->empty()) {
      errors.Invalid("spec.versions", versions == nullptr ? json::value() : json::value(*versions),
                     "must have exactly one version marked as storage version");
      return;
    }
    int storage = 0;
    for (std::size_t i = 0; i < versions->size(); ++i) {
      const std::string path = fmt::format("spec.versions[{}]", i);
      if (!(*versions)[i].is_object()) continue;
      const json::object& version = (*versions)[i].get_object();
      if (GetBool(version, {"storage"})) ++storage;
      const std::string_view name = GetString(version, {"name"});
      if (name.empty()) errors.Required(path + ".name");
      if (FindObject(version, {"schema", "openAPIV3Schema"}) == nullptr) {
        errors.Required(path + ".schema.openAPIV3Schema", "schemas are required");
      } else if (const std::string_view type =
                     GetString(version, {"schema", "openAPIV3Schema", "type"});
                 type != "object") {
        if (type.empty()) {
          errors.Required(path + ".schema.openAPIV3Schema.type", "must not be empty at the root");
        } else {
          errors.Invalid(path + ".schema.openAPIV3Schema.type", json::string(type),
                         "must be object at the root");
        }
      }
      if (auto rules = CustomRules::Make(object, version); !rules) {
        errors.Invalid(path, json::string(name), rules.error().message);
      }
    }
    if (storage != 1) {
      errors.Invalid("spec.versions", *versions,
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
