#include "apiserver/kinds/pod.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

// podIP and the first of podIPs are one value; the former wins.
void AlignIps(json::object& pod) {
  json::object* status = FindObject(pod, {"status"});
  if (status == nullptr) return;
  const std::string ip(GetString(*status, {"podIP"}));
  const json::array* list = FindArray(*status, {"podIPs"});
  if (ip.empty()) {
    if (list != nullptr && !list->empty()) {
      (*status)["podIP"] = std::string(GetString(AsObject(list->front()), {"ip"}));
    }
  } else if (list == nullptr || list->empty() || GetString(AsObject(list->front()), {"ip"}) != ip) {
    (*status)["podIPs"] = {{{"ip", ip}}};
  }
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
    json::array* containers = FindArray(spec, {list});
    for (std::size_t i = 0; containers != nullptr && i < containers->size(); ++i) {
      FillRequests(AsObject((*containers)[i]));
    }
  }
  FillRequests(spec);
  SetDefault(spec, "enableServiceLinks", true);
  // A grace that is less than nothing is the shortest one there is.
  if (GetInt(spec, {"terminationGracePeriodSeconds"}) < 0) {
    spec["terminationGracePeriodSeconds"] = 1;
  }
  AlignIps(pod);
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

void CheckNewPod(const json::object& pod, FieldErrors& errors) {
  const json::object& spec = ObjectOf(pod, "spec");
  if (!ListOf(spec, "ephemeralContainers").empty()) {
    errors.Forbidden("spec.ephemeralContainers", "cannot be set on create");
  }
  if (IsGated(pod) && !GetString(spec, {"nodeName"}).empty()) {
    errors.Forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
  }
}

void CheckPodStatus(const json::object& pod, const json::object& old, FieldErrors& errors) {
  const std::string_view node = GetString(pod, {"status", "nominatedNodeName"});
  if (!node.empty() && node != GetString(old, {"status", "nominatedNodeName"})) {
    AddInvalid("status.nominatedNodeName", node, syntax::Dns1123Subdomain(node), errors);
  }
  const json::value* qos = Find(pod, {"status", "qosClass"});
  const json::value* old_qos = Find(old, {"status", "qosClass"});
  if (qos != nullptr && old_qos != nullptr && *qos != *old_qos) {
    errors.Invalid("status.qosClass", *qos, "field is immutable");
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

bool PodFieldValue(const json::object& pod, std::string_view field, std::string& value) {
  if (field != "status.podIPs") return false;
  value = GetString(pod, {"status", "podIP"});
  return true;
}

}  // namespace

std::span<const KindHooks> PodKinds() {
  static constexpr KindHooks kKinds[] = {
      {.type = "core.Pod",
       .fill = FillPod,
       .prepare_create = PreparePod,
       .prepare_status = PreparePodStatus,
       .check_create = CheckNewPod,
       .check_update = CheckPodUpdate,
       .check_status = CheckPodStatus,
       .cells = PodCells,
       .row_conditions = PodRowConditions,
       .field_value = PodFieldValue},
  };
  return kKinds;
}

}  // namespace basalt::apiserver
