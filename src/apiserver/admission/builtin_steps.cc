#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "apiserver/admission/admission.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

bool Is(const AdmissionRequest& request, std::string_view group, std::string_view plural,
        std::string_view subresource = "") {
  return request.kind->group == group && request.kind->plural == plural &&
         request.subresource == subresource;
}

// `pods "x" is forbidden: DETAIL`, with the name that the request goes by.
std::unexpected<ApiStatus> Forbid(const AdmissionRequest& request, std::string_view detail) {
  std::string_view name = request.name;
  if (name.empty()) name = Name(request.object);
  if (name.empty()) name = GetString(request.object, {"metadata", "generateName"});
  return Refuse(refusal::Forbidden(*request.kind, name, detail));
}

bool IsSystemNamespace(std::string_view name) {
  return name == "default" || name == "kube-system" || name == "kube-public";
}

ApiResult<void> NamespaceLifecycle(const AdmissionRequest& request, const ObjectReader& objects) {
  if (request.operation == Operation::kDelete) {
    if (Is(request, "", "namespaces") && IsSystemNamespace(request.name)) {
      return Forbid(request, "this namespace may not be deleted");
    }
    return {};
  }
  if (!request.kind->namespaced || request.ns.empty() || request.operation != Operation::kCreate) {
    return {};
  }
  const std::optional<json::object> ns = objects.Get("", "namespaces", "", request.ns);
  if (!ns) {
    return Refuse(refusal::NotFound({.plural = "namespaces"}, request.ns));
  }
  if (GetString(*ns, {"status", "phase"}) == "Terminating") {
    const std::string why = fmt::format("namespace {} is being terminated", request.ns);
    auto refused = Forbid(request, why);
    refused.error().details->causes.push_back(
        {.reason = "NamespaceTerminating", .message = why, .field = "metadata.namespace"});
    return refused;
  }
  return {};
}

// The class that pods without one get: the least of those that claim to be it.
std::optional<json::object> DefaultPriorityClass(const ObjectReader& objects) {
  std::optional<json::object> chosen;
  for (json::object& candidate : objects.List("scheduling.k8s.io", "priorityclasses", "")) {
    if (!GetBool(candidate, {"globalDefault"})) continue;
    if (!chosen || GetInt(candidate, {"value"}) < GetInt(*chosen, {"value"})) {
      chosen = std::move(candidate);
    }
  }
  return chosen;
}

ApiResult<void> ResolvePriority(AdmissionRequest& request, const ObjectReader& objects) {
  json::object& spec = Child(request.object, "spec");
  if (request.operation == Operation::kUpdate) {
    for (const std::string_view field : {"priority", "preemptionPolicy"}) {
      if (Find(spec, {field}) != nullptr || !request.old_object) continue;
      if (const json::value* old = Find(*request.old_object, {"spec", field})) spec[field] = *old;
    }
    return {};
  }
  const std::string name(GetString(spec, {"priorityClassName"}));
  std::optional<json::object> chosen;
  if (name.empty()) {
    chosen = DefaultPriorityClass(objects);
    if (chosen) spec["priorityClassName"] = std::string(Name(*chosen));
  } else {
    chosen = objects.Get("scheduling.k8s.io", "priorityclasses", "", name);
    if (!chosen) {
      return Forbid(request, fmt::format("no PriorityClass with name {} was found", name));
    }
  }
  const std::int64_t priority = chosen ? GetInt(*chosen, {"value"}) : 0;
  if (Find(spec, {"priority"}) != nullptr && GetInt(spec, {"priority"}) != priority) {
    return Forbid(request,
                  fmt::format("priority is {} and that of its class {}: name the class alone",
                              GetInt(spec, {"priority"}), priority));
  }
  spec["priority"] = priority;
  std::string policy(chosen ? GetString(*chosen, {"preemptionPolicy"}) : std::string_view());
  if (policy.empty()) policy = "PreemptLowerPriority";
  const std::string_view given = GetString(spec, {"preemptionPolicy"});
  if (!given.empty() && given != policy) {
    return Forbid(
        request,
        fmt::format("preemptionPolicy is {} and that of its class {}: name the class alone", given,
                    policy));
  }
  spec["preemptionPolicy"] = policy;
  return {};
}

ApiResult<void> GuardPriorityClasses(const AdmissionRequest& request, const ObjectReader& objects) {
  if (request.operation == Operation::kDelete) {
    if (request.name == "system-node-critical" || request.name == "system-cluster-critical") {
      return Forbid(request, "this is a system priority class and cannot be deleted");
    }
    return {};
  }
  if (!GetBool(request.object, {"globalDefault"})) return {};
  const std::optional<json::object> other = DefaultPriorityClass(objects);
  if (other && Name(*other) != Name(request.object)) {
    return Forbid(request,
                  fmt::format("PriorityClass {} is already marked as default. Only one default can "
                              "exist",
                              Name(*other)));
  }
  return {};
}

// Pods outlive five minutes of their node's absence unless they say otherwise.
void TolerateAbsence(json::object& pod) {
  json::object& spec = Child(pod, "spec");
  const auto tolerates = [&](std::string_view taint) {
    const json::array& list = ListOf(spec, "tolerations");
    return std::ranges::any_of(list, [taint](const json::value& item) {
      const std::string_view key = GetString(AsObject(item), {"key"});
      const std::string_view effect = GetString(AsObject(item), {"effect"});
      return (key.empty() || key == taint) && (effect.empty() || effect == "NoExecute");
    });
  };
  for (const std::string_view taint :
       {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    if (tolerates(taint)) continue;
    json::value& list = spec["tolerations"];
    if (!list.is_array()) list.emplace_array();
    list.get_array().push_back({{"key", taint},
                                {"operator", "Exists"},
                                {"effect", "NoExecute"},
                                {"tolerationSeconds", 300}});
  }
}

// There are no runtime classes here, so that none can be found.
ApiResult<void> CheckRuntimeClass(const AdmissionRequest& request) {
  const std::string_view name = GetString(request.object, {"spec", "runtimeClassName"});
  if (!name.empty()) {
    return Forbid(request, fmt::format("pod rejected: RuntimeClass \"{}\" not found", name));
  }
  const json::object* overhead = FindObject(request.object, {"spec", "overhead"});
  if (overhead != nullptr && !overhead->empty()) {
    return Forbid(request,
                  "pod rejected: Pod Overhead set without corresponding "
                  "RuntimeClass defined Overhead");
  }
  return {};
}

// The newest of the classes that are marked as the default.
void SetDefaultStorageClass(json::object& claim, const ObjectReader& objects) {
  if (Find(claim, {"spec", "storageClassName"}) != nullptr) return;
  if (!GetString(claim, {"metadata", "annotations", "volume.beta.kubernetes.io/storage-class"})
           .empty()) {
    return;
  }
  std::string chosen;
  std::string created;
  for (const json::object& candidate : objects.List("storage.k8s.io", "storageclasses", "")) {
    if (GetString(candidate, {"metadata", "annotations",
                              "storageclass.kubernetes.io/is-default-class"}) != "true") {
      continue;
    }
    const std::string_view at = GetString(candidate, {"metadata", "creationTimestamp"});
    if (!chosen.empty() && at <= created) continue;
    chosen = Name(candidate);
    created = at;
  }
  if (!chosen.empty()) Child(claim, "spec")["storageClassName"] = chosen;
}

// What is bound to a node carries its zone and region.
void CopyTopology(AdmissionRequest& request, std::string_view node_name,
                  const ObjectReader& objects) {
  if (node_name.empty()) return;
  const std::optional<json::object> node = objects.Get("", "nodes", "", node_name);
  if (!node) return;
  for (const std::string_view label :
       {"topology.kubernetes.io/region", "topology.kubernetes.io/zone"}) {
    if (const json::value* value = Find(*node, {"metadata", "labels", label})) {
      Child(Metadata(request.object), "labels")[label] = *value;
    }
  }
}

ApiResult<void> AdmitPod(AdmissionRequest& request, const ObjectReader& objects) {
  if (ApiResult<void> result = ResolvePriority(request, objects); !result) return result;
  TolerateAbsence(request.object);
  if (request.operation != Operation::kCreate) return {};
  if (ApiResult<void> result = CheckRuntimeClass(request); !result) return result;
  CopyTopology(request, std::string(GetString(request.object, {"spec", "nodeName"})), objects);
  return {};
}

void GiveAddress(json::object& service, const ObjectReader& objects, ServiceAddresses& addresses) {
  json::object& spec = Child(service, "spec");
  if (GetString(spec, {"type"}) == "ExternalName") return;
  if (!GetString(spec, {"clusterIP"}).empty()) return;
  const std::string address = addresses.Next(objects);
  spec["clusterIP"] = address;
  spec["clusterIPs"] = json::array{json::string(address)};
}

constexpr std::uint32_t kFirstAddress = (10u << 24) | (104u << 16);  // 10.104.0.0
constexpr std::uint32_t kLastAddress = (10u << 24) | (111u << 16) | 0xffffu;

std::optional<std::uint32_t> ParseAddress(std::string_view text) {
  in_addr address;
  if (inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

}  // namespace

std::string ServiceAddresses::Next(const ObjectReader& objects) {
  if (last_ == 0) {
    last_ = kFirstAddress;
    for (const json::object& service : objects.List("", "services", "")) {
      const auto taken = ParseAddress(GetString(service, {"spec", "clusterIP"}));
      if (taken && *taken >= kFirstAddress && *taken <= kLastAddress)
        last_ = std::max(last_, *taken);
    }
  }
  last_ = last_ >= kLastAddress ? kFirstAddress + 1
                                : last_ + 1;  // half a million later: from the beginning
  return fmt::format("{}.{}.{}.{}", last_ >> 24, last_ >> 16 & 255, last_ >> 8 & 255, last_ & 255);
}

ApiResult<void> AdmitBuiltin(AdmissionRequest& request, const ObjectReader& objects,
                             ServiceAddresses& addresses) {
  if (ApiResult<void> result = NamespaceLifecycle(request, objects); !result) return result;
  const bool writes =
      request.operation == Operation::kCreate || request.operation == Operation::kUpdate;
  if (Is(request, "", "pods") && writes) return AdmitPod(request, objects);
  if (Is(request, "scheduling.k8s.io", "priorityclasses")) {
    return GuardPriorityClasses(request, objects);
  }
  if (request.operation != Operation::kCreate) return {};
  if (Is(request, "", "persistentvolumeclaims")) {
    SetDefaultStorageClass(request.object, objects);
    AddToList(Metadata(request.object), "finalizers", "kubernetes.io/pvc-protection");
  } else if (Is(request, "", "persistentvolumes")) {
    AddToList(Metadata(request.object), "finalizers", "kubernetes.io/pv-protection");
  } else if (Is(request, "", "services")) {
    GiveAddress(request.object, objects, addresses);
  } else if (Is(request, "", "pods", "binding")) {
    CopyTopology(request, std::string(GetString(request.object, {"target", "name"})), objects);
  }
  return {};
}

}  // namespace basalt::apiserver
