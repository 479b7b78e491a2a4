#include "kube/types/codec_impl.h"
#include "kube/types/namespace.h"
#include "kube/types/node.h"
#include "kube/types/pod_codec.h"
#include "kube/types/priority_class.h"

// Node, Namespace and PriorityClass.
namespace basalt::kube::json {

bool ReadField(Reader& reader, std::string_view key, Value& value, ContainerImage& out) {
  if (key == "names") return Read(reader, value, out.names);
  if (key == "sizeBytes") return Read(reader, value, out.size_bytes);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, NodeAddress& out) {
  if (key == "type") return Read(reader, value, out.type);
  if (key == "address") return Read(reader, value, out.address);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, NodeSpec& out) {
  if (key == "unschedulable") return Read(reader, value, out.unschedulable);
  if (key == "taints") return Read(reader, value, out.taints);
  if (key == "providerID") return Read(reader, value, out.provider_id);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, NodeStatus& out) {
  if (key == "capacity") return Read(reader, value, out.capacity);
  if (key == "allocatable") return Read(reader, value, out.allocatable);
  if (key == "conditions") return Read(reader, value, out.conditions);
  if (key == "images") return Read(reader, value, out.images);
  if (key == "addresses") return Read(reader, value, out.addresses);
  if (key == "volumesInUse") return Read(reader, value, out.volumes_in_use);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Node& out) {
  if (key == "spec") return Read(reader, value, out.spec);
  if (key == "status") return Read(reader, value, out.status);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Namespace& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "finalizers" ? Read(reader, field, out.finalizers) : true;
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "phase" ? ReadIs(reader, field, "Terminating", out.terminating) : true;
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, PriorityClass& out) {
  if (key == "value") return Read(reader, value, out.value);
  if (key == "globalDefault") return Read(reader, value, out.global_default);
  if (key == "preemptionPolicy") return Read(reader, value, out.preemption_policy);
  if (key == "description") return Read(reader, value, out.description);
  return true;
}

}  // namespace basalt::kube::json

namespace basalt::kube {
BASALT_CODEC(Node);
BASALT_CODEC(Namespace);
BASALT_CODEC(PriorityClass);
}  // namespace basalt::kube
