#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/loop.h"
#include "descheduler/migration/acts.h"
#include "descheduler/migration/bodies.h"
#include "descheduler/plan/plan.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"

namespace basalt::descheduler {

// Does what a migration wants done: each act is one or a few requests to the API server, whose
// outcome is told as an Answer. Reads what it is to change afresh, so that what the informers do
// not know yet is not overlooked. Nothing here waits, and nothing is repeated: that is for the
// migration to decide. Owned by a Migrator; `client` and `events` must outlive it. Loop thread
// only.
class MigrationWriter {
 public:
  using OnReserved = std::function<void(Answer, const std::string& uid, const std::string& why)>;
  using OnAnswer = std::function<void(Answer, const std::string& why)>;

  MigrationWriter(kube::Client& client, kube::EventRecorder& events)
      : client_(client), events_(events) {}

  void Reserve(const Move& move, const ReservationOfMove& reservation, OnReserved done);
  void Unreserve(const struct Unreserve& what, OnAnswer done);
  void Evict(const Move& move, std::int64_t grace_period_s, OnAnswer done);
  void SetTaint(const struct SetTaint& taint, OnAnswer done);
  // Tried a few times.
  void CoolDown(const std::string& node, const std::string& annotation, Time until,
                int attempts = 3);
  void TellPod(const Move& move, const Tell& what);
  // `uid`: of the node; "": it is not known.
  void TellNode(const std::string& uid, const Tell& what);

 private:
  void MakeReservation(const Move& move, const ReservationOfMove& reservation, std::string body,
                       OnReserved done);
  void FindReservation(const Move& move, const ReservationOfMove& reservation, OnReserved done);
  void LookWhetherItLeaves(const Move& move, Answer otherwise, std::string why, OnAnswer done);

  kube::Client& client_;
  kube::EventRecorder& events_;
  Scope scope_;
};

}  // namespace basalt::descheduler
