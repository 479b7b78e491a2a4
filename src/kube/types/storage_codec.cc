#include "kube/types/codec_impl.h"
#include "kube/types/storage.h"

namespace basalt::kube::json {
namespace {

bool ReadClaimSpec(Reader& reader, std::string_view key, Value& value, PersistentVolumeClaim& out) {
  if (key == "accessModes") return Read(reader, value, out.access_modes);
  if (key == "storageClassName") return Read(reader, value, out.storage_class_name);
  if (key == "volumeName") return Read(reader, value, out.volume_name);
  if (key == "volumeMode") return Read(reader, value, out.volume_mode);
  if (key == "selector") return Read(reader, value, out.selector);
  if (key == "resources") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "requests" ? Read(reader, field, out.requests) : true;
    });
  }
  return true;
}

bool ReadClaimStatus(Reader& reader, std::string_view key, Value& value,
                     PersistentVolumeClaim& out) {
  using Phase = PersistentVolumeClaim::Phase;
  if (key == "capacity") return Read(reader, value, out.capacity);
  if (key == "phase") {
    return ReadEnum(reader, value, out.phase, {{"Bound", Phase::kBound}, {"Lost", Phase::kLost}},
                    Phase::kPending);
  }
  return true;
}

bool ReadVolumeSpec(Reader& reader, std::string_view key, Value& value, PersistentVolume& out) {
  if (key == "capacity") return Read(reader, value, out.capacity);
  if (key == "accessModes") return Read(reader, value, out.access_modes);
  if (key == "storageClassName") return Read(reader, value, out.storage_class_name);
  if (key == "volumeMode") return Read(reader, value, out.volume_mode);
  if (key == "persistentVolumeReclaimPolicy") return Read(reader, value, out.reclaim_policy);
  if (key == "claimRef") return Read(reader, value, out.claim_ref);
  if (key == "nodeAffinity") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "required" ? Read(reader, field, out.node_affinity) : true;
    });
  }
  if (key == "csi") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "driver") return Read(reader, field, out.csi_driver);
      if (name == "volumeHandle") return Read(reader, field, out.csi_volume_handle);
      return true;
    });
  }
  return true;
}

}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, PersistentVolumeClaim& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadClaimSpec(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadClaimStatus(reader, name, field, out);
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, PersistentVolume& out) {
  using Phase = PersistentVolume::Phase;
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadVolumeSpec(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name != "phase") return true;
      return ReadEnum(reader, field, out.phase,
                      {{"Available", Phase::kAvailable},
                       {"Bound", Phase::kBound},
                       {"Released", Phase::kReleased},
                       {"Failed", Phase::kFailed}},
                      Phase::kPending);
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value,
               StorageClass::TopologyExpression& out) {
  if (key == "key") return Read(reader, value, out.key);
  if (key == "values") return Read(reader, value, out.values);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value,
               StorageClass::TopologyTerm& out) {
  return key == "matchLabelExpressions" ? Read(reader, value, out.expressions) : true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, StorageClass& out) {
  if (key == "provisioner") return Read(reader, value, out.provisioner);
  if (key == "parameters") return Read(reader, value, out.parameters);
  if (key == "reclaimPolicy") return Read(reader, value, out.reclaim_policy);
  if (key == "volumeBindingMode") {
    return ReadIs(reader, value, "WaitForFirstConsumer", out.wait_for_first_consumer);
  }
  if (key == "allowVolumeExpansion") return Read(reader, value, out.allow_volume_expansion);
  if (key == "allowedTopologies") return Read(reader, value, out.allowed_topologies);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, CsiNode::Driver& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "nodeID") return Read(reader, value, out.node_id);
  if (key == "topologyKeys") return Read(reader, value, out.topology_keys);
  if (key == "allocatable") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "count" ? Read(reader, field, out.allocatable_count) : true;
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, CsiNode& out) {
  if (key != "spec") return true;
  return ReadObject(reader, value, [&](std::string_view name, Value& field) {
    return name == "drivers" ? Read(reader, field, out.drivers) : true;
  });
}

}  // namespace basalt::kube::json

namespace basalt::kube {
BASALT_CODEC(PersistentVolumeClaim);
BASALT_CODEC(PersistentVolume);
BASALT_CODEC(StorageClass);
BASALT_CODEC(CsiNode);
}  // namespace basalt::kube
