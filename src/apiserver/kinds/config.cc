// ConfigMap and Secret.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/object.h"
#include "base/base64.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostDataBytes = 1024 * 1024;

std::size_t DecodedSize(std::string_view base64) {
  return base64.size() / 4 * 3 - static_cast<std::size_t>(std::ranges::count(base64, '='));
}

// Of an object that its owner has made immutable: nothing but metadata changes.
void CheckSealed(const json::object& object, const json::object& old, FieldErrors& errors) {
  if (!GetBool(old, {"immutable"})) return;
  for (const std::string_view field : {"immutable", "data", "binaryData"}) {
    const json::value* now = Find(object, {field});
    const json::value* before = Find(old, {field});
    if ((now ? *now : json::value()) != (before ? *before : json::value())) {
      errors.Forbidden(std::string(field), "field is immutable when `immutable` is set");
    }
  }
}

void CheckConfigMap(const json::object& object, FieldErrors& errors) {
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

// stringData is sugar for who writes: it ends up in data.
void FillSecret(json::object& object) {
  const json::object* plain = FindObject(object, {"stringData"});
  if (plain == nullptr) return;
  const json::object copy = *plain;
  json::object& data = Child(object, "data");
  for (const auto& [key, value] : copy) data[key] = Base64Encode(AsText(value));
  object.erase("stringData");
}

// What a secret of a type must have. Of basic-auth one of the two is enough.
struct SecretKey {
  std::string_view type;
  std::string_view key;
};
constexpr SecretKey kSecretKeys[] = {{"kubernetes.io/tls", "tls.crt"},
                                     {"kubernetes.io/tls", "tls.key"},
                                     {"kubernetes.io/dockerconfigjson", ".dockerconfigjson"},
                                     {"kubernetes.io/dockercfg", ".dockercfg"},
                                     {"kubernetes.io/ssh-auth", "ssh-privatekey"},
                                     {"kubernetes.io/basic-auth", "username"},
                                     {"kubernetes.io/basic-auth", "password"}};

void CheckSecret(const json::object& object, FieldErrors& errors) {
  std::size_t bytes = 0;
  const json::object& data = ObjectOf(object, "data");
  for (const auto& [key, value] : data) {
    AddInvalid(Key("data", key), std::string_view(key), syntax::ConfigMapKey(key), errors);
    bytes += DecodedSize(AsText(value));
  }
  if (bytes > kMostDataBytes) errors.TooLong("data", kMostDataBytes);
  const std::string_view type = GetString(object, {"type"});
  const bool has_login = data.contains("username") || data.contains("password");
  for (const SecretKey& needed : kSecretKeys) {
    if (needed.type != type || data.contains(needed.key)) continue;
    if (type == "kubernetes.io/basic-auth" && has_login) continue;
    errors.Required(Key("data", needed.key));
  }
  constexpr std::string_view kAccount = "kubernetes.io/service-account.name";
  if (type == "kubernetes.io/service-account-token" &&
      GetString(object, {"metadata", "annotations", kAccount}).empty()) {
    errors.Required(Key("metadata.annotations", kAccount));
  }
}

}  // namespace

std::span<const KindHooks> ConfigKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "core.ConfigMap", .check = CheckConfigMap, .check_update = CheckSealed},
      {.type = "core.Secret",
       .fill = FillSecret,
       .check = CheckSecret,
       .check_update = CheckSealed},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
