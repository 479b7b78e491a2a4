#include "apiserver/kinds/pod_defaults.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

template <class Fn>
void ForEachObject(json::object& object, FieldPath path, Fn fn) {
  json::array* list = FindArray(object, path);
  if (list == nullptr) return;
  for (json::value& item : *list) {
    if (item.is_object()) fn(item.get_object());
  }
}

// Whether the image is the newest of its name: no tag and no digest, or the tag latest.
bool IsLatest(std::string_view image) {
  if (image.find('@') != image.npos) return false;
  const std::size_t slash = image.rfind('/');
  const std::string_view last = slash == image.npos ? image : image.substr(slash + 1);
  const std::size_t colon = last.rfind(':');
  return colon == last.npos || last.substr(colon + 1) == "latest";
}

void DefaultHttpGet(json::object& holder) {
  if (json::object* get = FindObject(holder, {"httpGet"})) {
    SetDefault(*get, "path", "/");
    SetDefault(*get, "scheme", "HTTP");
  }
}

void DefaultProbe(json::object& container, std::string_view name) {
  json::object* probe = FindObject(container, {name});
  if (probe == nullptr) return;
  DefaultHttpGet(*probe);
  if (json::object* grpc = FindObject(*probe, {"grpc"})) SetDefault(*grpc, "service", "");
  SetDefault(*probe, "timeoutSeconds", 1);
  SetDefault(*probe, "periodSeconds", 10);
  SetDefault(*probe, "successThreshold", 1);
  SetDefault(*probe, "failureThreshold", 3);
}

void DefaultContainer(json::object& container, bool host_network) {
  SetDefault(container, "imagePullPolicy",
             IsLatest(GetString(container, {"image"})) ? "Always" : "IfNotPresent");
  SetDefault(container, "terminationMessagePath", "/dev/termination-log");
  SetDefault(container, "terminationMessagePolicy", "File");
  ForEachObject(container, {"ports"}, [host_network](json::object& port) {
    SetDefault(port, "protocol", "TCP");
    if (host_network && GetInt(port, {"hostPort"}) == 0 && GetInt(port, {"containerPort"}) != 0) {
      port["hostPort"] = GetInt(port, {"containerPort"});
    }
  });
  ForEachObject(container, {"env"}, [](json::object& env) {
    if (json::object* ref = FindObject(env, {"valueFrom", "fieldRef"})) {
      SetDefault(*ref, "apiVersion", "v1");
    }
  });
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    DefaultProbe(container, probe);
  }
  for (const std::string_view hook : {"postStart", "preStop"}) {
    if (json::object* handler = FindObject(container, {"lifecycle", hook})) {
      DefaultHttpGet(*handler);
    }
  }
}

void DefaultDownwardItems(json::object& source) {
  ForEachObject(source, {"items"}, [](json::object& item) {
    if (json::object* ref = FindObject(item, {"fieldRef"})) SetDefault(*ref, "apiVersion", "v1");
  });
}

void DefaultVolume(json::object& volume) {
  if (volume.size() <= 1) volume["emptyDir"] = json::object();
  for (const std::string_view source : {"secret", "configMap", "downwardAPI", "projected"}) {
    if (json::object* found = FindObject(volume, {source})) {
      SetDefault(*found, "defaultMode", 420);
    }
  }
  if (json::object* downward = FindObject(volume, {"downwardAPI"})) DefaultDownwardItems(*downward);
  ForEachObject(volume, {"projected", "sources"}, [](json::object& source) {
    if (json::object* downward = FindObject(source, {"downwardAPI"})) {
      DefaultDownwardItems(*downward);
    }
    if (json::object* token = FindObject(source, {"serviceAccountToken"})) {
      SetDefault(*token, "expirationSeconds", 3600);
    }
  });
  if (json::object* host_path = FindObject(volume, {"hostPath"}))
    SetDefault(*host_path, "type", "");
  if (json::object* iscsi = FindObject(volume, {"iscsi"})) {
    SetDefault(*iscsi, "iscsiInterface", "default");
  }
  if (json::object* claim = FindObject(volume, {"ephemeral", "volumeClaimTemplate", "spec"})) {
    DefaultClaimSpec(*claim);
  }
}

void DefaultRequests(json::object& container) {
  const json::object* limits = FindObject(container, {"resources", "limits"});
  if (limits == nullptr) return;
  const json::object copy = *limits;
  json::object& requests = Child(Child(container, "resources"), "requests");
  for (const auto& [name, amount] : copy) SetDefault(requests, name, amount);
}

}  // namespace

void SetDefault(json::object& object, std::string_view key, json::value value) {
  const json::value* found = object.if_contains(key);
  if (found == nullptr || found->is_null()) object[key] = std::move(value);
}

void DefaultClaimSpec(json::object& claim_spec) {
  SetDefault(claim_spec, "volumeMode", "Filesystem");
}

void DefaultPodSpec(json::object& spec) {
  const bool host_network = GetBool(spec, {"hostNetwork"});
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    ForEachObject(spec, {list},
                  [=](json::object& container) { DefaultContainer(container, host_network); });
  }
  ForEachObject(spec, {"volumes"}, DefaultVolume);
  SetDefault(spec, "dnsPolicy", "ClusterFirst");
  SetDefault(spec, "restartPolicy", "Always");
  SetDefault(spec, "terminationGracePeriodSeconds", 30);
  SetDefault(spec, "schedulerName", "default-scheduler");
  SetDefault(spec, "securityContext", json::object());
  // The old name of a field is kept in step with the new one.
  if (GetString(spec, {"serviceAccountName"}).empty()) {
    const std::string old_name(GetString(spec, {"serviceAccount"}));
    if (!old_name.empty()) spec["serviceAccountName"] = old_name;
  } else {
    spec["serviceAccount"] = std::string(GetString(spec, {"serviceAccountName"}));
  }
}

void DefaultPod(json::object& pod) {
  json::object& spec = Child(pod, "spec");
  for (const std::string_view list : {"initContainers", "containers"}) {
    ForEachObject(spec, {list}, DefaultRequests);
  }
  if (FindObject(spec, {"resources"}) != nullptr) DefaultRequests(spec);
  if (Find(spec, {"enableServiceLinks"}) == nullptr) spec["enableServiceLinks"] = true;
}

}  // namespace basalt::apiserver
