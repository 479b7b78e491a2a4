#include "scheduler/effects/reservation_writer.h"

#include <memory>
#include <utility>

#include "scheduler/effects/reservation_status_body.h"

namespace basalt::scheduler {

void ReservationWriter::Write(model::ReservationStatus status) {
  const kube::Reservation::Status& says = status.status;
  if (status.phase_changed) {
    const bool bad = says.phase == kube::ReservationPhase::kPending ||
                     says.phase == kube::ReservationPhase::kFailed;
    writing_.events.Record(kube::ReferenceTo(*status.reservation),
                           bad ? kube::EventType::kWarning : kube::EventType::kNormal, says.reason,
                           says.message);
  }
  auto shared = std::make_shared<model::ReservationStatus>(std::move(status));
  const kube::ObjectMeta& meta = shared->reservation->meta;
  auto send = [this, shared](WriteLanes::Done done) {
    const kube::ObjectMeta& of = shared->reservation->meta;
    auto answered = [this, shared, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
      Report(shared->reservation->meta, Succeeded(r));
      done();
    };
    writing_.client.Patch({kube::resources::kReservations, of.ns, of.name, "status"},
                          kube::PatchKind::kMerge,
                          ReservationStatusPatch(*shared->reservation, shared->status),
                          scope_.Guard(std::move(answered)));
  };
  // One that waits is replaced: the last word counts.
  writing_.lanes.Add(Lane::kStatus, meta.uid, std::move(send), meta.ns);
}

void ReservationWriter::Report(const kube::ObjectMeta& about, Result<void> result) {
  // Nothing is to be told of one that is gone.
  if (!result && result.error().code == ErrorCode::kNotFound) result = {};
  writing_.report({.kind = model::Outcome::Kind::kReservationStatus,
                   .task = {},
                   .uid = about.uid,
                   .result = std::move(result),
                   .ns = about.ns,
                   .name = about.name});
}

}  // namespace basalt::scheduler
