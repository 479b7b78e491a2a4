
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/hooks.h"
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
  };
  return kHooks;
}

}  // namespace basalt::apiserver
