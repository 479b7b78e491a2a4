// Containers of a pod. What needs the rest of the pod is in pod_spec_checks.cc.
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <string>
#include <vector>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

// Whether the image is the newest of its name: no tag and no digest, or the tag latest.
bool IsLatest(std::string_view image) {
  if (image.find('@') != image.npos) return false;
  const std::size_t slash = image.rfind('/');
  const std::string_view last = slash == image.npos ? image : image.substr(slash + 1);
  const std::size_t colon = last.rfind(':');
  return colon == last.npos || last.substr(colon + 1) == "latest";
}

void FillContainer(json::object& container) {
  SetDefault(container, "imagePullPolicy",
             IsLatest(GetString(container, {"image"})) ? "Always" : "IfNotPresent");
}

// Environment

void CheckEnvField(std::string_view field, const std::string& path, FieldErrors& errors) {
  static const std::vector<std::string> kEnvFields{
      "metadata.name", "metadata.namespace",      "metadata.uid",
      "spec.nodeName", "spec.serviceAccountName", "status.hostIP",
      "status.podIP",  "status.hostIPs",          "status.podIPs"};
  // Known, but nothing that a container's environment shows.
  constexpr std::array<std::string_view, 4> kOtherFields{"spec.schedulerName", "spec.restartPolicy",
                                                         "status.phase", "spec.hostNetwork"};
  if (field.empty() || field.starts_with("metadata.labels['") ||
      field.starts_with("metadata.annotations['") ||
      std::ranges::find(kEnvFields, field) != kEnvFields.end()) {
    return;
  }
  if (std::ranges::find(kOtherFields, field) != kOtherFields.end()) {
    errors.NotSupported(path, field, kEnvFields);
  } else {
    errors.Invalid(path, field, "is not a field of a pod that can be shown");
  }
}

void CheckEnvResource(std::string_view resource, const std::string& path, FieldErrors& errors) {
  static const std::vector<std::string> kEnvResources{
      "limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
      "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
  if (resource.empty() || resource.starts_with("limits.hugepages-") ||
      resource.starts_with("requests.hugepages-") ||
      std::ranges::find(kEnvResources, resource) != kEnvResources.end()) {
    return;
  }
  errors.NotSupported(path, resource, kEnvResources);
}

void CheckEnvVar(const json::object& variable, const std::string& path, FieldErrors& errors) {
  const json::object* from = FindObject(variable, {"valueFrom"});
  if (from == nullptr) return;
  const std::string at = Sub(path, "valueFrom");
  CheckEnvField(GetString(*from, {"fieldRef", "fieldPath"}), Sub(at, "fieldRef.fieldPath"), errors);
  CheckEnvResource(GetString(*from, {"resourceFieldRef", "resource"}),
                   Sub(at, "resourceFieldRef.resource"), errors);
  if (from->empty()) {
    errors.Invalid(at, "",
                   "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                   "`secretKeyRef` or `fileKeyRef`");
  } else if (!GetString(variable, {"value"}).empty()) {
    errors.Invalid(at, "", "may not be specified when `value` is not empty");
  } else if (from->size() > 1) {
    errors.Invalid(at, "", "may not have more than one field specified at a time");
  }
}

void CheckSecurityContext(const json::object& context, const std::string& path,
                          FieldErrors& errors) {
  const json::value* escalation = Find(context, {"allowPrivilegeEscalation"});
  if (escalation != nullptr && *escalation == false && GetBool(context, {"privileged"})) {
    errors.Invalid(path, context,
                   "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
  }
}

void CheckMount(const json::object& mount, const std::string& path, FieldErrors& errors) {
  const std::string_view expression = GetString(mount, {"subPathExpr"});
  if (!expression.empty() && !GetString(mount, {"subPath"}).empty()) {
    errors.Invalid(Sub(path, "subPathExpr"), expression,
                   "subPathExpr and subPath are mutually exclusive");
  }
}

void CheckContainer(const json::object& container, const std::string& path, FieldErrors& errors) {
  for (const json::value& item : ListOf(container, "resizePolicy")) {
    const std::string at = Sub(path, "resizePolicy");
    const std::string_view resource = GetString(AsObject(item), {"resourceName"});
    if (resource != "cpu" && resource != "memory") {
      errors.NotSupported(at, resource, {"cpu", "memory"});
    }
    const std::string_view restart = GetString(AsObject(item), {"restartPolicy"});
    if (restart != "NotRequired" && restart != "RestartContainer") {
      errors.NotSupported(at, restart, {"NotRequired", "RestartContainer"});
    }
  }
  for (const std::string_view name : {"livenessProbe", "startupProbe"}) {
    const json::object* probe = FindObject(container, {name});
    const std::int64_t successes = probe == nullptr ? 1 : GetInt(*probe, {"successThreshold"});
    if (successes != 1 && successes >= 0) {
      errors.Invalid(Sub(Sub(path, name), "successThreshold"), successes, "must be 1");
    }
  }
}

constexpr TypeHooks kContainerTypes[] = {
    {.type = "core.Container", .fill = FillContainer, .check = CheckContainer},
    {.type = "core.EphemeralContainer", .fill = FillContainer},
    {.type = "core.EnvVar", .check = CheckEnvVar},
    {.type = "core.SecurityContext", .check = CheckSecurityContext},
    {.type = "core.VolumeMount", .check = CheckMount},
};

}  // namespace

std::span<const TypeHooks> ContainerHooks() { return kContainerTypes; }

}  // namespace basalt::apiserver
