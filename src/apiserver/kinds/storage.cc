// Volumes: claims, volumes, classes, and what CSI drivers publish about themselves.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <set>
#include <string>

#include "apiserver/kinds/affinity_checks.h"
#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/changed_fields.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/kinds/volume_checks.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"

namespace basalt::apiserver {
namespace {

const std::vector<std::string> kAccessModes{"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce",
                                            "ReadWriteOncePod"};

// "RWO,ROX" of a list of access modes, each once.
std::string AccessModesText(const json::array& modes) {
  std::string text;
  const auto add = [&](std::string_view mode, std::string_view letters) {
    if (std::ranges::find(modes, json::value(mode)) == modes.end()) return;
    if (!text.empty()) text += ",";
    text += letters;
  };
  add("ReadWriteOnce", "RWO");
  add("ReadOnlyMany", "ROX");
  add("ReadWriteMany", "RWX");
  add("ReadWriteOncePod", "RWOP");
  return text;
}

void CheckAccessModes(const json::array& modes, FieldErrors& errors) {
  bool once_pod = false;
  for (const json::value& mode : modes) {
    if (std::ranges::find(kAccessModes, AsText(mode)) == kAccessModes.end()) {
      errors.NotSupported("spec.accessModes", mode, kAccessModes);
    }
    once_pod |= mode == "ReadWriteOncePod";
  }
  if (once_pod && modes.size() > 1) {
    errors.Forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes");
  }
}

class ClaimRules final : public BuiltinRules {
 public:
  ClaimRules() : BuiltinRules(*FindBuiltinType("core.PersistentVolumeClaim"), {}) {}

  void Default(json::object& object) const override {
    DefaultClaimSpec(Child(object, "spec"));
    SetDefault(Child(object, "status"), "phase", "Pending");
  }

  void PrepareForCreate(json::object& object, Time /*now*/) const override {
    object["status"] = {{"phase", "Pending"}};
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    const json::array& modes = ListOf(spec, "accessModes");
    if (modes.empty()) {
      errors.Required("spec.accessModes", "at least 1 access mode is required");
    }
    if (const json::object* selector = FindObject(spec, {"selector"})) {
      ValidateLabelSelector(*selector, "spec.selector", errors);
    }
    CheckAccessModes(modes, errors);
    const json::object* requests = FindObject(spec, {"resources", "requests"});
    const auto storage = FindQuantity(requests, "storage");
    if (!storage) {
      errors.Required("spec.resources[storage]");
    } else if (storage->Sign() <= 0) {
      errors.Invalid("spec.resources[storage]", requests->at("storage"),
                     "must be greater than zero");
    }
    if (const std::string_view name = GetString(spec, {"storageClassName"}); !name.empty()) {
      AddInvalid("spec.storageClassName", name, syntax::NameIsDnsSubdomain(name, false), errors);
    }
    RequireOneOf(spec, "volumeMode", "spec", {"Block", "Filesystem"}, errors);
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    CheckCreate(object, errors);
    json::object spec = ObjectOf(object, "spec");
    const json::object& old_spec = ObjectOf(old, "spec");
    // The binder fills in the volume, an administrator the class that was missing, and a bound
    // claim may ask for more.
    if (GetString(old_spec, {"volumeName"}).empty()) Restore(spec, old_spec, "volumeName");
    if (Find(old_spec, {"storageClassName"}) == nullptr)
      Restore(spec, old_spec, "storageClassName");
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

  json::array Cells(const json::object& object, Time now) const override {
    const std::string_view phase = GetString(object, {"status", "phase"});
    const bool bound = !GetString(object, {"spec", "volumeName"}).empty();
    const std::string_view attributes = GetString(object, {"spec", "volumeAttributesClassName"});
    return {json::string(Name(object)),
            json::string(IsBeingDeleted(object) ? "Terminating" : phase),
            json::string(GetString(object, {"spec", "volumeName"})),
            json::string(bound ? GetString(object, {"status", "capacity", "storage"}) : ""),
            json::string(bound ? AccessModesText(ListOf(ObjectOf(object, "status"), "accessModes"))
                               : ""),
            json::string(GetString(object, {"spec", "storageClassName"})),
            json::string(attributes.empty() ? "<unset>" : attributes),
            json::string(Age(object, now)),
            json::string(GetString(object, {"spec", "volumeMode"}))};
  }

 private:
  static void Restore(json::object& spec, const json::object& old, std::string_view field) {
    if (const json::value* value = old.if_contains(field)) {
      spec[field] = *value;
    } else {
      spec.erase(field);
    }
  }
};

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

class VolumeRules final : public BuiltinRules {
 public:
  VolumeRules() : BuiltinRules(*FindBuiltinType("core.PersistentVolume"), {.namespaced = false}) {}

  void Default(json::object& object) const override {
    json::object& spec = Child(object, "spec");
    SetDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
    SetDefault(spec, "volumeMode", "Filesystem");
    if (json::object* host_path = FindObject(spec, {"hostPath"}))
      SetDefault(*host_path, "type", "");
    SetDefault(Child(object, "status"), "phase", "Pending");
  }

  void PrepareForCreate(json::object& object, Time now) const override {
    object["status"] = {{"phase", "Pending"}, {"lastPhaseTransitionTime", FormatTime(now)}};
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::object& spec = ObjectOf(object, "spec");
    const json::array& modes = ListOf(spec, "accessModes");
    if (modes.empty()) errors.Required("spec.accessModes");
    CheckAccessModes(modes, errors);
    const json::object* capacity = FindObject(spec, {"capacity"});
    if (capacity == nullptr) errors.Required("spec.capacity");
    if (capacity == nullptr || !capacity->contains("storage") || capacity->size() > 1) {
      errors.NotSupported("spec.capacity", capacity ? json::value(*capacity) : json::value(),
                          {"storage"});
    }
    if (const auto storage = FindQuantity(capacity, "storage"); storage && storage->Sign() <= 0) {
      errors.Invalid("spec.capacity[storage]", capacity->at("storage"),
                     "must be greater than zero");
    }
    RequireOneOf(spec, "persistentVolumeReclaimPolicy", "spec", {"Delete", "Recycle", "Retain"},
                 errors);
    CheckNodeAffinity(spec, errors);
    int sources = 0;
    for (const std::string_view source :
         {"hostPath", "nfs", "iscsi", "fc", "csi", "local", "rbd", "cephfs", "glusterfs", "cinder",
          "flexVolume", "azureDisk", "azureFile", "gcePersistentDisk", "awsElasticBlockStore"}) {
      const json::object* found = FindObject(spec, {source});
      if (found == nullptr) continue;
      if (sources++ > 0) {
        errors.Forbidden(Sub("spec", source), "may not specify more than 1 volume type");
        continue;
      }
      if (source == "hostPath") ValidateHostPath(*found, "spec.hostPath", errors);
      if (source == "local" && FindObject(spec, {"nodeAffinity"}) == nullptr) {
        errors.Required("spec.nodeAffinity", "Local volume requires node affinity");
      }
    }
    if (sources == 0) errors.Required("spec", "must specify a volume type");
    RequireOneOf(spec, "volumeMode", "spec", {"Block", "Filesystem"}, errors);
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    CheckCreate(object, errors);
    const json::object& spec = ObjectOf(object, "spec");
    const json::object& old_spec = ObjectOf(old, "spec");
    if (SourceOf(spec) != SourceOf(old_spec)) {
      errors.Forbidden("spec.persistentvolumesource",
                       "spec.persistentvolumesource is immutable after creation; changed: " +
                           ChangedFields(old_spec, spec, "core.PersistentVolumeSpec"));
    }
    RequireUnchanged(spec, old_spec, "volumeMode", "spec.volumeMode", errors);
    if (Find(old_spec, {"nodeAffinity"}) != nullptr) {
      RequireUnchanged(spec, old_spec, "nodeAffinity", "spec.nodeAffinity", errors);
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    const json::object* claim = FindObject(object, {"spec", "claimRef"});
    const std::string_view phase = GetString(object, {"status", "phase"});
    const std::string_view attributes = GetString(object, {"spec", "volumeAttributesClassName"});
    return {json::string(Name(object)),
            json::string(GetString(object, {"spec", "capacity", "storage"})),
            json::string(AccessModesText(ListOf(ObjectOf(object, "spec"), "accessModes"))),
            json::string(GetString(object, {"spec", "persistentVolumeReclaimPolicy"})),
            json::string(IsBeingDeleted(object) ? "Terminating" : phase),
            json::string(claim ? fmt::format("{}/{}", GetString(*claim, {"namespace"}),
                                             GetString(*claim, {"name"}))
                               : ""),
            json::string(GetString(object, {"spec", "storageClassName"})),
            json::string(attributes.empty() ? "<unset>" : attributes),
            json::string(GetString(object, {"status", "reason"})),
            json::string(Age(object, now)),
            json::string(GetString(object, {"spec", "volumeMode"}))};
  }

 private:
  static void CheckNodeAffinity(const json::object& spec, FieldErrors& errors) {
    const json::object* affinity = FindObject(spec, {"nodeAffinity"});
    if (affinity == nullptr) return;
    const json::object* required = FindObject(*affinity, {"required"});
    if (required == nullptr) {
      errors.Required("spec.nodeAffinity.required", "must specify required node constraints");
    } else {
      ValidateNodeSelector(*required, "spec.nodeAffinity.required", errors);
    }
  }
};

class StorageClassRules final : public BuiltinRules {
 public:
  StorageClassRules()
      : BuiltinRules(*FindBuiltinType("storage.StorageClass"),
                     {.namespaced = false, .checks_all_on_update = false}) {}

  void Default(json::object& object) const override {
    SetDefault(object, "reclaimPolicy", "Delete");
    SetDefault(object, "volumeBindingMode", "Immediate");
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const std::string_view provisioner = GetString(object, {"provisioner"});
    if (provisioner.empty()) {
      errors.Required("provisioner");
    } else {
      AddInvalid("provisioner", provisioner, syntax::QualifiedName(provisioner), errors);
    }
    for (const auto& [key, value] : ObjectOf(object, "parameters")) {
      if (key.empty()) errors.Invalid("parameters", "", "field can not be empty.");
    }
    RequireOneOf(object, "reclaimPolicy", "", {"Delete", "Retain"}, errors);
    RequireOneOf(object, "volumeBindingMode", "", {"Immediate", "WaitForFirstConsumer"}, errors);
    const json::array& topologies = ListOf(object, "allowedTopologies");
    for (std::size_t i = 0; i < topologies.size(); ++i) {
      const json::array& terms = ListOf(AsObject(topologies[i]), "matchLabelExpressions");
      for (std::size_t j = 0; j < terms.size(); ++j) {
        const json::object& term = AsObject(terms[j]);
        const std::string at = At(Sub(At("allowedTopologies", i), "matchLabelExpressions"), j);
        const json::array& values = ListOf(term, "values");
        if (values.empty()) errors.Required(Sub(at, "values"));
        const std::string_view key = GetString(term, {"key"});
        AddInvalid(Sub(at, "key"), key, syntax::LabelKey(key), errors);
      }
    }
  }

  void CheckUpdate(const json::object& object, const json::object& old,
                   FieldErrors& errors) const override {
    for (const std::string_view field :
         {"parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"}) {
      RequireUnchanged(object, old, field, std::string(field), errors);
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    std::string name(Name(object));
    if (GetString(object, {"metadata", "annotations",
                           "storageclass.kubernetes.io/is-default-class"}) == "true") {
      name += " (default)";
    }
    return {json::string(name),
            json::string(GetString(object, {"provisioner"})),
            json::string(GetString(object, {"reclaimPolicy"})),
            json::string(GetString(object, {"volumeBindingMode"})),
            GetBool(object, {"allowVolumeExpansion"}),
            json::string(Age(object, now))};
  }
};

class CsiNodeRules final : public BuiltinRules {
 public:
  CsiNodeRules() : BuiltinRules(*FindBuiltinType("storage.CSINode"), {.namespaced = false}) {}

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::array& drivers = ListOf(ObjectOf(object, "spec"), "drivers");
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < drivers.size(); ++i) {
      const json::object& driver = AsObject(drivers[i]);
      const std::string at = At("spec.drivers", i);
      const std::string_view name = GetString(driver, {"name"});
      if (name.empty()) {
        errors.Required(Sub(at, "name"));
      } else {
        AddInvalid(Sub(at, "name"), name, syntax::Dns1123Subdomain(name), errors);
      }
      if (GetString(driver, {"nodeID"}).empty()) errors.Required(Sub(at, "nodeID"));
      RequireNonNegative(ObjectOf(driver, "allocatable"), "count", Sub(at, "allocatable"), errors);
      if (!names.insert(name).second) errors.Duplicate(Sub(at, "name"), name);
      for (const json::value& key : ListOf(driver, "topologyKeys")) {
        AddInvalid(at, key, syntax::QualifiedName(AsText(key)), errors);
      }
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)),
            static_cast<std::int64_t>(ListOf(ObjectOf(object, "spec"), "drivers").size()),
            json::string(Age(object, now))};
  }
};

class CsiDriverRules final : public BuiltinRules {
 public:
  CsiDriverRules() : BuiltinRules(*FindBuiltinType("storage.CSIDriver"), {.namespaced = false}) {}

  void Default(json::object& object) const override {
    json::object& spec = Child(object, "spec");
    SetDefault(spec, "attachRequired", true);
    for (const std::string_view field :
         {"podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount"}) {
      SetDefault(spec, field, false);
    }
    SetDefault(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    if (ListOf(spec, "volumeLifecycleModes").empty()) {
      spec["volumeLifecycleModes"] = {json::string("Persistent")};
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    const json::object& spec = ObjectOf(object, "spec");
    std::string modes;
    for (const json::value& mode : ListOf(spec, "volumeLifecycleModes")) {
      if (!modes.empty()) modes += ",";
      modes += AsText(mode);
    }
    std::string tokens;
    for (const json::value& token : ListOf(spec, "tokenRequests")) {
      if (!tokens.empty()) tokens += ",";
      tokens += GetString(AsObject(token), {"audience"});
    }
    return {json::string(Name(object)),
            GetBool(spec, {"attachRequired"}),
            GetBool(spec, {"podInfoOnMount"}),
            GetBool(spec, {"storageCapacity"}),
            json::string(ListOf(spec, "tokenRequests").empty() ? "<unset>" : tokens),
            GetBool(spec, {"requiresRepublish"}),
            json::string(modes.empty() ? "<none>" : modes),
            json::string(Age(object, now))};
  }
};

class CsiCapacityRules final : public BuiltinRules {
 public:
  CsiCapacityRules() : BuiltinRules(*FindBuiltinType("storage.CSIStorageCapacity"), {}) {}

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const std::string_view name = GetString(object, {"storageClassName"});
    AddInvalid("storageClassName", name, syntax::NameIsDnsSubdomain(name, false), errors);
  }
};

class AttachmentRules final : public BuiltinRules {
 public:
  AttachmentRules()
      : BuiltinRules(*FindBuiltinType("storage.VolumeAttachment"), {.namespaced = false}) {}

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    for (const std::string_view field : {"attacher", "nodeName"}) {
      if (GetString(object, {"spec", field}).empty()) errors.Required(Sub("spec", field));
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)),
            json::string(GetString(object, {"spec", "attacher"})),
            json::string(GetString(object, {"spec", "source", "persistentVolumeName"})),
            json::string(GetString(object, {"spec", "nodeName"})),
            GetBool(object, {"status", "attached"}),
            json::string(Age(object, now))};
  }
};

}  // namespace

std::shared_ptr<const KindRules> ClaimRulesInstance() { return std::make_shared<ClaimRules>(); }
std::shared_ptr<const KindRules> VolumeRulesInstance() { return std::make_shared<VolumeRules>(); }
std::shared_ptr<const KindRules> StorageClassRulesInstance() {
  return std::make_shared<StorageClassRules>();
}
std::shared_ptr<const KindRules> CsiNodeRulesInstance() { return std::make_shared<CsiNodeRules>(); }
std::shared_ptr<const KindRules> CsiDriverRulesInstance() {
  return std::make_shared<CsiDriverRules>();
}
std::shared_ptr<const KindRules> CsiCapacityRulesInstance() {
  return std::make_shared<CsiCapacityRules>();
}
std::shared_ptr<const KindRules> AttachmentRulesInstance() {
  return std::make_shared<AttachmentRules>();
}

}  // namespace basalt::apiserver
