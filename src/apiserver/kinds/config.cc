// ConfigMap, Secret, ServiceAccount.
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
#include "base/base64.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostDataBytes = 1024 * 1024;

std::size_t DecodedSize(std::string_view base64) {
  return base64.size() / 4 * 3 - static_cast<std::size_t>(std::ranges::count(base64, '='));
}

// Of an object that its owner has made immutable: nothing but metadata changes.
void CheckImmutable(const json::object& object, const json::object& old,
                    std::initializer_list<std::string_view> fields, FieldErrors& errors) {
  if (!GetBool(old, {"immutable"})) return;
  const json::value nothing;
  const auto value = [&](const json::object& holder, std::string_view field) {
    const json::value* found = Find(holder, {field});
    return found ? *found : nothing;
  };
  if (!GetBool(object, {"immutable"})) {
    errors.Forbidden("immutable", "field is immutable when `immutable` is set");
  }
  for (const std::string_view field : fields) {
    if (value(object, field) != value(old, field)) {
      errors.Forbidden(std::string(field), "field is immutable when `immutable` is set");
    }
  }
}

class ConfigMapRules final : public BuiltinRules {
 public:
  ConfigMapRules() : BuiltinRules(*FindBuiltinType("core.ConfigMap"), {}) {}

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    std::size_t bytes = 0;
    const json::object& binary = ObjectOf(object, "binaryData");
    for (const auto& [key, value] : ObjectOf(object, "data")) {
      const std::string at = Key("data", key);
      AddInvalid(at, std::string_view(key), syntax::ConfigMapKey(key), errors);
      if (binary.contains(key)) {
        errors.Invalid(at, std::string_view(key), "duplicate of key present in binaryData");
      }
      bytes += AsText(value).size();
    }
    for (const auto& [key, value] : binary) {
      AddInvalid(Key("binaryData", key), std::string_view(key), syntax::ConfigMapKey(key), errors);
      bytes += DecodedSize(AsText(value));
    }
    if (bytes > kMostDataBytes) errors.TooLong("[]", kMostDataBytes);
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    CheckImmutable(object, old, {"data", "binaryData"}, errors);
    CheckCreate(object, errors);
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)),
            static_cast<std::int64_t>(ObjectOf(object, "data").size() +
                                      ObjectOf(object, "binaryData").size()),
            json::string(Age(object, now))};
  }
};

class SecretRules final : public BuiltinRules {
 public:
  SecretRules() : BuiltinRules(*FindBuiltinType("core.Secret"), {}) {}

  void Default(json::object& object) const override {
    SetDefault(object, "type", "Opaque");
    // Write-only sugar: it ends up in data.
    if (const json::object* plain = FindObject(object, {"stringData"})) {
      const json::object copy = *plain;
      json::object& data = Child(object, "data");
      for (const auto& [key, value] : copy) data[key] = Base64Encode(AsText(value));
      object.erase("stringData");
    }
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    std::size_t bytes = 0;
    const json::object& data = ObjectOf(object, "data");
    for (const auto& [key, value] : data) {
      AddInvalid(Key("data", key), std::string_view(key), syntax::ConfigMapKey(key), errors);
      if (value.is_string()) bytes += DecodedSize(AsText(value));
    }
    if (bytes > kMostDataBytes) errors.TooLong("data", kMostDataBytes);
    const std::string_view type = GetString(object, {"type"});
    const auto require = [&](std::string_view key) {
      if (!data.contains(key)) errors.Required(Key("data", key));
    };
    if (type == "kubernetes.io/tls") {
      require("tls.crt");
      require("tls.key");
    } else if (type == "kubernetes.io/dockerconfigjson") {
      require(".dockerconfigjson");
    } else if (type == "kubernetes.io/dockercfg") {
      require(".dockercfg");
    } else if (type == "kubernetes.io/basic-auth") {
      if (!data.contains("username") && !data.contains("password")) {
        errors.Required(Key("data", "username"));
        errors.Required(Key("data", "password"));
      }
    } else if (type == "kubernetes.io/ssh-auth") {
      require("ssh-privatekey");
    } else if (type == "kubernetes.io/service-account-token") {
      constexpr std::string_view kAnnotation = "kubernetes.io/service-account.name";
      if (GetString(object, {"metadata", "annotations", kAnnotation}).empty()) {
        errors.Required(Key("metadata.annotations", kAnnotation));
      }
    }
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    RequireUnchanged(object, old, "type", "type", errors);
    CheckImmutable(object, old, {"data"}, errors);
    CheckCreate(object, errors);
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)), json::string(GetString(object, {"type"})),
            static_cast<std::int64_t>(ObjectOf(object, "data").size()),
            json::string(Age(object, now))};
  }

  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override {
    if (field != "type") return false;
    value = GetString(object, {"type"});
    return true;
  }
};

class ServiceAccountRules final : public BuiltinRules {
 public:
  ServiceAccountRules() : BuiltinRules(*FindBuiltinType("core.ServiceAccount"), {}) {}

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)), json::string(Age(object, now))};
  }
};

}  // namespace

std::shared_ptr<const KindRules> ConfigMapRulesInstance() {
  return std::make_shared<ConfigMapRules>();
}
std::shared_ptr<const KindRules> SecretRulesInstance() { return std::make_shared<SecretRules>(); }
std::shared_ptr<const KindRules> ServiceAccountRulesInstance() {
  return std::make_shared<ServiceAccountRules>();
}

}  // namespace basalt::apiserver
