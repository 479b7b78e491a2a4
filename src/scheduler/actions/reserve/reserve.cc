#include <algorithm>
#include <functional>
#include <vector>

#include "model/reservation_use.h"
#include "scheduler/framework/action.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/placement/entry.h"
#include "scheduler/placement/job_placement.h"
#include "scheduler/placement/reserved_room.h"

namespace basalt::scheduler::actions {
namespace {

// Of a node that has too little for all, the youngest gives up first.
void GiveUpUnusable(Session& session) {
  std::vector<const Task*> doubtful;
  for (const model::TaskId id : session.TakeDoubtfulReservations()) {
    const Task& task = session.cluster().task(id);
    if (!IsStillUsable(session, task)) doubtful.push_back(&task);
  }
  std::ranges::stable_sort(doubtful, std::greater(),
                           [](const Task* task) { return task->pod->meta.creation_timestamp; });
  for (const Task* task : doubtful) {
    if (IsStillUsable(session, *task)) continue;
    Statement statement(session);
    GiveUpReservedRoom(statement, *task);
    statement.Commit();
  }
}

void SayWhyNot(Session& session, const Job& job) {
  model::ReservationRefusal refusal = model::RefusalOf(session.cluster(), job);
  if (refusal.reason.empty()) return;
  session.RecordFailure(
      job,
      {.other = std::move(refusal.message), .nodes_would_help = false, .reason = refusal.reason});
}

// The rest of a job that has taken what is reserved for it, where that is not enough to start.
bool PlaceTheRest(Session& session, const Job& job, Statement& statement) {
  if (session.IsJobReady(job)) return true;
  Statement claims(session);
  if (!AdmitAtGate(session, job, claims).whole) return false;
  statement.Merge(claims);
  switch (JobPlacement(session, job).Place(statement)) {
    case JobPlacement::Result::kReady: return true;
    // A promise is for pods that may be seen by others.
    case JobPlacement::Result::kPromised: return job.pending_opted_in == 0;
    case JobPlacement::Result::kNothing: break;
  }
  return false;
}

void Serve(Session& session, const Job& job) {
  Statement statement(session);
  if (!TakeReservedRoom(session, job, statement)) return;
  if (!PlaceTheRest(session, job, statement)) return;
  if (job.IsPending()) statement.Enter(job.id);
  session.ForgetFailures(job);
  statement.Commit();
}

// Gives pods the room that reservations hold for them. A job's pods take over what is reserved, and
// the others that it needs are placed beside them like any other, all in one statement: ready →
// commit, promised → commit, else discard, with the reservations untouched. A job that goes on in
// this way needs no vote to enter its queue: what it takes is counted there already.
//
// Before that, what pods could not use any more is given up: its reservation is placed anew.
//
// Counterpart: Volcano's proposal of an action of that name. It takes no arguments.
class Reserve final : public Action {
 public:
  static constexpr std::string_view kName = action_names::kReserve;

  std::string_view name() const override { return kName; }
  void Run(Session& session) override {
    GiveUpUnusable(session);
    JobQueues work(session, Attempts::kNone);
    for (const Job* job : session.JobsInTurn()) {
      if (job->NamesReservation()) SayWhyNot(session, *job);
      if (!MayUseReservedRoom(session, *job) || !session.ValidateJob(*job).ok()) continue;
      work.Add(*job);
    }
    while (const Queue* queue = work.TakeQueue()) {
      const Job* job = work.TakeJob(*queue);
      if (!job) continue;
      Serve(session, *job);
      if (!session.GoOn(*job)) return;
      work.PutBack(*queue);
    }
  }
};

}  // namespace

Result<std::unique_ptr<Action>> MakeReserve(const Arguments& arguments) {
  if (auto ok = arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Reserve>();
}

}  // namespace basalt::scheduler::actions
