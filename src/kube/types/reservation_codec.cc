#include <algorithm>

#include "kube/types/codec_impl.h"
#include "kube/types/pod_codec.h"
#include "kube/types/reservation.h"

namespace basalt::kube::json {

bool Read(Reader& reader, Value& value, ReservationPhase& out) {
  return ReadEnum(reader, value, out,
                  {{"Pending", ReservationPhase::kPending},
                   {"Waiting", ReservationPhase::kWaiting},
                   {"Available", ReservationPhase::kAvailable},
                   {"Succeeded", ReservationPhase::kSucceeded},
                   {"Failed", ReservationPhase::kFailed}},
                  ReservationPhase::kNone);
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Reservation::Owner& out) {
  if (key == "object") return Read(reader, value, out.object);
  if (key == "labelSelector") return Read(reader, value, out.label_selector);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Reservation::Task& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "replicas") return Read(reader, value, out.replicas);
  if (key == "template") return Read(reader, value, out.pod_template);
  if (key == "reservationNodeNames") return Read(reader, value, out.reservation_node_names);
  if (key == "reservationNodePolicy") {
    return ReadEnum(reader, value, out.reservation_node_policy,
                    {{"Required", Reservation::NodePolicy::kRequired}},
                    Reservation::NodePolicy::kPreferred);
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value,
               Reservation::PhaseCondition& out) {
  if (key == "status") return Read(reader, value, out.status);
  if (key == "lastTransitionTime") return Read(reader, value, out.last_transition_time);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Reservation::Placement& out) {
  if (key == "task") return Read(reader, value, out.task);
  if (key == "index") return Read(reader, value, out.index);
  if (key == "node") return Read(reader, value, out.node);
  if (key == "phase") return Read(reader, value, out.phase);
  return true;
}

namespace {

bool ReadSpec(Reader& reader, std::string_view key, Value& value, Reservation& out) {
  if (key == "schedulerName") return Read(reader, value, out.scheduler_name);
  if (key == "minAvailable") return Read(reader, value, out.min_available);
  if (key == "queue") return Read(reader, value, out.queue);
  if (key == "owners") return Read(reader, value, out.owners);
  if (key == "ttl") return Read(reader, value, out.ttl);
  if (key == "expires") return Read(reader, value, out.expires);
  if (key == "tasks") return Read(reader, value, out.tasks);
  return true;
}

bool ReadStatus(Reader& reader, std::string_view key, Value& value, Reservation::Status& out) {
  if (key == "state") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "phase") return Read(reader, field, out.phase);
      if (name == "reason") return Read(reader, field, out.reason);
      if (name == "message") return Read(reader, field, out.message);
      if (name == "lastTransitionTime") return Read(reader, field, out.last_transition_time);
      return true;
    });
  }
  if (key == "minAvailable") return Read(reader, value, out.min_available);
  if (key == "taskStatusCount") {
    const bool ok = ReadObject(reader, value, [&](std::string_view task, Value& state) {
      Reservation::TaskCount& count = out.task_status_count.emplace_back();
      count.task = task;
      return ReadObject(reader, state, [&](std::string_view name, Value& field) {
        return name == "phase" ? Read(reader, field, count.phases) : true;
      });
    });
    std::ranges::sort(out.task_status_count, {}, &Reservation::TaskCount::task);
    return ok;
  }
  if (key == "pending") return Read(reader, value, out.pending);
  if (key == "available") return Read(reader, value, out.available);
  if (key == "succeeded") return Read(reader, value, out.succeeded);
  if (key == "failed") return Read(reader, value, out.failed);
  if (key == "conditions") return Read(reader, value, out.conditions);
  if (key == "currentOwner") return Read(reader, value, out.current_owner);
  if (key == "allocatable") return Read(reader, value, out.allocatable);
  if (key == "allocated") return Read(reader, value, out.allocated);
  if (key == "placements") return Read(reader, value, out.placements);
  return true;
}

}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, Reservation& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadSpec(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadStatus(reader, name, field, out.status);
    });
  }
  return true;
}

}  // namespace basalt::kube::json

namespace basalt::kube {
BASALT_CODEC(Reservation);
}
