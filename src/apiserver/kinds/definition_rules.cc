// CustomResourceDefinitions, beyond what their fields' rows say.
#include <fmt/format.h>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/custom_kind.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

void FillDefinition(json::object& object) {
  json::object* names = FindObject(object, {"spec", "names"});
  if (names == nullptr) return;
  const std::string kind(GetString(*names, {"kind"}));
  if (GetString(*names, {"singular"}).empty()) (*names)["singular"] = ToLower(kind);
  if (GetString(*names, {"listKind"}).empty() && !kind.empty()) {
    (*names)["listKind"] = kind + "List";
  }
}

void PrepareDefinition(json::object& object, Time /*now*/) {
  json::array stored;
  for (const json::value& version : ListAt(object, {"spec", "versions"})) {
    if (!GetBool(AsObject(version), {"storage"})) continue;
    stored.push_back(json::string(GetString(AsObject(version), {"name"})));
  }
  object["status"] = json::object{{"conditions", nullptr},
                                  {"acceptedNames", json::object{{"plural", ""}, {"kind", ""}}},
                                  {"storedVersions", std::move(stored)}};
}

void CheckVersions(const json::object& object, FieldErrors& errors) {
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

void CheckDefinition(const json::object& object, const std::string& /*path*/, FieldErrors& errors) {
  const std::string_view group = GetString(object, {"spec", "group"});
  const std::string_view plural = GetString(object, {"spec", "names", "plural"});
  if (Name(object) != fmt::format("{}.{}", plural, group)) {
    errors.Invalid("metadata.name", Name(object), "must be spec.names.plural+\".\"+spec.group");
  }
  if (!group.empty() && group.find('.') == group.npos) {
    errors.Invalid("spec.group", group, "should be a domain with at least one dot");
  }
  CheckVersions(object, errors);
  if (ListAt(object, {"status", "storedVersions"}).empty()) {
    errors.Invalid("status.storedVersions", nullptr, "must have at least one stored version");
  }
}

}  // namespace

std::span<const Hooks> DefinitionHooks() {
  static constexpr Hooks kHooks[] = {
      {.type = "apiextensions.CustomResourceDefinition",
       .fill = FillDefinition,
       .check = CheckDefinition,
       .prepare_create = PrepareDefinition},
  };
  return kHooks;
}

}  // namespace basalt::apiserver
