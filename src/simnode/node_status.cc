#include "simnode/node_status.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "kube/types/time.h"

namespace basalt::simnode {
namespace {

namespace json = boost::json;

struct WantedCondition {
  const char* type;
  bool value;
  const char* reason;
  const char* message;
};
constexpr WantedCondition kConditions[] = {
    {"MemoryPressure", false, "KubeletHasSufficientMemory",
     "kubelet has sufficient memory available"},
    {"DiskPressure", false, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
    {"PIDPressure", false, "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
    {"Ready", true, "KubeletReady", "the node is simulated"},
};
constexpr int kLeaseSeconds = 40;

bool Holds(const kube::Condition* condition, bool value) {
  return condition != nullptr && condition->status == (value ? kube::ConditionStatus::kTrue
                                                             : kube::ConditionStatus::kFalse);
}

std::string LabelOr(const kube::Node& node, std::string_view label, std::string_view otherwise) {
  return std::string(node.meta.labels.Get(label, otherwise));
}

json::object LeaseSpec(const kube::Node& node, Time now) {
  return {{"holderIdentity", node.meta.name},
          {"leaseDurationSeconds", kLeaseSeconds},
          {"renewTime", kube::FormatMicroTime(now)}};
}

}  // namespace

bool LooksHealthy(const kube::Node& node) {
  for (const WantedCondition& wanted : kConditions) {
    if (!Holds(kube::FindCondition(node.status.conditions, wanted.type), wanted.value))
      return false;
  }
  return !InternalIp(node).empty();
}

std::string InternalIp(const kube::Node& node) {
  for (const kube::NodeAddress& address : node.status.addresses) {
    if (address.type == "InternalIP") return address.address;
  }
  return {};
}

std::string HealthyStatusPatch(const kube::Node& node, Time now, const std::string& ip) {
  json::array conditions;
  for (const WantedCondition& wanted : kConditions) {
    json::object condition{{"type", wanted.type},
                           {"status", wanted.value ? "True" : "False"},
                           {"lastHeartbeatTime", kube::FormatTime(now)},
                           {"reason", wanted.reason},
                           {"message", wanted.message}};
    if (!Holds(kube::FindCondition(node.status.conditions, wanted.type), wanted.value)) {
      condition["lastTransitionTime"] = kube::FormatTime(now);
    }
    conditions.push_back(std::move(condition));
  }
  json::object status{{"conditions", std::move(conditions)}};
  if (InternalIp(node).empty()) {
    const std::string hostname = LabelOr(node, "kubernetes.io/hostname", node.meta.name);
    status["addresses"] = json::array{json::object{{"type", "InternalIP"}, {"address", ip}},
                                      json::object{{"type", "Hostname"}, {"address", hostname}}};
    status["nodeInfo"] = json::object{
        {"machineID", node.meta.uid},
        {"systemUUID", node.meta.uid},
        {"bootID", node.meta.uid},
        {"kernelVersion", "basalt-simulated"},
        {"osImage", "Basalt simulated node"},
        {"containerRuntimeVersion", "basalt://" BASALT_VERSION},
        {"kubeletVersion", "v1.36.0-basalt." BASALT_VERSION},
        {"kubeProxyVersion", ""},
        {"operatingSystem", LabelOr(node, "kubernetes.io/os", "linux")},
        {"architecture", LabelOr(node, "kubernetes.io/arch", "amd64")},
    };
  }
  return json::serialize(json::object{{"metadata", json::object{{"uid", node.meta.uid}}},
                                      {"status", std::move(status)}});
}

std::string NewLease(const kube::Node& node, Time now) {
  return json::serialize(
      json::object{{"apiVersion", "coordination.k8s.io/v1"},
                   {"kind", "Lease"},
                   {"metadata", json::object{{"name", node.meta.name},
                                             {"namespace", "kube-node-lease"},
                                             {"ownerReferences",
                                              json::array{json::object{{"apiVersion", "v1"},
                                                                       {"kind", "Node"},
                                                                       {"name", node.meta.name},
                                                                       {"uid", node.meta.uid}}}}}},
                   {"spec", LeaseSpec(node, now)}});
}

std::string LeaseRenewal(const kube::Node& node, Time now) {
  return json::serialize(json::object{{"spec", LeaseSpec(node, now)}});
}

}  // namespace basalt::simnode
