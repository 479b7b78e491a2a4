// PersistentVolumeClaim, PersistentVolume, StorageClass.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void CheckAccessModes(const json::array& modes, FieldErrors& errors) {
  static const std::vector<std::string> kModes{"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce",
                                               "ReadWriteOncePod"};
  for (const json::value& mode : modes) {
    if (std::ranges::find(kModes, AsText(mode)) == kModes.end()) {
      errors.NotSupported("spec.accessModes", mode, kModes);
    }
    if (mode == "ReadWriteOncePod" && modes.size() > 1) {
      errors.Forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes");
    }
  }
}

void CheckIsPositive(const json::object* amounts, const std::string& path, FieldErrors& errors) {
  const auto storage = FindQuantity(amounts, "storage");
  if (storage && storage->Sign() <= 0) {
    errors.Invalid(path, amounts->at("storage"), "must be greater than zero");
  }
}

// Claims

void PrepareClaim(json::object& object, Time /*now*/) { object["status"] = {{"phase", "Pending"}}; }

void CheckClaim(const json::object& object, FieldErrors& errors) {
  const json::object& spec = ObjectOf(object, "spec");
  const json::array& modes = ListOf(spec, "accessModes");
  if (modes.empty()) errors.Required("spec.accessModes", "at least 1 access mode is required");
  CheckAccessModes(modes, errors);
  const json::object* requests = FindObject(spec, {"resources", "requests"});
  if (!FindQuantity(requests, "storage")) errors.Required("spec.resources[storage]");
  CheckIsPositive(requests, "spec.resources[storage]", errors);
}

void CheckClaimUpdate(const json::object& object, const json::object& old, FieldErrors& errors) {
  json::object spec = ObjectOf(object, "spec");
  const json::object& old_spec = ObjectOf(old, "spec");
  // The binder fills in the volume, an administrator the class that was missing, and a bound
  // claim may ask for more.
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

// Volumes

// What a volume is made of: all of its spec that is not about the volume as such.
json::object SourceOf(json::object spec) {
  for (const std::string_view field :
       {"accessModes", "capacity", "claimRef", "mountOptions", "nodeAffinity",
        "persistentVolumeReclaimPolicy", "storageClassName", "volumeAttributesClassName",
        "volumeMode"}) {
    spec.erase(field);
  }
  return spec;
}

void PrepareVolume(json::object& object, Time now) {
  object["status"] = {{"phase", "Pending"}, {"lastPhaseTransitionTime", FormatTime(now)}};
}

void CheckVolume(const json::object& object, FieldErrors& errors) {
  const json::object& spec = ObjectOf(object, "spec");
  CheckAccessModes(ListOf(spec, "accessModes"), errors);
  const json::value* capacity = Find(spec, {"capacity"});
  const json::object& amounts = ObjectOf(spec, "capacity");
  if (!amounts.contains("storage") || amounts.size() > 1) {
    errors.NotSupported("spec.capacity", capacity ? *capacity : json::value(), {"storage"});
  }
  CheckIsPositive(&amounts, "spec.capacity[storage]", errors);
  const json::object source = SourceOf(spec);
  if (source.empty()) errors.Required("spec", "must specify a volume type");
  for (auto more = source.begin(); !source.empty() && ++more != source.end();) {
    errors.Forbidden(Sub("spec", more->key()), "may not specify more than 1 volume type");
  }
  if (source.size() == 1 && source.contains("local") &&
      FindObject(spec, {"nodeAffinity"}) == nullptr) {
    errors.Required("spec.nodeAffinity", "Local volume requires node affinity");
  }
}

void CheckVolumeUpdate(const json::object& object, const json::object& old, FieldErrors& errors) {
  const json::object& spec = ObjectOf(object, "spec");
  const json::object& old_spec = ObjectOf(old, "spec");
  if (SourceOf(spec) != SourceOf(old_spec)) {
    errors.Forbidden("spec.persistentvolumesource",
                     "spec.persistentvolumesource is immutable after creation; changed: " +
                         ChangedFields(old_spec, spec, "core.PersistentVolumeSpec"));
  }
  if (Find(old_spec, {"nodeAffinity"}) != nullptr) {
    RequireUnchanged(spec, old_spec, "nodeAffinity", "spec.nodeAffinity", errors);
  }
}

void CheckClass(const json::object& object, FieldErrors& errors) {
  if (ObjectOf(object, "parameters").contains("")) {
    errors.Invalid("parameters", "", "field can not be empty.");
  }
}

}  // namespace

std::span<const KindHooks> StorageKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "core.PersistentVolumeClaim",
       .prepare_create = PrepareClaim,
       .check = CheckClaim,
       .check_update = CheckClaimUpdate},
      {.type = "core.PersistentVolume",
       .prepare_create = PrepareVolume,
       .check = CheckVolume,
       .check_update = CheckVolumeUpdate},
      {.type = "storage.StorageClass", .check = CheckClass},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
