#include "scheduler/effects/reservation_writer.h"

#include <utility>

#include "scheduler/effects/write_bodies.h"

namespace basalt::scheduler {
namespace {

constexpr Duration kTakenTogether = 100ms;

}  // namespace

void ReservationWriter::Write(model::ReservationStatus status) {
  const kube::Reservation::Status& says = status.status;
  if (status.phase_changed) {
    const bool bad = says.phase == kube::ReservationPhase::kPending ||
                     says.phase == kube::ReservationPhase::kFailed;
    writing_.events.Record(kube::ReferenceTo(*status.reservation),
                           bad ? kube::EventType::kWarning : kube::EventType::kNormal, says.reason,
                           says.message);
  }
  const std::string uid = status.reservation->meta.uid;
  const bool taken = says.succeeded > 0 && says.phase != kube::ReservationPhase::kFailed;
  auto shared = std::make_shared<const model::ReservationStatus>(std::move(status));
  if (!taken) {
    taken_.erase(uid);
    return Send(std::move(shared));
  }
  const auto [it, is_new] = taken_.insert_or_assign(uid, std::move(shared));
  if (is_new) {
    writing_.loop().Schedule(kTakenTogether, scope_.Guard([this, uid] { SendTaken(uid); }));
  }
}

void ReservationWriter::SendTaken(const std::string& uid) {
  const auto found = taken_.find(uid);
  if (found == taken_.end()) return;
  StatusPtr status = std::move(found->second);
  taken_.erase(found);
  if (!writing_.stopped) Send(std::move(status));
}

void ReservationWriter::Send(StatusPtr status) {
  const kube::ObjectMeta& meta = status->reservation->meta;
  auto send = [this, status](WriteLanes::Done done) {
    const kube::ObjectMeta& of = status->reservation->meta;
    auto answered = [this, status, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
      Report(status->reservation->meta, Succeeded(r));
      done();
    };
    writing_.client.Patch({kube::resources::kReservations, of.ns, of.name, "status"},
                          kube::PatchKind::kMerge,
                          ReservationStatusPatch(*status->reservation, status->status),
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
