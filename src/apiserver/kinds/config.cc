// ConfigMap, Secret, ResourceQuota, LimitRange, and what has to do with volumes.
#include <fmt/format.h>

#include <algorithm>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "base/base64.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostDataBytes = 1024 * 1024;

// How many bytes there are under keys that may be there.
std::size_t CheckKeys(const json::object& object, std::string_view field, bool base64,
                      FieldErrors& errors) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : ObjectOf(object, field)) {
    AddInvalid(Key(field, key), std::string_view(key), Misfit("configKey", key), errors);
    const std::string_view text = AsText(value);
    const auto padding = static_cast<std::size_t>(std::ranges::count(text, '='));
    bytes += base64 ? text.size() / 4 * 3 - padding : text.size();
  }
  return bytes;
}

void CheckConfigMap(const json::object& object, const std::string& /*path*/, FieldErrors& errors) {
  for (const auto& [key, value] : ObjectOf(object, "data")) {
    if (!ObjectOf(object, "binaryData").contains(key)) continue;
    errors.Invalid(Key("data", key), std::string_view(key),
                   "duplicate of key present in binaryData");
  }
  const std::size_t bytes =
      CheckKeys(object, "data", false, errors) + CheckKeys(object, "binaryData", true, errors);
  if (bytes > kMostDataBytes) errors.TooLong("[]", kMostDataBytes);
}

// stringData is sugar for the writer: it ends up in data.
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

void CheckSecret(const json::object& object, const std::string& /*path*/, FieldErrors& errors) {
  const json::object& data = ObjectOf(object, "data");
  if (CheckKeys(object, "data", true, errors) > kMostDataBytes) {
    errors.TooLong("data", kMostDataBytes);
  }
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

// Quotas and limits: kept and shown, but not enforced.

void CheckHard(const json::object& hard, FieldErrors& errors) {
  for (const auto& [key, amount] : hard) {
    const std::string_view name = key;
    const std::string at = Key("spec.hard", name);
    AddInvalid(at, name, Misfit("qualifiedName", name), errors);
    const bool known = IsStandardResource(name) || name.starts_with("requests.hugepages-");
    if (name.find('/') == name.npos && (!known || name == "storage")) {
      errors.Invalid(at, name, "must be a standard resource for quota or fully qualified");
    }
    ValidateResourceQuantity(name, amount, at, errors);
  }
}

void CheckQuota(const json::object& spec, const std::string& /*path*/, FieldErrors& errors) {
  const json::object& hard = ObjectOf(spec, "hard");
  CheckHard(hard, errors);
  const json::array& scopes = ListOf(spec, "scopes");
  if (std::ranges::find(scopes, json::value("BestEffort")) == scopes.end()) return;
  if (std::ranges::any_of(hard, [](const auto& item) {
        return item.key() != "pods" && item.key() != "count/pods";
      })) {
    errors.Invalid("spec.scopes", scopes, "unsupported scope applied to resource");
  }
}

// A container's default limit is its maximum, and its default request its default limit.
void FillLimitRange(json::object& object) {
  for (json::value& item : ListIn(Child(object, "spec"), "limits")) {
    json::object& limit = AsObject(item);
    if (GetString(limit, {"type"}) != "Container") continue;
    const auto fill = [&limit](std::string_view to, std::string_view from) {
      const json::object source = ObjectOf(limit, from);
      for (const auto& [name, amount] : source) SetDefault(Child(limit, to), name, amount);
    };
    fill("default", "max");
    fill("defaultRequest", "default");
    fill("defaultRequest", "min");
  }
}

// Nothing of `low` may be more than it is in `high`.
void CheckOrder(const json::object& limit, std::string_view low, std::string_view high,
                const std::string& at, FieldErrors& errors) {
  for (const auto& [name, amount] : ObjectOf(limit, low)) {
    const auto lower = FindQuantity(FindObject(limit, {low}), name);
    const auto upper = FindQuantity(FindObject(limit, {high}), name);
    if (!lower || !upper || *lower <= *upper) continue;
    errors.Invalid(Key(Sub(at, low), name), amount,
                   fmt::format("is greater than {} {}", high, upper->ToString()));
  }
}

void CheckLimitRange(const json::object& spec, const std::string& path, FieldErrors& errors) {
  ForEachIn(spec, "limits", path, [&](const json::object& limit, const std::string& at) {
    const std::string_view type = GetString(limit, {"type"});
    if (type != "Pod" && type != "Container" && type != "PersistentVolumeClaim" &&
        type.find('/') == type.npos) {
      errors.Invalid(Sub(at, "type"), type, "must be a standard limit type or fully qualified");
    }
    CheckOrder(limit, "min", "max", at, errors);
    CheckOrder(limit, "defaultRequest", "default", at, errors);
  });
}

// Volumes

void PrepareClaim(json::object& object, Time /*now*/) { object["status"] = {{"phase", "Pending"}}; }

void CheckClaimUpdate(const json::object& object, const json::object& old, FieldErrors& errors) {
  json::object spec = ObjectOf(object, "spec");
  const json::object& old_spec = ObjectOf(old, "spec");
  // The binder may fill in the volume. An administrator may fill in the class that was missing. A
  // bound claim may ask for more.
  if (GetString(old_spec, {"volumeName"}).empty()) Restore(spec, old_spec, "volumeName");
  if (Find(old_spec, {"storageClassName"}) == nullptr) Restore(spec, old_spec, "storageClassName");
  if (GetString(old, {"status", "phase"}) == "Bound") {
    const auto now = FindQuantity(FindObject(spec, {"resources", "requests"}), "storage");
    const auto before = FindQuantity(FindObject(old_spec, {"resources", "requests"}), "storage");
    if (now && before && *now < *before) {
      errors.Forbidden("spec.resources.requests.storage",
                       "field can not be less than status.capacity");
    }
    Restore(spec, old_spec, "resources");
    Restore(spec, old_spec, "volumeAttributesClassName");
  }
  if (spec == old_spec) return;
  errors.Forbidden("spec",
                   "spec is immutable after creation except resources.requests and "
                   "volumeAttributesClassName for bound claims; changed: " +
                       ChangedFields(old_spec, spec, "core.PersistentVolumeClaimSpec"));
}

void PrepareVolume(json::object& object, Time now) {
  object["status"] = {{"phase", "Pending"}, {"lastPhaseTransitionTime", FormatTime(now)}};
}

void CheckVolume(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const json::object& capacity = ObjectOf(spec, "capacity");
  if (!capacity.contains("storage") || capacity.size() > 1) {
    errors.NotSupported(Sub(path, "capacity"), capacity, {"storage"});
  }
}

void CheckClass(const json::object& object, const std::string& /*path*/, FieldErrors& errors) {
  if (ObjectOf(object, "parameters").contains("")) {
    errors.Invalid("parameters", "", "field can not be empty.");
  }
}

}  // namespace

std::span<const Hooks> ConfigHooks() {
  static constexpr Hooks kHooks[] = {
      {.type = "core.ConfigMap", .check = CheckConfigMap},
      {.type = "core.Secret", .fill = FillSecret, .check = CheckSecret},
      {.type = "core.ResourceQuotaSpec", .check = CheckQuota},
      {.type = "core.LimitRange", .fill = FillLimitRange},
      {.type = "core.LimitRangeSpec", .check = CheckLimitRange},
      {.type = "core.PersistentVolumeClaim",
       .prepare_create = PrepareClaim,
       .check_update = CheckClaimUpdate},
      {.type = "core.PersistentVolume", .prepare_create = PrepareVolume},
      {.type = "core.PersistentVolumeSpec", .check = CheckVolume},
      {.type = "storage.StorageClass", .check = CheckClass},
  };
  return kHooks;
}

}  // namespace basalt::apiserver
