#include <fmt/format.h>

#include <string>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

class Rules final : public BuiltinRules {
 public:
  explicit Rules(const BuiltinRules& of_its_table) : BuiltinRules(of_its_table) {}

  void Default(json::object& object) const override {
    if (json::object* names = FindObject(object, {"spec", "names"})) {
      const std::string kind(GetString(*names, {"kind"}));
      if (GetString(*names, {"singular"}).empty()) (*names)["singular"] = ToLower(kind);
      if (GetString(*names, {"listKind"}).empty() && !kind.empty()) {
        (*names)["listKind"] = kind + "List";
      }
    }
    BuiltinRules::Default(object);
  }

  void PrepareForCreate(json::object& object, Time now) const override {
    BuiltinRules::PrepareForCreate(object, now);
    json::array stored;
    for (const json::value& version : ListAt(object, {"spec", "versions"})) {
      if (!GetBool(AsObject(version), {"storage"})) continue;
      stored.push_back(json::string(GetString(AsObject(version), {"name"})));
    }
    object["status"] = json::object{{"conditions", nullptr},
                                    {"acceptedNames", json::object{{"plural", ""}, {"kind", ""}}},
                                    {"storedVersions", std::move(stored)}};
  }

  void Validate(const json::object& object, FieldErrors& errors) const override {
    BuiltinRules::Validate(object, errors);
    ValidateSpec(object, errors);
  }

  void ValidateUpdate(const json::object& object, const json::object& old,
                      FieldErrors& errors) const override {
    BuiltinRules::ValidateUpdate(object, old, errors);
    ValidateSpec(object, errors);
  }

 private:
  static void ValidateSpec(const json::object& object, FieldErrors& errors) {
    const std::string_view group = GetString(object, {"spec", "group"});
    const std::string_view plural = GetString(object, {"spec", "names", "plural"});
    if (Name(object) != fmt::format("{}.{}", plural, group)) {
      errors.Invalid("metadata.name", Name(object), "must be spec.names.plural+\".\"+spec.group");
    }
    if (!group.empty() && group.find('.') == group.npos) {
      errors.Invalid("spec.group", group, "should be a domain with at least one dot");
    }
    ValidateVersions(object, errors);
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
      const json::object* schema = FindObject(version, {"schema", "openAPIV3Schema"});
      const std::string_view type = schema == nullptr ? "" : GetString(*schema, {"type"});
      const std::string at = path + ".schema.openAPIV3Schema";
      if (type.empty()) {
        errors.Required(schema == nullptr ? at : at + ".type", "must not be empty at the root");
      } else if (type != "object") {
        errors.Invalid(at + ".type", type, "must be object at the root");
      }
      if (auto rules = CustomKind::Make(object, version); !rules) {
        errors.Invalid(path, Name(object), rules.error().message);
      }
    }
    if (storage != 1) {
      errors.Invalid("spec.versions", versions,
                     "must have exactly one version marked as storage version");
    }
  }
};

}  // namespace

std::shared_ptr<const KindRules> DefinitionRules(const KindRules& of_its_table) {
  return std::make_shared<Rules>(dynamic_cast<const BuiltinRules&>(of_its_table));
}

}  // namespace basalt::apiserver
