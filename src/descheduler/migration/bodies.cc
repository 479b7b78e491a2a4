#include "descheduler/migration/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "descheduler/migration/plan_ids.h"
#include "kube/types/json_fields.h"
#include "kube/types/pod_template_of.h"
#include "kube/types/time.h"

namespace basalt::descheduler {
namespace {

namespace json = boost::json;
using kube::ObjectAt;
using kube::TextAt;

json::object OurTaint(std::string_view plan) {
  return {{"key", kSourceTaint}, {"value", plan}, {"effect", "NoSchedule"}};
}

}  // namespace

Result<json::object> ReservationBody(const json::object& pod, const ReservationOfMove& move) {
  const json::object* meta = ObjectAt(pod, {"metadata"});
  json::object controller = kube::ControllerOf(pod);
  if (controller.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "the pod has no controller that would replace it");
  }
  json::object task{{"name", "pod"}, {"replicas", 1}, {"template", kube::TemplateOf(pod)}};
  if (!move.target.empty()) {
    task["reservationNodeNames"] = json::array{move.target};
    task["reservationNodePolicy"] = "Required";
  }
  const std::int64_t ttl = std::max<std::int64_t>(1, move.ttl / 1s);
  return json::object{{"apiVersion", "batch.volcano.sh/v1alpha1"},
                      {"kind", "Reservation"},
                      {"metadata",
                       {{"name", move.name},
                        {"namespace", TextAt(meta, "namespace")},
                        {"labels",
                         {{kMigrationLabel, move.plan},
                          {kMigratingPodLabel, TextAt(meta, "uid")},
                          {kDeschedulerLabel, move.descheduler}}}}},
                      {"spec",
                       {{"schedulerName", TextAt(ObjectAt(pod, {"spec"}), "schedulerName")},
                        {"minAvailable", 1},
                        {"queue", move.queue},
                        {"ttl", fmt::format("{}s", ttl)},
                        {"owners", json::array{json::object{{"object", std::move(controller)}}}},
                        {"tasks", json::array{std::move(task)}}}}};
}

bool IsReservationOfMove(const json::object& reservation, const ReservationOfMove& move,
                         std::string_view pod_uid) {
  const json::object* labels = ObjectAt(reservation, {"metadata", "labels"});
  return labels && TextAt(labels, kMigrationLabel) == move.plan &&
         TextAt(labels, kDeschedulerLabel) == move.descheduler &&
         TextAt(labels, kMigratingPodLabel) == pod_uid;
}

std::string_view TaintingPlan(const kube::Node& node) {
  const auto found = std::ranges::find(node.spec.taints, kSourceTaint, &kube::Taint::key);
  return found == node.spec.taints.end() ? std::string_view() : std::string_view(found->value);
}

std::optional<std::string> TaintPatch(const kube::Node& node, std::string_view plan) {
  const auto& taints = node.spec.taints;
  if (!TaintingPlan(node).empty()) return std::nullopt;
  json::array patch;
  patch.push_back(json::object{{"op", "test"},
                               {"path", "/metadata/resourceVersion"},
                               {"value", node.meta.resource_version}});
  if (taints.empty()) {
    patch.push_back(json::object{
        {"op", "add"}, {"path", "/spec/taints"}, {"value", json::array{OurTaint(plan)}}});
  } else {
    patch.push_back(
        json::object{{"op", "add"}, {"path", "/spec/taints/-"}, {"value", OurTaint(plan)}});
  }
  return json::serialize(patch);
}

std::optional<std::string> UntaintPatch(const kube::Node& node, std::string_view plan) {
  const auto& taints = node.spec.taints;
  const auto found = std::ranges::find_if(taints, [&](const kube::Taint& taint) {
    return taint.key == kSourceTaint && taint.value == plan;
  });
  if (found == taints.end()) return std::nullopt;
  const std::string path = fmt::format("/spec/taints/{}", found - taints.begin());
  json::array patch;
  patch.push_back(json::object{{"op", "test"}, {"path", path + "/key"}, {"value", kSourceTaint}});
  patch.push_back(json::object{{"op", "test"}, {"path", path + "/value"}, {"value", plan}});
  patch.push_back(json::object{{"op", "remove"}, {"path", path}});
  return json::serialize(patch);
}

std::string CoolDownPatch(std::string_view annotation, Time until) {
  return json::serialize(
      json::object{{"metadata", {{"annotations", {{annotation, kube::FormatTime(until)}}}}}});
}

std::string EvictionBody(std::string_view ns, std::string_view pod, std::string_view uid,
                         std::int64_t grace_period_s) {
  json::object options{{"preconditions", {{"uid", uid}}}};
  if (grace_period_s >= 0) options["gracePeriodSeconds"] = grace_period_s;
  return json::serialize(json::object{{"apiVersion", "policy/v1"},
                                      {"kind", "Eviction"},
                                      {"metadata", {{"name", pod}, {"namespace", ns}}},
                                      {"deleteOptions", std::move(options)}});
}

}  // namespace basalt::descheduler
