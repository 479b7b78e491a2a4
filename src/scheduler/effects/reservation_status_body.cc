#include "scheduler/effects/reservation_status_body.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "kube/types/time.h"

namespace basalt::scheduler {
namespace {

namespace json = boost::json;

// Amounts, with those taken out that are said now and are to be said no more.
json::object AmountsPatch(const kube::ResourceList& before, const kube::ResourceList& amounts) {
  json::object out;
  for (const auto& [name, quantity] : before) out[name] = nullptr;
  for (const auto& [name, quantity] : amounts) out[name] = quantity.ToString();
  return out;
}

json::object CountsPatch(const kube::Reservation::Status& before,
                         const kube::Reservation::Status& status) {
  json::object out;
  for (const kube::Reservation::TaskCount& count : before.task_status_count) {
    json::object phases;
    for (const auto& [phase, number] : count.phases) phases[phase] = nullptr;
    out[count.task] = json::object{{"phase", std::move(phases)}};
  }
  for (const kube::Reservation::TaskCount& count : status.task_status_count) {
    json::object phases;
    if (const json::value* known = out.if_contains(count.task)) {
      phases = known->at("phase").as_object();
    }
    for (const auto& [phase, number] : count.phases) phases[phase] = number;
    out[count.task] = json::object{{"phase", std::move(phases)}};
  }
  for (const kube::Reservation::TaskCount& count : before.task_status_count) {
    bool kept = false;
    for (const kube::Reservation::TaskCount& now : status.task_status_count) {
      kept = kept || now.task == count.task;
    }
    if (!kept) out[count.task] = nullptr;
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
           {"taskStatusCount", CountsPatch(reservation.status, status)},
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
