#include "scheduler/placement/make_room.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "scheduler/placement/promises.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler {

std::int64_t PodPriority(const Task& task) { return task.pod->spec.priority.value_or(0); }

namespace {

// ---- victims

// Tasks that should go first come to the front.
void SortVictims(const SessionView& view, const Task& preemptor,
                 std::vector<const Task*>& victims) {
  std::ranges::sort(
      victims, [&](const Task* a, const Task* b) { return view.VictimBefore(*a, *b, preemptor); });
}

// The tasks on the node that pass, that disruption budgets let go, and that may be evicted for the
// preemptor after what happened before; tasks that should go first are at the front. Policies that
// permit only so many of a job therefore permit the least valuable ones (Volcano: any).
std::vector<const Task*> CandidatesOn(Session& session, const Node& node, const Task& preemptor,
                                      const TaskFilter& filter) {
  std::vector<const Task*> candidates;
  for (const Task& task : session.cluster().TasksOf(node.tasks)) {
    if (session.cluster().IsReserved(task)) continue;  // a reserved task is no victim
    if (!filter(task) || !session.budgets().Allow(task)) continue;
    if (session.MayEvict(task, preemptor)) {
      candidates.push_back(&task);
    } else {
      session.NoteSpared(task, preemptor);
    }
  }
  SortVictims(session, preemptor, candidates);
  return candidates;
}

// Whether the task would fit on the node if all victims were gone.
bool WouldFitWithout(const SessionView& view, const Task& task, NodeId node,
                     const std::vector<const Task*>& victims) {
  model::Amounts room = view.cluster().ledger().Future(node);
  for (const Task* victim : victims) room.Add(victim->request());
  return task.request().LessEqual(room, model::Undefined::kZero);
}

// Lets victims go from the front (`go`: evicts one, or lets it vanish) until it is `enough`, then
// gives back each that is not needed after all, the most valuable first. Victims that disruption
// budgets do not let go after the others stay. nullopt: all of them are not enough, and the
// statement is as before.
std::optional<std::vector<const Task*>> FewestVictims(Session& session, Statement& statement,
                                                      const std::vector<const Task*>& victims,
                                                      const std::function<void(const Task&)>& go,
                                                      const std::function<bool()>& enough) {
  const Statement::Checkpoint before = statement.Mark();
  std::vector<const Task*> gone;
  for (const Task* victim : victims) {
    if (enough()) break;
    if (!session.budgets().Allow(*victim)) continue;
    go(*victim);
    gone.push_back(victim);
  }
  if (!enough()) {
    statement.RollbackTo(before);
    return std::nullopt;
  }
  // The last one was needed when it went; an earlier one may not be any more.
  for (std::size_t i = gone.size(); i-- > 0;) {
    const Task* victim = gone[i];
    statement.Restore(victim->id);
    if (enough()) {
      gone.erase(gone.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      go(*victim);
    }
  }
  return gone;
}

// How much victims matter, in this order: the highest priority among them, the sum of their
// priorities, how many they are, and since when the first of those with the highest priority runs
// (the younger goes).
using Harm = std::tuple<std::int64_t, std::int64_t, std::size_t, Time::duration>;

// `victims` are not none, the most valuable first.
Harm HarmOf(const std::vector<const Task*>& victims, Time now) {
  // Every victim counts, also one whose priority is negative.
  constexpr std::int64_t kAboveAll = std::numeric_limits<std::int32_t>::max() + std::int64_t{1};
  std::int64_t sum = 0;
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  Time earliest = now;
  for (const Task* victim : victims) {
    const std::int64_t priority = PodPriority(*victim);
    const Time start = victim->pod->status.start_time.value_or(now);
    sum += priority + kAboveAll;
    if (priority >= highest) earliest = priority > highest ? start : std::min(earliest, start);
    highest = std::max(highest, priority);
  }
  return {PodPriority(*victims.front()), sum, victims.size(), -earliest.time_since_epoch()};
}

// ---- room

class RoomMaker {
 public:
  RoomMaker(Session& session, Statement& statement, const Task& task, const RoomRequest& request)
      : session_(session),
        statement_(statement),
        task_(task),
        request_(request),
        queue_(session.QueueOf(*session.JobOf(task))) {}

  // Promises a node on which the task fits without evictions, after what was decided for its job.
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
      // Room is not all: a pod's port or anti-affinity may be in the way.
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
  // The victims that the policies permit; tasks that should go first are at the front.
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
