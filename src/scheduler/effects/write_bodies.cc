#include "scheduler/effects/write_bodies.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "kube/types/time.h"
#include "model/annotations.h"
#include "model/group_condition.h"

namespace basalt::scheduler {
namespace {

namespace json = boost::json;

json::object ToJson(const kube::PodGroupCondition& condition) {
  return {{"type", condition.type},
          {"status", kube::ToString(condition.status)},
          {"transitionID", condition.transition_id},
          {"lastTransitionTime", kube::FormatTime(condition.last_transition_time)},
          {"reason", condition.reason},
          {"message", condition.message}};
}

// Sets `wanted` among `conditions` and takes away what it excludes; false: all is so already.
bool SetCondition(std::vector<kube::PodGroupCondition>& conditions,
                  const model::GroupCondition& wanted, std::string_view transition, Time now) {
  const std::string_view excluded = model::ExcludedBy(wanted.type);
  const bool took_away = std::erase_if(conditions, [&](const kube::PodGroupCondition& condition) {
                           return !excluded.empty() && condition.type == excluded;
                         }) > 0;
  auto it = std::ranges::find(conditions, wanted.type, &kube::PodGroupCondition::type);
  if (it == conditions.end()) {
    it = conditions.insert(conditions.end(), kube::PodGroupCondition{.type = wanted.type});
  } else if (it->status == kube::ConditionStatus::kTrue && it->reason == wanted.reason &&
             it->message == wanted.message) {
    return took_away;
  }
  if (it->status != kube::ConditionStatus::kTrue) it->last_transition_time = now;
  it->status = kube::ConditionStatus::kTrue;
  it->transition_id = transition;
  it->reason = wanted.reason;
  it->message = wanted.message;
  return true;
}

}  // namespace

std::string BindingBody(const kube::Pod& pod, std::string_view node,
                        std::string_view queue_record) {
  json::object meta{{"name", pod.meta.name}, {"namespace", pod.meta.ns}, {"uid", pod.meta.uid}};
  if (!queue_record.empty()) {
    meta["annotations"] = json::object{{model::annotations::kBoundQueue, queue_record}};
  }
  return json::serialize(
      json::object{{"apiVersion", "v1"},
                   {"kind", "Binding"},
                   {"metadata", std::move(meta)},
                   {"target", {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}}}});
}

std::string EvictionBody(const kube::Pod& pod) {
  return json::serialize(
      json::object{{"apiVersion", "policy/v1"},
                   {"kind", "Eviction"},
                   {"metadata", {{"name", pod.meta.name}, {"namespace", pod.meta.ns}}},
                   {"deleteOptions", {{"preconditions", {{"uid", pod.meta.uid}}}}}});
}

std::string UngatePatch(const kube::Pod& pod) {
  return json::serialize(json::object{
      {"metadata", {{"uid", pod.meta.uid}}},
      {"spec",
       {{"schedulingGates",
         json::array{json::object{{"$patch", "delete"},
                                  {"name", model::annotations::kQueueAllocationGate}}}}}}});
}

std::string VolumeForClaimPatch(const model::VolumeChoice& choice) {
  return json::serialize(
      json::object{{"metadata",
                    {{"resourceVersion", choice.volume_version},
                     {"annotations", {{"pv.kubernetes.io/bound-by-controller", "yes"}}}}},
                   {"spec",
                    {{"claimRef",
                      {{"apiVersion", "v1"},
                       {"kind", "PersistentVolumeClaim"},
                       {"namespace", choice.ns},
                       {"name", choice.claim},
                       {"uid", choice.claim_uid}}}}}});
}

std::string SelectedNodePatch(const model::VolumeChoice& choice, std::string_view node) {
  return json::serialize(json::object{
      {"metadata",
       {{"uid", choice.claim_uid}, {"annotations", {{kSelectedNodeAnnotation, node}}}}}});
}

std::string WaitingStatusPatch(const kube::Pod& pod, const WaitingStatus& status, Time now) {
  json::object patch;
  if (status.nominated_node) {
    patch["nominatedNodeName"] =
        status.nominated_node->empty() ? json::value() : json::value(*status.nominated_node);
  }
  if (status.not_scheduled) {
    json::object condition{{"type", kube::kPodScheduled},
                           {"status", "False"},
                           {"reason", status.not_scheduled->reason},
                           {"message", status.not_scheduled->message}};
    if (status.is_transition) condition["lastTransitionTime"] = kube::FormatTime(now);
    patch["conditions"] = json::array{std::move(condition)};
  }
  json::object meta{{"uid", pod.meta.uid}};
  if (!status.evictions.empty()) {
    meta["annotations"] = json::object{{model::annotations::kEvictions, status.evictions}};
  }
  return json::serialize(json::object{{"metadata", std::move(meta)}, {"status", std::move(patch)}});
}

std::string GroupStatusPatch(const kube::PodGroup& group, const model::GroupStatus& status,
                             Time now) {
  json::object patch;
  const std::string_view phase = model::ToString(status.phase);
  if (kube::ToString(group.phase) != phase) patch["phase"] = phase;
  if (group.running != status.running) patch["running"] = status.running;
  if (group.succeeded != status.succeeded) patch["succeeded"] = status.succeeded;
  if (group.failed != status.failed) patch["failed"] = status.failed;

  std::vector<kube::PodGroupCondition> conditions = group.conditions;
  bool changed = false;
  for (const model::GroupCondition& wanted : status.conditions) {
    changed |= SetCondition(conditions, wanted, status.transition_id, now);
  }
  if (changed) {
    json::array list;
    for (const kube::PodGroupCondition& condition : conditions) list.push_back(ToJson(condition));
    patch["conditions"] = std::move(list);
  }
  if (patch.empty()) return "";
  return json::serialize(json::object{
      {"metadata", {{"uid", group.meta.uid}, {"resourceVersion", group.meta.resource_version}}},
      {"status", std::move(patch)}});
}

namespace {

// What is to be said of amounts: those that are others now, and null for those that are gone.
json::object AmountsPatch(const kube::ResourceList& before, const kube::ResourceList& now,
                          bool says_zero) {
  json::object patch;
  for (const auto& [name, quantity] : now) {
    const kube::Quantity* had = before.Find(name);
    const bool differs = had ? *had != quantity : says_zero || quantity != kube::Quantity();
    if (differs) patch[name] = quantity.ToString();
  }
  for (const auto& [name, quantity] : before) {
    if (!now.Find(name)) patch[name] = nullptr;
  }
  return patch;
}

void SetUnlessEmpty(json::object& patch, std::string_view key, json::object value) {
  if (!value.empty()) patch[key] = std::move(value);
}

// What is held on which nodes; empty where the queue says so already.
json::object ReservationPatch(const model::QueueStatus& status) {
  const kube::Queue& old = *status.queue;
  json::object patch;
  if (old.reserved_nodes != status.reserved_nodes) {
    patch["nodes"] = json::array(status.reserved_nodes.begin(), status.reserved_nodes.end());
  }
  SetUnlessEmpty(patch, "resource", AmountsPatch(old.reserved_resource, status.reserved, false));
  return patch;
}

}  // namespace

std::string QueueStatusPatch(const model::QueueStatus& status) {
  const kube::Queue& old = *status.queue;
  json::object patch;
  const auto set = [&](std::string_view key, std::int32_t had, std::int32_t has) {
    if (had != has) patch[key] = has;
  };
  set("unknown", old.unknown, status.unknown);
  set("pending", old.pending, status.pending);
  set("running", old.running, status.running);
  set("inqueue", old.inqueue, status.inqueue);
  set("completed", old.completed, status.completed);
  SetUnlessEmpty(patch, "allocated", AmountsPatch(old.allocated, status.allocated, true));
  SetUnlessEmpty(patch, "reservation", ReservationPatch(status));
  if (patch.empty()) return "";
  return json::serialize(
      json::object{{"metadata", {{"uid", old.meta.uid}}}, {"status", std::move(patch)}});
}

}  // namespace basalt::scheduler
