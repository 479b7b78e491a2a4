// What the parts of a pod's spec, or of a template's, must be to each other.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <map>
#include <set>
#include <string>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void FillPodSpec(json::object& spec) {
  // On the node's network a container's port is the node's.
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    json::array* containers = FindArray(spec, {list});
    if (containers == nullptr || !GetBool(spec, {"hostNetwork"})) continue;
    for (json::value& container : *containers) {
      json::array* ports = FindArray(AsObject(container), {"ports"});
      if (ports == nullptr) continue;
      for (json::value& item : *ports) {
        json::object& port = AsObject(item);
        const std::int64_t number = GetInt(port, {"containerPort"});
        if (number != 0) SetDefault(port, "hostPort", number);
      }
    }
  }
  // The old name of a field is kept in step with the new one.
  const std::string old_name(GetString(spec, {"serviceAccount"}));
  const std::string name(GetString(spec, {"serviceAccountName"}));
  if (!name.empty()) {
    spec["serviceAccount"] = name;
  } else if (!old_name.empty()) {
    spec["serviceAccountName"] = old_name;
  }
}

void CheckMounts(const json::object& container, const NameSet& volumes, const std::string& path,
                 FieldErrors& errors) {
  std::set<std::string_view> mount_paths;
  ForEachIn(container, "volumeMounts", path, [&](const json::object& mount, const std::string& at) {
    const std::string_view name = GetString(mount, {"name"});
    if (!volumes.contains(name)) errors.NotFound(Sub(at, "name"), name);
    const std::string_view mount_path = GetString(mount, {"mountPath"});
    if (!mount_paths.insert(mount_path).second) {
      errors.Invalid(Sub(at, "mountPath"), mount_path, "must be unique");
    }
  });
  ForEachIn(container, "volumeDevices", path, [&](const json::object& device, const auto& at) {
    const std::string_view name = GetString(device, {"name"});
    if (!volumes.contains(name)) errors.NotFound(Sub(at, "name"), name);
  });
}

// Only a sidecar runs beside the pod's containers and can be asked how it is.
void CheckInitContainer(const json::object& container, const std::string& path,
                        FieldErrors& errors) {
  if (GetString(container, {"restartPolicy"}) == "Always") return;
  for (const std::string_view part :
       {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
    if (FindObject(container, {part}) == nullptr) continue;
    errors.Forbidden(Sub(path, part),
                     "may not be set for init containers without restartPolicy=Always");
  }
}

void CheckContainers(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const NameSet volumes = NamesIn(ListOf(spec, "volumes"));
  const bool host_network = GetBool(spec, {"hostNetwork"});
  std::set<std::string_view> names;
  std::set<std::string> host_ports;  // two containers cannot both have a port of the node
  for (const std::string_view list : {"containers", "initContainers"}) {
    const bool init = list == "initContainers";
    ForEachIn(spec, list, path, [&](const json::object& container, const std::string& at) {
      const std::string_view name = GetString(container, {"name"});
      if (!name.empty() && !names.insert(name).second) errors.Duplicate(Sub(at, "name"), name);
      CheckMounts(container, volumes, at, errors);
      if (const json::object* resources = FindObject(container, {"resources"})) {
        ValidateResourceRequirements(*resources, spec, Sub(at, "resources"), errors);
      }
      if (init) CheckInitContainer(container, at, errors);
      ForEachIn(container, "ports", at, [&](const json::object& port, const std::string& port_at) {
        const std::int64_t number = GetInt(port, {"hostPort"});
        if (host_network && number != GetInt(port, {"containerPort"})) {
          errors.Invalid(Sub(port_at, "hostPort"), number,
                         "must match `containerPort` when `hostNetwork` is true");
        }
        if (number == 0 || init) return;
        const std::string key = fmt::format("{}/{}/{}", GetString(port, {"protocol"}),
                                            GetString(port, {"hostIP"}), number);
        if (!host_ports.insert(key).second) errors.Duplicate(Sub(port_at, "hostPort"), key);
      });
    });
  }
}

void CheckDns(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const json::object* config = FindObject(spec, {"dnsConfig"});
  if (GetString(spec, {"dnsPolicy"}) == "None") {
    if (config == nullptr) {
      errors.Required(path, "must provide `dnsConfig` when `dnsPolicy` is None");
    } else if (ListOf(*config, "nameservers").empty()) {
      errors.Required(Sub(path, "nameservers"),
                      "must provide at least one DNS nameserver when `dnsPolicy` is None");
    }
  }
  if (config == nullptr) return;
  ForEachIn(*config, "options", path, [&](const json::object& option, const std::string& at) {
    if (GetString(option, {"name"}).empty()) errors.Required(at, "must not be empty");
  });
}

// Of constraints that are the same the last one stands.
void CheckSpreads(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const auto key_of = [](const json::object& constraint) {
    return std::pair(GetString(constraint, {"topologyKey"}),
                     GetString(constraint, {"whenUnsatisfiable"}));
  };
  std::map<std::pair<std::string_view, std::string_view>, const json::object*> last;
  constexpr std::string_view kList = "topologySpreadConstraints";
  for (const json::value& item : ListOf(spec, kList))
    last[key_of(AsObject(item))] = &AsObject(item);
  ForEachIn(spec, kList, path, [&](const json::object& constraint, const std::string& at) {
    const auto key = key_of(constraint);
    if (last[key] == &constraint) return;
    errors.Duplicate(Sub(at, "{topologyKey, whenUnsatisfiable}"),
                     fmt::format("{{{}, {}}}", key.first, key.second));
  });
}

void CheckPodSpec(const json::object& spec, const std::string& path, FieldErrors& errors) {
  CheckContainers(spec, path, errors);
  CheckDns(spec, Sub(path, "dnsConfig"), errors);
  CheckSpreads(spec, path, errors);
  std::set<std::string_view> gates;
  ForEachIn(spec, "schedulingGates", path, [&](const json::object& gate, const std::string& at) {
    const std::string_view name = GetString(gate, {"name"});
    AddInvalid(at, name, syntax::QualifiedName(name), errors);
    if (!gates.insert(name).second) errors.Duplicate(at, name);
  });
  if (GetBool(spec, {"hostPID"}) && GetBool(spec, {"shareProcessNamespace"})) {
    errors.Invalid(Sub(path, "securityContext.shareProcessNamespace"), true,
                   "ShareProcessNamespace and HostPID cannot both be enabled");
  }
  if (const json::object* os = FindObject(spec, {"os"})) {
    const std::string_view name = GetString(*os, {"name"});
    if (name.empty()) {
      errors.Required(Sub(path, "os.name"), "cannot be empty");
    } else if (name != "linux" && name != "windows") {
      errors.NotSupported(Sub(path, "os"), name, {"linux", "windows"});
    }
  }
}

// spec.template of a workload: the metadata that pods get, and their spec.
void CheckPodTemplate(const json::object& pod, const std::string& path, FieldErrors& errors) {
  ValidateLabels(FindObject(pod, {"metadata", "labels"}), Sub(path, "labels"), errors);
  ValidateAnnotations(FindObject(pod, {"metadata", "annotations"}), Sub(path, "annotations"),
                      errors);
  if (!ListAt(pod, {"spec", "ephemeralContainers"}).empty()) {
    errors.Forbidden(Sub(path, "spec.ephemeralContainers"),
                     "ephemeral containers not allowed in pod template");
  }
}

constexpr TypeHooks kPodTypes[] = {
    {.type = "core.PodSpec", .fill = FillPodSpec, .check = CheckPodSpec},
    {.type = "core.PodTemplateSpec", .check = CheckPodTemplate},
};

}  // namespace

std::span<const TypeHooks> PodSpecHooks() { return kPodTypes; }

}  // namespace basalt::apiserver
