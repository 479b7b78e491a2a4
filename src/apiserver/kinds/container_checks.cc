#include "apiserver/kinds/container_checks.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <set>
#include <vector>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void ValidatePorts(const json::array& ports, const std::string& path, FieldErrors& errors) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const json::object& port = AsObject(ports[i]);
    const std::string at = At(path, i);
    const std::string_view name = GetString(port, {"name"});
    if (!name.empty()) {
      const syntax::Complaints complaints = syntax::PortName(name);
      AddInvalid(Sub(at, "name"), name, complaints, errors);
      if (complaints.empty() && !names.insert(name).second) {
        errors.Duplicate(Sub(at, "name"), name);
      }
    }
    const std::int64_t number = GetInt(port, {"containerPort"});
    if (number == 0) {
      errors.Required(Sub(at, "containerPort"));
    } else {
      AddInvalid(Sub(at, "containerPort"), number, syntax::PortNumber(number), errors);
    }
    const std::int64_t host_port = GetInt(port, {"hostPort"});
    if (host_port != 0) {
      AddInvalid(Sub(at, "hostPort"), host_port, syntax::PortNumber(host_port), errors);
    }
    RequireEnum(port, "protocol", at, {"SCTP", "TCP", "UDP"}, errors);
  }
}

void ValidateKeySelector(const json::object& selector, const std::string& path,
                         FieldErrors& errors) {
  const std::string_view name = GetString(selector, {"name"});
  AddInvalid(Sub(path, "name"), name, syntax::NameIsDnsSubdomain(name, false), errors);
  const std::string_view key = GetString(selector, {"key"});
  if (key.empty()) {
    errors.Required(Sub(path, "key"));
  } else {
    AddInvalid(Sub(path, "key"), key, syntax::ConfigMapKey(key), errors);
  }
}

constexpr std::array<std::string_view, 10> kEnvFields{
    "metadata.name",           "metadata.namespace", "metadata.uid", "spec.nodeName",
    "spec.serviceAccountName", "status.hostIP",      "status.podIP", "status.hostIPs",
    "status.podIPs",           "spec.schedulerName"};

void ValidateFieldRef(const json::object& ref, const std::string& path, FieldErrors& errors) {
  const std::string_view field = GetString(ref, {"fieldPath"});
  if (GetString(ref, {"apiVersion"}).empty()) errors.Required(Sub(path, "apiVersion"));
  if (field.empty()) {
    errors.Required(Sub(path, "fieldPath"));
    return;
  }
  if (field.starts_with("metadata.labels['") || field.starts_with("metadata.annotations['")) {
    return;
  }
  if (std::ranges::find(kEnvFields, field) != kEnvFields.end() || field == "spec.restartPolicy" ||
      field == "status.phase" || field == "spec.hostNetwork") {
    if (field == "spec.schedulerName" || field == "spec.restartPolicy" || field == "status.phase" ||
        field == "spec.hostNetwork") {
      errors.NotSupported(Sub(path, "fieldPath"), field,
                          {"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
                           "spec.serviceAccountName", "status.hostIP", "status.hostIPs",
                           "status.podIP", "status.podIPs"});
    }
    return;
  }
  errors.Invalid(Sub(path, "fieldPath"), field,
                 fmt::format("error converting fieldPath: field label not supported: {}", field));
}

void ValidateResourceFieldRef(const json::object& ref, const std::string& path,
                              FieldErrors& errors) {
  static const std::vector<std::string> kAllowed{
      "limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
      "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
  const std::string_view resource = GetString(ref, {"resource"});
  if (resource.empty()) {
    errors.Required(Sub(path, "resource"));
  } else if (std::ranges::find(kAllowed, resource) == kAllowed.end() &&
             !resource.starts_with("limits.hugepages-") &&
             !resource.starts_with("requests.hugepages-")) {
    errors.NotSupported(Sub(path, "resource"), resource, kAllowed);
  }
}

void ValidateEnv(const json::array& variables, const std::string& path, FieldErrors& errors) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const json::object& variable = AsObject(variables[i]);
    const std::string at = At(path, i);
    const std::string_view name = GetString(variable, {"name"});
    if (name.empty()) {
      errors.Required(Sub(at, "name"));
    } else {
      AddInvalid(Sub(at, "name"), name, syntax::EnvVarName(name), errors);
    }
    const json::object* from = FindObject(variable, {"valueFrom"});
    if (from == nullptr) continue;
    const std::string from_path = Sub(at, "valueFrom");
    std::size_t sources = 0;
    if (const json::object* ref = FindObject(*from, {"fieldRef"})) {
      ++sources;
      ValidateFieldRef(*ref, Sub(from_path, "fieldRef"), errors);
    }
    if (const json::object* ref = FindObject(*from, {"resourceFieldRef"})) {
      ++sources;
      ValidateResourceFieldRef(*ref, Sub(from_path, "resourceFieldRef"), errors);
    }
    for (const std::string_view source : {"configMapKeyRef", "secretKeyRef"}) {
      if (const json::object* ref = FindObject(*from, {source})) {
        ++sources;
        ValidateKeySelector(*ref, Sub(from_path, source), errors);
      }
    }
    if (FindObject(*from, {"fileKeyRef"}) != nullptr) ++sources;
    if (sources == 0) {
      errors.Invalid(from_path, "",
                     "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                     "`secretKeyRef` or `fileKeyRef`");
    } else if (!GetString(variable, {"value"}).empty()) {
      errors.Invalid(from_path, "", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      errors.Invalid(from_path, "", "may not have more than one field specified at a time");
    }
  }
}

void ValidateEnvFrom(const json::array& sources, const std::string& path, FieldErrors& errors) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const json::object& source = AsObject(sources[i]);
    const std::string at = At(path, i);
    const std::string_view prefix = GetString(source, {"prefix"});
    if (!prefix.empty()) {
      AddInvalid(Sub(at, "prefix"), prefix, syntax::EnvVarName(prefix), errors);
    }
    std::size_t count = 0;
    for (const std::string_view kind : {"configMapRef", "secretRef"}) {
      if (const json::object* ref = FindObject(source, {kind})) {
        ++count;
        const std::string_view name = GetString(*ref, {"name"});
        AddInvalid(Sub(Sub(at, kind), "name"), name, syntax::NameIsDnsSubdomain(name, false),
                   errors);
      }
    }
    if (count == 0) {
      errors.Invalid(at, "", "must specify one of: `configMapRef` or `secretRef`");
    } else if (count > 1) {
      errors.Invalid(at, "", "may not have more than one field specified at a time");
    }
  }
}

void ValidateMounts(const json::object& container, const NameSet& volumes, const std::string& path,
                    FieldErrors& errors) {
  std::set<std::string_view> mount_paths;
  const json::array& mounts = ListOf(container, "volumeMounts");
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const json::object& mount = AsObject(mounts[i]);
    const std::string at = At(Sub(path, "volumeMounts"), i);
    const std::string_view name = GetString(mount, {"name"});
    if (name.empty()) errors.Required(Sub(at, "name"));
    if (!volumes.contains(name)) errors.NotFound(Sub(at, "name"), name);
    const std::string_view mount_path = GetString(mount, {"mountPath"});
    if (mount_path.empty()) errors.Required(Sub(at, "mountPath"));
    if (!mount_paths.insert(mount_path).second) {
      errors.Invalid(Sub(at, "mountPath"), mount_path, "must be unique");
    }
    if (!GetString(mount, {"subPath"}).empty() && !GetString(mount, {"subPathExpr"}).empty()) {
      errors.Invalid(Sub(at, "subPathExpr"), GetString(mount, {"subPathExpr"}),
                     "subPathExpr and subPath are mutually exclusive");
    }
  }
  const json::array& devices = ListOf(container, "volumeDevices");
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const json::object& device = AsObject(devices[i]);
    const std::string at = At(Sub(path, "volumeDevices"), i);
    const std::string_view name = GetString(device, {"name"});
    if (name.empty()) errors.Required(Sub(at, "name"));
    if (!volumes.contains(name)) {
      errors.NotFound(Sub(at, "name"), name);
    }
    if (GetString(device, {"devicePath"}).empty()) errors.Required(Sub(at, "devicePath"));
  }
}

// A port by number or by name.
void ValidatePortRef(const json::object& holder, const std::string& path, FieldErrors& errors) {
  const json::value* port = Find(holder, {"port"});
  const json::value number = port ? *port : json::value(0);
  if (number.is_int64()) {
    AddInvalid(Sub(path, "port"), number, syntax::PortNumber(number.get_int64()), errors);
  } else if (number.is_string()) {
    AddInvalid(Sub(path, "port"), number, syntax::PortName(number.get_string()), errors);
  }
}

// Exactly one of exec, httpGet, tcpSocket, grpc, sleep.
void ValidateHandler(const json::object& handler, const std::string& path, FieldErrors& errors) {
  int handlers = 0;
  const auto claim = [&](std::string_view name) -> const json::object* {
    const json::object* found = FindObject(handler, {name});
    if (found == nullptr) return nullptr;
    if (handlers++ > 0) {
      errors.Forbidden(Sub(path, name), "may not specify more than 1 handler type");
      return nullptr;
    }
    return found;
  };
  if (const json::object* exec = claim("exec")) {
    if (ListOf(*exec, "command").empty()) errors.Required(Sub(Sub(path, "exec"), "command"));
  }
  if (const json::object* get = claim("httpGet")) {
    const std::string at = Sub(path, "httpGet");
    if (GetString(*get, {"path"}).empty()) errors.Required(Sub(at, "path"));
    ValidatePortRef(*get, at, errors);
    const std::string_view scheme = GetString(*get, {"scheme"});
    if (scheme != "HTTP" && scheme != "HTTPS") {
      errors.NotSupported(Sub(at, "scheme"), scheme, {"HTTP", "HTTPS"});
    }
  }
  if (const json::object* socket = claim("tcpSocket")) {
    ValidatePortRef(*socket, Sub(path, "tcpSocket"), errors);
  }
  if (const json::object* grpc = claim("grpc")) {
    const std::int64_t port = GetInt(*grpc, {"port"});
    AddInvalid(Sub(Sub(path, "grpc"), "port"), port, syntax::PortNumber(port), errors);
  }
  claim("sleep");
  if (handlers == 0) errors.Required(path, "must specify a handler type");
}

void ValidateProbe(const json::object& container, std::string_view name, const std::string& path,
                   FieldErrors& errors) {
  const json::object* probe = FindObject(container, {name});
  if (probe == nullptr) return;
  const std::string at = Sub(path, name);
  ValidateHandler(*probe, at, errors);
  for (const std::string_view field : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                                       "successThreshold", "failureThreshold"}) {
    RequireNonNegative(*probe, field, at, errors);
  }
  if (const json::value* grace = Find(*probe, {"terminationGracePeriodSeconds"});
      grace != nullptr && GetInt(*probe, {"terminationGracePeriodSeconds"}) <= 0) {
    errors.Invalid(Sub(at, "terminationGracePeriodSeconds"), *grace, "must be greater than 0");
  }
  const std::int64_t successes = GetInt(*probe, {"successThreshold"});
  if (name != "readinessProbe" && successes != 1 && successes >= 0) {
    errors.Invalid(Sub(at, "successThreshold"), successes, "must be 1");
  }
}

void ValidateSecurityContext(const json::object& container, const std::string& path,
                             FieldErrors& errors) {
  const json::object* context = FindObject(container, {"securityContext"});
  if (context == nullptr) return;
  const std::string at = Sub(path, "securityContext");
  for (const std::string_view field : {"runAsUser", "runAsGroup"}) {
    const json::value* id = Find(*context, {field});
    if (id == nullptr) continue;
    const std::int64_t number = GetInt(*context, {field});
    if (number < 0 || number > 2147483647) {
      errors.Invalid(Sub(at, field), *id, "must be between 0 and 2147483647, inclusive");
    }
  }
  const json::value* escalation = Find(*context, {"allowPrivilegeEscalation"});
  if (escalation != nullptr && *escalation == false && GetBool(*context, {"privileged"})) {
    errors.Invalid(at, *context,
                   "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
  }
}

void ValidateContainer(const json::object& container, const json::object& spec,
                       const NameSet& volumes, const std::string& path, FieldErrors& errors) {
  const std::string_view name = GetString(container, {"name"});
  if (name.empty()) {
    errors.Required(Sub(path, "name"));
  } else {
    AddInvalid(Sub(path, "name"), name, syntax::Dns1123Label(name), errors);
  }
  const std::string_view image = GetString(container, {"image"});
  if (image.empty()) {
    errors.Required(Sub(path, "image"));
  } else if (std::isspace(static_cast<unsigned char>(image.front())) ||
             std::isspace(static_cast<unsigned char>(image.back()))) {
    errors.Invalid(Sub(path, "image"), image, "must not have leading or trailing whitespace");
  }
  const std::string_view policy = GetString(container, {"terminationMessagePolicy"});
  if (policy.empty()) {
    errors.Required(Sub(path, "terminationMessagePolicy"));
  } else if (policy != "File" && policy != "FallbackToLogsOnError") {
    errors.NotSupported(Sub(path, "terminationMessagePolicy"), policy,
                        {"File", "FallbackToLogsOnError"});
  }
  ValidatePorts(ListOf(container, "ports"), Sub(path, "ports"), errors);
  ValidateEnv(ListOf(container, "env"), Sub(path, "env"), errors);
  ValidateEnvFrom(ListOf(container, "envFrom"), Sub(path, "envFrom"), errors);
  ValidateMounts(container, volumes, path, errors);
  RequireEnum(container, "imagePullPolicy", path, {"Always", "IfNotPresent", "Never"}, errors);
  if (const json::object* resources = FindObject(container, {"resources"})) {
    ValidateResourceRequirements(*resources, spec, Sub(path, "resources"), errors);
  }
  for (const json::value& item : ListOf(container, "resizePolicy")) {
    const json::object& resize = AsObject(item);
    const std::string_view resource = GetString(resize, {"resourceName"});
    if (resource != "cpu" && resource != "memory") {
      errors.NotSupported(Sub(path, "resizePolicy"), resource, {"cpu", "memory"});
    }
    const std::string_view restart = GetString(resize, {"restartPolicy"});
    if (restart != "NotRequired" && restart != "RestartContainer") {
      errors.NotSupported(Sub(path, "resizePolicy"), restart, {"NotRequired", "RestartContainer"});
    }
  }
  ValidateSecurityContext(container, path, errors);
}

// Two containers of a pod cannot both have a port of the node.
void ValidateHostPorts(const json::array& containers, const std::string& path,
                       FieldErrors& errors) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const json::array& ports = ListOf(AsObject(containers[i]), "ports");
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const json::object& port = AsObject(ports[j]);
      const std::int64_t number = GetInt(port, {"hostPort"});
      if (number == 0) continue;
      std::string key = fmt::format("{}/{}/{}", GetString(port, {"protocol"}),
                                    GetString(port, {"hostIP"}), number);
      if (taken.contains(key)) {
        errors.Duplicate(Sub(At(Sub(At(path, i), "ports"), j), "hostPort"), key);
      }
      taken.insert(std::move(key));
    }
  }
}

void ValidateLifecycle(const json::object& container, const std::string& path,
                       FieldErrors& errors) {
  for (const std::string_view hook : {"postStart", "preStop"}) {
    if (const json::object* handler = FindObject(container, {"lifecycle", hook})) {
      ValidateHandler(*handler, Sub(Sub(path, "lifecycle"), hook), errors);
    }
  }
}

}  // namespace

void ValidateContainers(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const json::array& containers = ListOf(spec, "containers");
  const std::string main_path = Sub(path, "containers");
  const NameSet volumes = NamesIn(ListOf(spec, "volumes"));
  std::set<std::string_view> names;
  if (containers.empty()) {
    errors.Required(main_path);
  } else {
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const json::object& container = AsObject(containers[i]);
      const std::string at = At(main_path, i);
      ValidateContainer(container, spec, volumes, at, errors);
      const std::string_view name = GetString(container, {"name"});
      if (!name.empty() && !names.insert(name).second) errors.Duplicate(Sub(at, "name"), name);
      ValidateLifecycle(container, at, errors);
      for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
        ValidateProbe(container, probe, at, errors);
      }
    }
    ValidateHostPorts(containers, main_path, errors);
  }

  const json::array& inits = ListOf(spec, "initContainers");
  const std::string init_path = Sub(path, "initContainers");
  for (std::size_t i = 0; i < inits.size(); ++i) {
    const json::object& container = AsObject(inits[i]);
    const std::string at = At(init_path, i);
    ValidateContainer(container, spec, volumes, at, errors);
    const std::string_view name = GetString(container, {"name"});
    if (!name.empty() && !names.insert(name).second) errors.Duplicate(Sub(at, "name"), name);
    const bool sidecar = GetString(container, {"restartPolicy"}) == "Always";
    for (const std::string_view part :
         {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      if (FindObject(container, {part}) == nullptr) continue;
      if (!sidecar) {
        errors.Forbidden(Sub(at, part),
                         "may not be set for init containers without restartPolicy=Always");
      } else if (part == "lifecycle") {
        ValidateLifecycle(container, at, errors);
      } else {
        ValidateProbe(container, part, at, errors);
      }
    }
  }
}

}  // namespace basalt::apiserver
