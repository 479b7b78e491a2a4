#include "kube/types/pod_codec.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "kube/types/codec_impl.h"
#include "kube/types/intern.h"

namespace basalt::kube::json {
namespace {

bool ReadGate(Reader& reader, Value& value, std::string& out) {
  return ReadObject(reader, value, [&](std::string_view key, Value& field) {
    return key == "name" ? Read(reader, field, out) : true;
  });
}

// The part of a volume that its kind's key names: what identifies the disk, and whether it is only
// read.
bool ReadVolumeSource(Reader& reader, Value& value, Volume& out, Volume::Kind kind,
                      std::string_view id_key, std::string_view prefix = "") {
  out.kind = kind;
  return ReadObject(reader, value, [&](std::string_view key, Value& field) {
    if (key == "readOnly") return Read(reader, field, out.read_only);
    if (key != id_key) return true;
    std::string_view id;
    if (!ReadText(reader, field, id)) return false;
    out.source = fmt::format("{}{}", prefix, id);
    return true;
  });
}

// The kubelet repeats what a container asks for in its status. Only what differs from the spec can
// change what the pod is counted for (see pod_resources.h) and is worth keeping.
void DropUnchangedGrants(const SharedList<Container>& containers,
                         std::vector<ContainerStatus>& statuses) {
  for (ContainerStatus& status : statuses) {
    if (!status.granted) continue;
    const auto container = std::ranges::find(containers, status.name, &Container::name);
    if (container == containers.end()) continue;
    const ResourceList& asked = container->resources.requests;
    const ContainerStatus::Granted& granted = *status.granted;
    const bool same = granted.resources && granted.resources->requests == asked &&
                      (granted.allocated_resources.empty() || granted.allocated_resources == asked);
    if (same || !granted.resources) status.granted.reset();
  }
}

}  // namespace

bool Read(Reader& reader, Value& value, PreemptionPolicy& out) {
  return ReadEnum(reader, value, out, {{"Never", PreemptionPolicy::kNever}},
                  PreemptionPolicy::kPreemptLowerPriority);
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Volume& out) {
  using Kind = Volume::Kind;
  const auto source = [&](Kind kind, std::string_view id_key, std::string_view prefix = "") {
    return ReadVolumeSource(reader, value, out, kind, id_key, prefix);
  };
  if (key == "name") return Read(reader, value, out.name);
  if (key == "persistentVolumeClaim") return source(Kind::kPersistentVolumeClaim, "claimName");
  if (key == "ephemeral") return source(Kind::kEphemeral, "");
  if (key == "hostPath") return source(Kind::kHostPath, "path");
  if (key == "emptyDir") return source(Kind::kEmptyDir, "medium");
  if (key == "csi") return source(Kind::kCsi, "driver");
  if (key == "gcePersistentDisk") return source(Kind::kLegacyDisk, "pdName", "gce:");
  if (key == "awsElasticBlockStore") return source(Kind::kLegacyDisk, "volumeID", "aws:");
  if (key == "azureDisk") return source(Kind::kLegacyDisk, "diskName", "azure:");
  if (key == "iscsi") return source(Kind::kLegacyDisk, "iqn", "iscsi:");
  if (key == "rbd") return source(Kind::kLegacyDisk, "image", "rbd:");
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, PodResourceClaim& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "resourceClaimName") return Read(reader, value, out.resource_claim_name);
  if (key == "resourceClaimTemplateName") {
    return Read(reader, value, out.resource_claim_template_name);
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, PodSpec& out) {
  if (key == "containers") return Read(reader, value, out.containers);
  if (key == "initContainers") return Read(reader, value, out.init_containers);
  if (key == "resources") return Read(reader, value, out.resources);
  if (key == "overhead") return Read(reader, value, out.overhead);
  if (key == "nodeName") return Read(reader, value, out.node_name);
  if (key == "schedulerName") return Read(reader, value, out.scheduler_name);
  if (key == "priorityClassName") return Read(reader, value, out.priority_class_name);
  if (key == "priority") return Read(reader, value, out.priority);
  if (key == "preemptionPolicy") return Read(reader, value, out.preemption_policy);
  if (key == "restartPolicy") {
    return ReadEnum(reader, value, out.restart_policy,
                    {{"OnFailure", RestartPolicy::kOnFailure}, {"Never", RestartPolicy::kNever}},
                    RestartPolicy::kAlways);
  }
  if (key == "hostNetwork") return Read(reader, value, out.host_network);
  if (key == "terminationGracePeriodSeconds") {
    return Read(reader, value, out.termination_grace_period_seconds);
  }
  if (key == "activeDeadlineSeconds") return Read(reader, value, out.active_deadline_seconds);
  if (key == "nodeSelector") return Read(reader, value, out.node_selector);
  if (key == "affinity") return Read(reader, value, out.affinity);
  if (key == "tolerations") return Read(reader, value, out.tolerations);
  if (key == "topologySpreadConstraints") {
    return Read(reader, value, out.topology_spread_constraints);
  }
  if (key == "schedulingGates") {
    out.scheduling_gates.clear();
    return ReadArray(reader, value, [&](Value& element) {
      return ReadGate(reader, element, out.scheduling_gates.emplace_back());
    });
  }
  if (key == "volumes") return Read(reader, value, out.volumes);
  if (key == "resourceClaims") return Read(reader, value, out.resource_claims);
  if (key == "runtimeClassName") return Read(reader, value, out.runtime_class_name);
  if (key == "serviceAccountName") return Read(reader, value, out.service_account_name);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, PodStatus& out) {
  const auto granted = [&]() -> ContainerStatus::Granted& {
    return out.granted ? *out.granted : out.granted.emplace();
  };
  if (key == "phase") {
    return ReadEnum(reader, value, out.phase,
                    {{"", PodPhase::kPending},
                     {"Pending", PodPhase::kPending},
                     {"Running", PodPhase::kRunning},
                     {"Succeeded", PodPhase::kSucceeded},
                     {"Failed", PodPhase::kFailed}},
                    PodPhase::kUnknown);
  }
  if (key == "qosClass") {
    return ReadEnum(reader, value, out.qos_class,
                    {{"Guaranteed", QosClass::kGuaranteed},
                     {"Burstable", QosClass::kBurstable},
                     {"BestEffort", QosClass::kBestEffort}},
                    QosClass::kUnset);
  }
  if (key == "startTime") return Read(reader, value, out.start_time);
  if (key == "conditions") return Read(reader, value, out.conditions);
  if (key == "nominatedNodeName") return Read(reader, value, out.nominated_node_name);
  if (key == "reason") return Read(reader, value, out.reason);
  if (key == "message") return Read(reader, value, out.message);
  if (key == "podIP") return Read(reader, value, out.pod_ip);
  if (key == "hostIP") return Read(reader, value, out.host_ip);
  if (key == "containerStatuses") return Read(reader, value, out.container_statuses);
  if (key == "initContainerStatuses") return Read(reader, value, out.init_container_statuses);
  if (key == "resources") return Read(reader, value, granted().resources);
  if (key == "allocatedResources") return Read(reader, value, granted().allocated_resources);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Pod& out) {
  if (key == "spec") return Read(reader, value, out.spec);
  if (key == "status") return Read(reader, value, out.status);
  return true;
}

void Finish(Reader&, Pod& pod) {
  DropUnchangedGrants(pod.spec.containers, pod.status.container_statuses);
  DropUnchangedGrants(pod.spec.init_containers, pod.status.init_container_statuses);
  PodSpec& spec = pod.spec;
  spec.containers = Intern(std::move(spec.containers));
  spec.init_containers = Intern(std::move(spec.init_containers));
  spec.tolerations = Intern(std::move(spec.tolerations));
  spec.topology_spread_constraints = Intern(std::move(spec.topology_spread_constraints));
  spec.volumes = Intern(std::move(spec.volumes));
  if (spec.affinity) {
    const PartHash hash = PartHash().Add(*std::as_const(spec.affinity));
    spec.affinity = Intern(std::move(spec.affinity), hash);
  }
}

bool Read(Reader& reader, Value& value, PodTemplate& out) {
  Object object;
  if (value.get_object().get(object)) return reader.WrongType(value, "an object");
  std::string_view raw;
  if (const auto error = object.raw_json().get(raw)) return reader.Broken(error);
  out.raw = raw;
  bool empty = false;
  if (const auto error = object.reset().get(empty)) return reader.Broken(error);
  return ReadFields(reader, object, [&](std::string_view key, Value& field) {
    if (key == "spec") return Read(reader, field, out.spec);
    if (key != "metadata") return true;
    return ReadObject(reader, field, [&](std::string_view name, Value& part) {
      if (name == "labels") return Read(reader, part, out.labels);
      if (name == "annotations") return Read(reader, part, out.annotations);
      return true;
    });
  });
}

}  // namespace basalt::kube::json

namespace basalt::kube {
BASALT_CODEC(Pod);
}
