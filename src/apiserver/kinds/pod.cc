#include "apiserver/kinds/pod.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/label_keys.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/pod_resources.h"
#include "apiserver/kinds/pod_spec_checks.h"
#include "apiserver/kinds/pod_table.h"
#include "apiserver/kinds/pod_update_checks.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"

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

bool IsGated(const json::object& pod) {
  const json::array* gates = FindArray(pod, {"spec", "schedulingGates"});
  return gates != nullptr && !gates->empty();
}

}  // namespace

bool IsReady(const json::object& pod) {
  return std::ranges::any_of(ListOf(ObjectOf(pod, "status"), "conditions"),
                             [](const json::value& item) {
                               const json::object& condition = AsObject(item);
                               return GetString(condition, {"type"}) == "Ready" &&
                                      GetString(condition, {"status"}) == "True";
                             });
}

PodRules::PodRules() : BuiltinRules(*FindBuiltinType("core.Pod"), {.generation = true}) {}

void PodRules::Default(json::object& pod) const {
  DefaultPodSpec(Child(pod, "spec"));
  DefaultPod(pod);
  json::object& spec = Child(pod, "spec");
  // A grace that is less than nothing is the shortest one there is.
  if (GetInt(spec, {"terminationGracePeriodSeconds"}) < 0) {
    spec["terminationGracePeriodSeconds"] = 1;
  }
  AlignIps(pod);
}

void PodRules::PrepareForCreate(json::object& pod, Time now) const {
  Metadata(pod)["generation"] = 1;
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

void PodRules::PrepareForStatusUpdate(json::object& pod, const json::object& old) const {
  BuiltinRules::PrepareForStatusUpdate(pod, old);
  json::object& metadata = Metadata(pod);
  if (const json::value* owners = Find(old, {"metadata", "ownerReferences"})) {
    metadata["ownerReferences"] = *owners;
  } else {
    metadata.erase("ownerReferences");
  }
  if (Find(pod, {"status", "qosClass"}) == nullptr) {
    if (const json::value* qos = Find(old, {"status", "qosClass"})) {
      Child(pod, "status")["qosClass"] = *qos;
    }
  }
}

void PodRules::CheckCreate(const json::object& pod, FieldErrors& errors) const {
  const json::object& spec = ObjectOf(pod, "spec");
  ValidatePodSpec(spec, "spec", errors);
  if (const json::array* ephemeral = FindArray(spec, {"ephemeralContainers"});
      ephemeral != nullptr && !ephemeral->empty()) {
    errors.Forbidden("spec.ephemeralContainers", "cannot be set on create");
  }
  if (IsGated(pod) && !GetString(spec, {"nodeName"}).empty()) {
    errors.Forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
  }
}

void PodRules::CheckUpdate(const json::object& pod, const json::object& old,
                           FieldErrors& errors) const {
  ValidatePodSpec(ObjectOf(pod, "spec"), "spec", errors);
  ValidatePodUpdate(pod, old, errors);
}

void PodRules::CheckStatusUpdate(const json::object& pod, const json::object& old,
                                 FieldErrors& errors) const {
  const std::string_view node = GetString(pod, {"status", "nominatedNodeName"});
  if (!node.empty() && node != GetString(old, {"status", "nominatedNodeName"})) {
    AddInvalid("status.nominatedNodeName", node, syntax::NameIsDnsSubdomain(node, false), errors);
  }
  if (const json::array* conditions = FindArray(pod, {"status", "conditions"})) {
    for (std::size_t i = 0; i < conditions->size(); ++i) {
      const std::int64_t generation = GetInt(AsObject((*conditions)[i]), {"observedGeneration"});
      if (generation < 0) {
        errors.Invalid(Sub(At("status.conditions", i), "observedGeneration"), generation,
                       "must be greater than or equal to 0");
      }
    }
  }
  const json::value* qos = Find(pod, {"status", "qosClass"});
  const json::value* old_qos = Find(old, {"status", "qosClass"});
  if (qos != nullptr && old_qos != nullptr && *qos != *old_qos) {
    errors.Invalid("status.qosClass", *qos, "field is immutable");
  }
}

json::array PodRules::Cells(const json::object& pod, Time now) const { return PodCells(pod, now); }

json::array PodRules::RowConditions(const json::object& pod) const {
  const std::string_view phase = GetString(pod, {"status", "phase"});
  if (phase != "Succeeded" && phase != "Failed") return {};
  return {
      {{"type", "Completed"},
       {"status", "True"},
       {"reason", phase},
       {"message", phase == "Failed" ? "The pod failed." : "The pod has completed successfully."}}};
}

bool PodRules::FieldValue(const json::object& pod, std::string_view field,
                          std::string& value) const {
  if (field == "spec.hostNetwork") {
    value = GetBool(pod, {"spec", "hostNetwork"}) ? "true" : "false";
    return true;
  }
  for (const std::string_view known :
       {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
        "status.phase", "status.podIP", "status.nominatedNodeName"}) {
    if (field != known) continue;
    const std::size_t dot = field.find('.');
    value = GetString(pod, {field.substr(0, dot), field.substr(dot + 1)});
    return true;
  }
  if (field == "status.podIPs") {
    value = GetString(pod, {"status", "podIP"});
    return true;
  }
  return false;
}

std::shared_ptr<const KindRules> PodRulesInstance() { return std::make_shared<PodRules>(); }

}  // namespace basalt::apiserver
