#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <functional>

#include "kube/types/time.h"
#include "scheduler/effects/write_bodies.h"

namespace basalt::scheduler {
namespace {

namespace json = boost::json;

// What was said before is taken out, unless it is to be said now.
template <class Said, class ToJson>
json::object Replace(const Said& before, const Said& now, ToJson to_json) {
  json::object out;
  for (const auto& [name, value] : before) out[name] = nullptr;
  for (const auto& [name, value] : now) out[name] = std::invoke(to_json, value);
  return out;
}

json::object AmountsPatch(const kube::ResourceList& before, const kube::ResourceList& amounts) {
  return Replace(before, amounts, &kube::Quantity::ToString);
}

using TaskCount = kube::Reservation::TaskCount;

json::object CountsPatch(const std::vector<TaskCount>& before, const std::vector<TaskCount>& now) {
  json::object out;
  for (const TaskCount& count : before) out[count.task] = nullptr;
  for (const TaskCount& count : now) {
    const auto had = std::ranges::find(before, count.task, &TaskCount::task);
    const TaskCount& old = had == before.end() ? TaskCount() : *had;
    out[count.task] = json::object{{"phase", Replace(old.phases, count.phases, std::identity())}};
  }
  return out;
}

json::value OwnerPatch(const std::optional<kube::ObjectReference>& owner) {
  if (!owner) return nullptr;
  return json::object{{"apiVersion", owner->api_version},
                      {"kind", owner->kind},
                      {"namespace", owner->ns},
                      {"name", owner->name},
                      {"uid", owner->uid},
                      {"resourceVersion", nullptr},
                      {"fieldPath", nullptr}};
}

}  // namespace

std::string ReservationStatusPatch(const kube::Reservation& reservation,
                                   const kube::Reservation::Status& status) {
  json::array conditions;
  for (const kube::Reservation::PhaseCondition& condition : status.conditions) {
    conditions.push_back(
        json::object{{"status", ToString(condition.status)},
                     {"lastTransitionTime", kube::FormatTime(condition.last_transition_time)}});
  }
  json::array placements;
  for (const kube::Reservation::Placement& placement : status.placements) {
    placements.push_back(json::object{{"task", placement.task},
                                      {"index", placement.index},
                                      {"node", placement.node},
                                      {"phase", ToString(placement.phase)}});
  }
  const json::object patch{
      {"metadata", json::object{{"uid", reservation.meta.uid}}},
      {"status",
       json::object{
           {"state",
            json::object{{"phase", ToString(status.phase)},
                         {"reason", status.reason},
                         {"message", status.message},
                         {"lastTransitionTime", kube::FormatTime(status.last_transition_time)}}},
           {"minAvailable", status.min_available},
           {"taskStatusCount",
            CountsPatch(reservation.status.task_status_count, status.task_status_count)},
           {"pending", status.pending},
           {"available", status.available},
           {"succeeded", status.succeeded},
           {"failed", status.failed},
           {"conditions", std::move(conditions)},
           {"currentOwner", OwnerPatch(status.current_owner)},
           {"allocatable", AmountsPatch(reservation.status.allocatable, status.allocatable)},
           {"allocated", AmountsPatch(reservation.status.allocated, status.allocated)},
           {"placements", std::move(placements)}}}};
  return json::serialize(patch);
}

}  // namespace basalt::scheduler
