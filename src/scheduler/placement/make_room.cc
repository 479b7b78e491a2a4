#include "scheduler/placement/make_room.h"

#include <optional>

#include "scheduler/placement/best_effort.h"
#include "scheduler/placement/least_harm.h"
#include "scheduler/placement/promises.h"

namespace basalt::scheduler {
namespace {

class RoomMaker {
 public:
  RoomMaker(Session& session, Statement& statement, const Task& task, const RoomRequest& request)
      : session_(session),
        statement_(statement),
        task_(task),
        request_(request),
        queue_(session.QueueOf(*session.JobOf(task))) {}

  // Where the task fits without anybody leaving, after what has been decided for its job.
  bool WithoutEvictions() {
    if (!session_.MayAllocate(queue_, task_).ok()) return false;
    const auto found = session_.finder().Best(task_, NodeFinder::Room::kChecked);
    if (found) statement_.Pipeline(task_.id, found->node, false);
    return found.has_value();
  }

  bool OnBestNode() {
    for (const NodeId id : session_.finder().ForPreemption(task_)) {
      const std::vector<const Task*> victims = VictimsOn(id);
      // No victims may still be enough: earlier evictions may have left room.
      if (!WouldFitWithout(session_, task_, id, victims)) continue;
      // Room is not all: somebody's port or anti-affinity may be in the way.
      const auto gone = FewestVictims(
          session_, statement_, victims, [&](const Task& victim) { Evict(victim); },
          [&] {
            return HasRoom(id) &&
                   TryWithoutLeaving(session_, task_, id, NodeFinder::Room::kChecked);
          });
      if (!gone) continue;
      statement_.Pipeline(task_.id, id, !gone->empty());
      return true;
    }
    return false;
  }

  bool WithLeastHarm() {
    std::optional<Harm> best;
    std::vector<const Task*> victims_of_best;
    NodeId node;
    for (const NodeId id : session_.finder().ForPreemption(task_)) {
      const std::vector<const Task*> victims = FewestOn(id);
      if (victims.empty()) continue;
      const Harm harm = HarmOf(victims, session_.now());
      if (best && !(harm < *best)) continue;
      best = harm;
      victims_of_best = victims;
      node = id;
    }
    if (!best) return false;
    for (const Task* victim : victims_of_best) Evict(*victim);
    statement_.Pipeline(task_.id, node, true);
    return true;
  }

 private:
  // Those that the policies permit, those that should go first at the front.
  std::vector<const Task*> VictimsOn(NodeId id) {
    const auto candidates =
        CandidatesOn(session_, session_.cluster().node(id), task_, request_.may_leave);
    auto victims = request_.rule == RoomRequest::Rule::kPreempt
                       ? session_.Preemptable(task_, candidates)
                       : session_.Reclaimable(task_, candidates);
    SortVictims(session_, task_, victims);
    return victims;
  }

  // The fewest victims on the node without which the task passes every filter, the most valuable
  // first; none: no way.
  std::vector<const Task*> FewestOn(NodeId id) {
    const std::vector<const Task*> victims = VictimsOn(id);
    if (!WouldFitWithout(session_, task_, id, victims)) return {};
    Statement trial(session_);
    auto gone = FewestVictims(
        session_, trial, victims, [&](const Task& victim) { trial.Vanish(victim.id); },
        [&] { return HasRoom(id) && session_.Filter(task_, session_.cluster().node(id)).ok(); });
    if (!gone) return {};
    std::ranges::reverse(*gone);
    return *gone;
  }

  bool HasRoom(NodeId id) const {
    return session_.MayAllocate(queue_, task_).ok() &&
           session_.cluster().ledger().FitsFuture(task_.request(), id);
  }

  void Evict(const Task& victim) { statement_.Evict(victim.id, request_.action, task_.id); }

  Session& session_;
  Statement& statement_;
  const Task& task_;
  const RoomRequest& request_;
  const Queue& queue_;
};

// A gang counts its best-effort tasks as ready, with a place or without one: what is made for one
// of them could start the gang in part. They wait until backfill has places for all.
bool IsOfBestEffortGang(const Session& session, const Task& task) {
  return task.best_effort() && session.JobOf(task)->min_available > 1;
}

}  // namespace

bool MakeRoom(Session& session, Statement& statement, const Task& task,
              const RoomRequest& request) {
  if (!session.CheckTask(task).ok() || BackfillWillPlace(session, task)) return false;
  if (IsOfBestEffortGang(session, task)) return false;
  RoomMaker room(session, statement, task, request);
  if (request.choice == RoomRequest::Choice::kBestNode) {
    return room.WithoutEvictions() || room.OnBestNode();
  }
  // Alone it would have been placed without us (and Volcano does nothing here).
  return (!statement.empty() && room.WithoutEvictions()) || room.WithLeastHarm();
}

}  // namespace basalt::scheduler
