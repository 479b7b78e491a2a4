#include "apiserver/kinds/pod_spec_checks.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "apiserver/kinds/affinity_checks.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/container_checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/volume_checks.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

void ValidateId(const json::object& context, std::string_view field, const std::string& path,
                FieldErrors& errors) {
  const json::value* id = Find(context, {field});
  if (id == nullptr) return;
  const std::int64_t number = GetInt(context, {field});
  if (number < 0 || number > 2147483647) {
    errors.Invalid(Sub(path, field), *id, "must be between 0 and 2147483647, inclusive");
  }
}

void ValidatePodSecurityContext(const json::object& spec, const std::string& path,
                                FieldErrors& errors) {
  const json::object* context = FindObject(spec, {"securityContext"});
  const std::string at = Sub(path, "securityContext");
  if (context != nullptr) {
    ValidateId(*context, "fsGroup", at, errors);
    ValidateId(*context, "runAsUser", at, errors);
    ValidateId(*context, "runAsGroup", at, errors);
    if (const json::array* sysctls = FindArray(*context, {"sysctls"})) {
      for (std::size_t i = 0; i < sysctls->size(); ++i) {
        if (GetString(AsObject((*sysctls)[i]), {"name"}).empty()) {
          errors.Required(Sub(At(Sub(at, "sysctls"), i), "name"));
        }
      }
    }
  }
  if (GetBool(spec, {"hostPID"}) && GetBool(spec, {"shareProcessNamespace"})) {
    errors.Invalid(Sub(at, "shareProcessNamespace"), true,
                   "ShareProcessNamespace and HostPID cannot both be enabled");
  }
}

void ValidateHostNetwork(const json::object& spec, const std::string& path, FieldErrors& errors) {
  if (!GetBool(spec, {"hostNetwork"})) return;
  for (const std::string_view list : {"containers", "initContainers"}) {
    const json::array* containers = FindArray(spec, {list});
    if (containers == nullptr) continue;
    for (std::size_t i = 0; i < containers->size(); ++i) {
      const json::array* ports = FindArray(AsObject((*containers)[i]), {"ports"});
      if (ports == nullptr) continue;
      for (std::size_t j = 0; j < ports->size(); ++j) {
        const json::object& port = AsObject((*ports)[j]);
        const std::int64_t host_port = GetInt(port, {"hostPort"});
        if (host_port == GetInt(port, {"containerPort"})) continue;
        errors.Invalid(Sub(At(Sub(At(Sub(path, list), i), "ports"), j), "hostPort"), host_port,
                       "must match `containerPort` when `hostNetwork` is true");
      }
    }
  }
}

void ValidateDns(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const json::object* config = FindObject(spec, {"dnsConfig"});
  const std::string at = Sub(path, "dnsConfig");
  if (GetString(spec, {"dnsPolicy"}) == "None") {
    if (config == nullptr) {
      errors.Required(at, "must provide `dnsConfig` when `dnsPolicy` is None");
      return;
    }
    const json::array* servers = FindArray(*config, {"nameservers"});
    if (servers == nullptr || servers->empty()) {
      errors.Required(Sub(at, "nameservers"),
                      "must provide at least one DNS nameserver when `dnsPolicy` is None");
    }
  }
  if (config == nullptr) return;
  if (const json::array* servers = FindArray(*config, {"nameservers"})) {
    if (servers->size() > 3) errors.TooMany(Sub(at, "nameservers"), servers->size(), 3);
    for (std::size_t i = 0; i < servers->size(); ++i) {
      if (!syntax::IsIpAddress(AsText((*servers)[i]))) {
        errors.Invalid(At(Sub(at, "nameservers"), i), (*servers)[i],
                       "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
      }
    }
  }
  if (const json::array* searches = FindArray(*config, {"searches"})) {
    for (std::size_t i = 0; i < searches->size(); ++i) {
      std::string_view search = AsText((*searches)[i]);
      if (search != "." && search.ends_with('.')) search.remove_suffix(1);
      if (search == ".") continue;
      AddInvalid(At(Sub(at, "searches"), i), search, syntax::Dns1123SubdomainWithUnderscore(search),
                 errors);
    }
  }
  if (const json::array* options = FindArray(*config, {"options"})) {
    for (std::size_t i = 0; i < options->size(); ++i) {
      if (GetString(AsObject((*options)[i]), {"name"}).empty()) {
        errors.Required(At(Sub(at, "options"), i), "must not be empty");
      }
    }
  }
}

void ValidateHostAliases(const json::array& aliases, const std::string& path, FieldErrors& errors) {
  for (std::size_t i = 0; i < aliases.size(); ++i) {
    const json::object& alias = AsObject(aliases[i]);
    const std::string_view ip = GetString(alias, {"ip"});
    if (!syntax::IsIpAddress(ip)) {
      errors.Invalid(Sub(At(path, i), "ip"), ip,
                     "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
    const json::array* names = FindArray(alias, {"hostnames"});
    if (names == nullptr) continue;
    for (std::size_t j = 0; j < names->size(); ++j) {
      AddInvalid(At(Sub(At(path, i), "hostnames"), j), (*names)[j],
                 syntax::Dns1123Subdomain(AsText((*names)[j])), errors);
    }
  }
}

void ValidateResourceClaims(const json::object& spec, const std::string& path,
                            FieldErrors& errors) {
  const json::array* claims = FindArray(spec, {"resourceClaims"});
  if (claims == nullptr) return;
  for (std::size_t i = 0; i < claims->size(); ++i) {
    const json::object& claim = AsObject((*claims)[i]);
    const bool by_name = Find(claim, {"resourceClaimName"}) != nullptr;
    const bool by_template = Find(claim, {"resourceClaimTemplateName"}) != nullptr;
    const std::string_view name = GetString(claim, {"name"});
    if (name.empty()) {
      errors.Required(Sub(At(path, i), "name"));
    } else {
      AddInvalid(Sub(At(path, i), "name"), name, syntax::Dns1123Label(name), errors);
    }
    if (by_name && by_template) {
      errors.Invalid(At(path, i), claim,
                     "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be "
                     "specified");
    } else if (!by_name && !by_template) {
      errors.Invalid(At(path, i), claim,
                     "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
  }
}

void ValidateNames(const json::object& spec, const std::string& path, FieldErrors& errors) {
  for (const std::string_view field : {"serviceAccountName", "nodeName"}) {
    const std::string_view name = GetString(spec, {field});
    if (!name.empty()) {
      AddInvalid(Sub(path, field), name, syntax::NameIsDnsSubdomain(name, false), errors);
    }
  }
  if (const json::value* deadline = Find(spec, {"activeDeadlineSeconds"})) {
    const std::int64_t seconds = GetInt(spec, {"activeDeadlineSeconds"});
    if (seconds < 1 || seconds > 2147483647) {
      errors.Invalid(Sub(path, "activeDeadlineSeconds"), *deadline,
                     "must be between 1 and 2147483647, inclusive");
    }
  }
  for (const std::string_view field : {"hostname", "subdomain"}) {
    const std::string_view name = GetString(spec, {field});
    if (!name.empty()) AddInvalid(Sub(path, field), name, syntax::Dns1123Label(name), errors);
  }
}

}  // namespace

void ValidatePodSpec(const json::object& spec, const std::string& path, FieldErrors& errors) {
  if (const json::array* volumes = FindArray(spec, {"volumes"})) {
    ValidateVolumes(*volumes, Sub(path, "volumes"), errors);
  }
  ValidateResourceClaims(spec, Sub(path, "resourceClaims"), errors);
  ValidateContainers(spec, path, errors);
  RequireEnum(spec, "restartPolicy", path, {"Always", "OnFailure", "Never"}, errors);
  RequireEnum(spec, "dnsPolicy", path,
              {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"}, errors);
  ValidateLabels(FindObject(spec, {"nodeSelector"}), Sub(path, "nodeSelector"), errors);
  ValidateHostNetwork(spec, path, errors);
  ValidatePodSecurityContext(spec, path, errors);
  if (const json::object* affinity = FindObject(spec, {"affinity"})) {
    ValidateAffinity(*affinity, Sub(path, "affinity"), errors);
  }
  ValidateDns(spec, path, errors);
  if (const json::array* gates = FindArray(spec, {"readinessGates"})) {
    for (std::size_t i = 0; i < gates->size(); ++i) {
      const std::string_view type = GetString(AsObject((*gates)[i]), {"conditionType"});
      AddInvalid(Sub(At(Sub(path, "readinessGates"), i), "conditionType"), type,
                 syntax::QualifiedName(type), errors);
    }
  }
  if (const json::array* gates = FindArray(spec, {"schedulingGates"})) {
    ValidateSchedulingGates(*gates, Sub(path, "schedulingGates"), errors);
  }
  if (const json::array* constraints = FindArray(spec, {"topologySpreadConstraints"})) {
    ValidateTopologySpread(*constraints, Sub(path, "topologySpreadConstraints"), errors);
  }
  if (const json::object* os = FindObject(spec, {"os"})) {
    const std::string_view name = GetString(*os, {"name"});
    if (name.empty()) {
      errors.Required(Sub(Sub(path, "os"), "name"), "cannot be empty");
    } else if (name != "linux" && name != "windows") {
      errors.NotSupported(Sub(path, "os"), name, {"linux", "windows"});
    }
  }
  ValidateNames(spec, path, errors);
  if (const json::array* tolerations = FindArray(spec, {"tolerations"})) {
    ValidateTolerations(*tolerations, Sub(path, "tolerations"), errors);
  }
  if (const json::array* aliases = FindArray(spec, {"hostAliases"})) {
    ValidateHostAliases(*aliases, Sub(path, "hostAliases"), errors);
  }
  for (const std::string_view field : {"priorityClassName", "runtimeClassName"}) {
    const std::string_view name = GetString(spec, {field});
    if (!name.empty()) {
      AddInvalid(Sub(path, field), name, syntax::NameIsDnsSubdomain(name, false), errors);
    }
  }
  if (const json::value* policy = Find(spec, {"preemptionPolicy"});
      policy != nullptr && *policy != "PreemptLowerPriority" && *policy != "Never") {
    errors.NotSupported(Sub(path, "preemptionPolicy"), *policy, {"Never", "PreemptLowerPriority"});
  }
}

void ValidatePodTemplate(const json::object& pod_template, const std::string& path,
                         FieldErrors& errors) {
  ValidateLabels(FindObject(pod_template, {"metadata", "labels"}), Sub(path, "labels"), errors);
  ValidateAnnotations(FindObject(pod_template, {"metadata", "annotations"}),
                      Sub(path, "annotations"), errors);
  if (const json::object* spec = FindObject(pod_template, {"spec"})) {
    ValidatePodSpec(*spec, Sub(path, "spec"), errors);
    if (const json::array* ephemeral = FindArray(*spec, {"ephemeralContainers"});
        ephemeral != nullptr && !ephemeral->empty()) {
      errors.Forbidden(Sub(Sub(path, "spec"), "ephemeralContainers"),
                       "ephemeral containers not allowed in pod template");
    }
  }
}

}  // namespace basalt::apiserver
