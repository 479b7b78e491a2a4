// Pods: what is filled in, what the parts of a spec (or of a template's) must be to each other, and
// what of them may change.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

// podIP and the first of podIPs are one value; the former wins.
void AlignIps(json::object& pod) {
  json::object* status = FindObject(pod, {"status"});
  if (status == nullptr) return;
  const std::string ip(GetString(*status, {"podIP"}));
  const json::array& list = ListOf(*status, "podIPs");
  const std::string first(list.empty() ? "" : GetString(AsObject(list[0]), {"ip"}));
  if (!ip.empty() && ip != first) (*status)["podIPs"] = {{{"ip", ip}}};
  if (ip.empty() && !first.empty()) (*status)["podIP"] = first;
}

bool IsGated(const json::object& pod) { return !ListAt(pod, {"spec", "schedulingGates"}).empty(); }

// What is asked for where only the most is said.
void FillRequests(json::object& container) {
  const json::object limits = ObjectOf(ObjectOf(container, "resources"), "limits");
  for (const auto& [name, amount] : limits) {
    SetDefault(Child(Child(container, "resources"), "requests"), name, amount);
  }
}

void FillPod(json::object& pod) {
  json::object& spec = Child(pod, "spec");
  for (const std::string_view list : {"initContainers", "containers"}) {
    for (json::value& container : ListIn(spec, list)) FillRequests(AsObject(container));
  }
  FillRequests(spec);
  // A grace that is less than nothing is the shortest one there is.
  if (GetInt(spec, {"terminationGracePeriodSeconds"}) < 0) {
    spec["terminationGracePeriodSeconds"] = 1;
  }
  AlignIps(pod);
}

// Keys that the pod has no label of ask for nothing.
void MergeKeys(json::object& term, std::string_view field, std::string_view op,
               const json::object& labels) {
  const json::array* keys = FindArray(term, {field});
  json::object* selector = FindObject(term, {"labelSelector"});
  if (keys == nullptr || selector == nullptr) return;  // no selector: it selects nothing
  json::array wanted;
  for (const json::value& key : *keys) {
    const json::value* value = labels.if_contains(AsText(key));
    if (value == nullptr) continue;
    wanted.push_back(
        json::object{{"key", AsText(key)}, {"operator", op}, {"values", json::array{*value}}});
  }
  if (wanted.empty()) return;
  json::value& expressions = (*selector)["matchExpressions"];
  if (!expressions.is_array()) expressions.emplace_array();
  expressions.get_array().insert(expressions.get_array().end(), wanted.begin(), wanted.end());
}

void MergeTerm(json::object& term, const json::object& labels) {
  MergeKeys(term, "matchLabelKeys", "In", labels);
  MergeKeys(term, "mismatchLabelKeys", "NotIn", labels);
}

// A new pod's matchLabelKeys and mismatchLabelKeys, in its pod affinities and spread constraints,
// become requirements of the selectors beside them: schedulers look at the selectors alone.
void MergeLabelKeys(json::object& pod) {
  const json::object labels = ObjectOf(ObjectOf(pod, "metadata"), "labels");
  json::object& spec = Child(pod, "spec");
  for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
    json::object* affinity = FindObject(spec, {"affinity", kind});
    if (affinity == nullptr) continue;
    for (json::value& term : ListIn(*affinity, "requiredDuringSchedulingIgnoredDuringExecution")) {
      MergeTerm(AsObject(term), labels);
    }
    for (json::value& wish : ListIn(*affinity, "preferredDuringSchedulingIgnoredDuringExecution")) {
      MergeTerm(Child(AsObject(wish), "podAffinityTerm"), labels);
    }
  }
  for (json::value& constraint : ListIn(spec, "topologySpreadConstraints")) {
    MergeTerm(AsObject(constraint), labels);
  }
}

void PreparePod(json::object& pod, Time now) {
  MergeLabelKeys(pod);
  json::object status{{"phase", "Pending"}, {"qosClass", QosClass(ObjectOf(pod, "spec"))}};
  if (IsGated(pod)) {
    status["conditions"] = {
        {{"type", "PodScheduled"},
         {"status", "False"},
         {"lastProbeTime", nullptr},
         {"lastTransitionTime", FormatTime(now)},
         {"reason", "SchedulingGated"},
         {"message", "Scheduling is blocked due to non-empty scheduling gates"}}};
  }
  pod["status"] = std::move(status);
}

void PreparePodStatus(json::object& pod, const json::object& old) {
  Restore(Metadata(pod), ObjectOf(old, "metadata"), "ownerReferences");
  if (Find(pod, {"status", "qosClass"}) == nullptr) {
    Restore(Child(pod, "status"), ObjectOf(old, "status"), "qosClass");
  }
}

json::array PodRowConditions(const json::object& pod) {
  const std::string_view phase = GetString(pod, {"status", "phase"});
  if (phase != "Succeeded" && phase != "Failed") return {};
  return {
      {{"type", "Completed"},
       {"status", "True"},
       {"reason", phase},
       {"message", phase == "Failed" ? "The pod failed." : "The pod has completed successfully."}}};
}

// Whether the image is the newest of its name: no tag and no digest, or the tag latest.
bool IsLatest(std::string_view image) {
  if (image.find('@') != image.npos) return false;
  const std::string_view last = image.substr(image.rfind('/') + 1);  // of all where there is none
  const std::size_t colon = last.rfind(':');
  return colon == last.npos || last.substr(colon + 1) == "latest";
}

void FillContainer(json::object& container) {
  SetDefault(container, "imagePullPolicy",
             IsLatest(GetString(container, {"image"})) ? "Always" : "IfNotPresent");
}

void FillVolume(json::object& volume) {
  if (volume.size() <= 1) volume["emptyDir"] = json::object();
}

void FillPodSpec(json::object& spec) {
  // On the node's network a container's port is the node's.
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    if (!GetBool(spec, {"hostNetwork"})) break;
    for (json::value& container : ListIn(spec, list)) {
      for (json::value& item : ListIn(AsObject(container), "ports")) {
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
  for (const std::string_view list : {"volumeMounts", "volumeDevices"}) {
    ForEachIn(container, list, path, [&](const json::object& mount, const std::string& at) {
      const std::string_view name = GetString(mount, {"name"});
      if (!volumes.contains(name)) errors.NotFound(Sub(at, "name"), name);
      const std::string_view mount_path = GetString(mount, {"mountPath"});
      if (list == "volumeMounts" && !mount_paths.insert(mount_path).second) {
        errors.Invalid(Sub(at, "mountPath"), mount_path, "must be unique");
      }
    });
  }
}

void CheckContainers(const json::object& spec, const std::string& path, FieldErrors& errors) {
  const NameSet volumes = NamesIn(ListOf(spec, "volumes"));
  const bool host_network = GetBool(spec, {"hostNetwork"});
  std::set<std::string_view> names;
  std::set<std::string> host_ports;  // two containers cannot both have a port of the node
  for (const std::string_view list : {"containers", "initContainers"}) {
    ForEachIn(spec, list, path, [&](const json::object& container, const std::string& at) {
      const std::string_view name = GetString(container, {"name"});
      if (!name.empty() && !names.insert(name).second) errors.Duplicate(Sub(at, "name"), name);
      CheckMounts(container, volumes, at, errors);
      if (const json::object* resources = FindObject(container, {"resources"})) {
        ValidateResourceRequirements(*resources, spec, Sub(at, "resources"), errors);
      }
      ForEachIn(container, "ports", at, [&](const json::object& port, const std::string& port_at) {
        const std::int64_t number = GetInt(port, {"hostPort"});
        if (host_network && number != GetInt(port, {"containerPort"})) {
          errors.Invalid(Sub(port_at, "hostPort"), number,
                         "must match `containerPort` when `hostNetwork` is true");
        }
        if (number == 0 || list == "initContainers") return;
        const std::string key = fmt::format("{}/{}/{}", GetString(port, {"protocol"}),
                                            GetString(port, {"hostIP"}), number);
        if (!host_ports.insert(key).second) errors.Duplicate(Sub(port_at, "hostPort"), key);
      });
    });
  }
}

void CheckPodSpec(const json::object& spec, const std::string& path, FieldErrors& errors) {
  CheckContainers(spec, path, errors);
  // Of constraints that are the same the last one stands.
  std::set<std::string> seen;
  const json::array& spreads = ListOf(spec, "topologySpreadConstraints");
  for (std::size_t i = spreads.size(); i-- > 0;) {
    const json::object& spread = AsObject(spreads[i]);
    const std::string key = fmt::format("{{{}, {}}}", GetString(spread, {"topologyKey"}),
                                        GetString(spread, {"whenUnsatisfiable"}));
    if (seen.insert(key).second) continue;
    const std::string at = At(Sub(path, "topologySpreadConstraints"), i);
    errors.Duplicate(Sub(at, "{topologyKey, whenUnsatisfiable}"), key);
  }
}

// What may change

// It may only come nearer.
void CheckDeadline(const json::object& spec, const json::object& old, FieldErrors& errors) {
  constexpr std::string_view kField = "activeDeadlineSeconds";
  const json::value* now = Find(spec, {kField});
  if (Find(old, {kField}) == nullptr) return;
  if (now != nullptr && GetInt(spec, {kField}) <= GetInt(old, {kField})) return;
  errors.Invalid("spec.activeDeadlineSeconds", now ? *now : json::value(),
                 "must be less than or equal to previous value");
}

void CheckGates(const json::object& spec, const json::object& old, FieldErrors& errors) {
  const NameSet had = NamesIn(ListOf(old, "schedulingGates"));
  ForEachIn(spec, "schedulingGates", "spec", [&](const json::object& gate, const std::string& at) {
    const std::string_view name = GetString(gate, {"name"});
    if (!had.contains(name)) errors.Forbidden(Sub(at, "name"), "gates may only be taken away");
  });
}

void CheckTolerations(const json::object& spec, const json::object& old, FieldErrors& errors) {
  std::set<std::string> present;
  const auto without_seconds = [](const json::value& item) {
    json::object toleration = AsObject(item);
    toleration.erase("tolerationSeconds");
    return CanonicalText(toleration);
  };
  for (const json::value& item : ListOf(spec, "tolerations")) present.insert(without_seconds(item));
  const auto is_kept = [&](const json::value& it) { return present.contains(without_seconds(it)); };
  if (!std::ranges::all_of(ListOf(old, "tolerations"), is_kept)) {
    errors.Forbidden("spec.tolerations",
                     "existing toleration can not be modified except its tolerationSeconds");
  }
}

// A gated pod's node selector and affinity may become stricter.
void CheckGatedNodeSelector(const json::object& spec, const json::object& old,
                            FieldErrors& errors) {
  const json::object& now = ObjectOf(spec, "nodeSelector");
  for (const auto& [key, value] : ObjectOf(old, "nodeSelector")) {
    const json::value* kept = now.if_contains(key);
    if (kept != nullptr && *kept == value) continue;
    return errors.Invalid("spec.nodeSelector", now, "a gated pod may only be given more of it");
  }
}

void CheckGatedNodeAffinity(const json::object& spec, const json::object& old,
                            FieldErrors& errors) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  const std::string path =
      fmt::format("spec.affinity.nodeAffinity.{}.nodeSelectorTerms", kRequired);
  const auto terms_of = [&](const json::object& of) -> const json::array& {
    return ListAt(of, {"affinity", "nodeAffinity", kRequired, "nodeSelectorTerms"});
  };
  const json::array& before = terms_of(old);
  const json::array& now = terms_of(spec);
  if (before.empty()) return;
  if (now.size() != before.size()) {
    return errors.Invalid(path, now, "no term may be added or taken away");
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    for (const std::string_view list : {"matchExpressions", "matchFields"}) {
      const json::array& kept = ListOf(AsObject(before[i]), list);
      const json::array& has = ListOf(AsObject(now[i]), list);
      if (has.size() >= kept.size() && std::equal(kept.begin(), kept.end(), has.begin())) continue;
      errors.Invalid(At(path, i), now[i], "a gated pod may only be given more of it");
      break;
    }
  }
}

// What of a pod may change once it is there: images, deadlines that shrink, tolerations that are
// added, gates that go, and more while it is gated.
void CheckPodUpdate(const json::object& pod, const json::object& old_pod, FieldErrors& errors) {
  const json::object& spec = ObjectOf(pod, "spec");
  const json::object& old = ObjectOf(old_pod, "spec");
  for (const std::string_view list : {"containers", "initContainers"}) {
    if (ListOf(spec, list).size() == ListOf(old, list).size()) continue;
    return errors.Forbidden(Sub("spec", list), "pod updates may not add or remove containers");
  }
  CheckDeadline(spec, old, errors);
  CheckGates(spec, old, errors);
  CheckTolerations(spec, old, errors);

  json::object munged = spec;
  for (const std::string_view list : {"containers", "initContainers"}) {
    const std::span<json::value> containers = ListIn(munged, list);
    for (std::size_t i = 0; i < containers.size(); ++i) {
      Restore(AsObject(containers[i]), AsObject(ListOf(old, list)[i]), "image");
    }
  }
  for (const std::string_view field : {"activeDeadlineSeconds", "schedulingGates", "tolerations"}) {
    Restore(munged, old, field);
  }
  if (!ListOf(old, "schedulingGates").empty()) {
    CheckGatedNodeSelector(spec, old, errors);
    CheckGatedNodeAffinity(spec, old, errors);
    Restore(munged, old, "nodeSelector");
    json::object affinity = ObjectOf(munged, "affinity");
    Restore(affinity, ObjectOf(old, "affinity"), "nodeAffinity");
    if (affinity == ObjectOf(old, "affinity")) Restore(munged, old, "affinity");
  }
  if (munged == old) return;
  errors.Forbidden("spec",
                   "pod updates may not change fields other than images, activeDeadlineSeconds, "
                   "schedulingGates and tolerations (only additions); changed: " +
                       ChangedFields(old, munged, "core.PodSpec"));
}

}  // namespace

std::span<const Hooks> PodHooks() {
  static constexpr Hooks kHooks[] = {
      {.type = "core.Pod",
       .fill = FillPod,
       .prepare_create = PreparePod,
       .prepare_status = PreparePodStatus,
       .check_update = CheckPodUpdate,
       .cells = PodCells,
       .row_conditions = PodRowConditions},
      {.type = "core.PodSpec", .fill = FillPodSpec, .check = CheckPodSpec},
      {.type = "core.Container", .fill = FillContainer},
      {.type = "core.EphemeralContainer", .fill = FillContainer},
      {.type = "core.Volume", .fill = FillVolume},
  };
  return kHooks;
}

}  // namespace basalt::apiserver
