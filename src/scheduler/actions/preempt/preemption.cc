#include "scheduler/actions/preempt/preemption.h"

#include <algorithm>
#include <limits>

#include "scheduler/actions/common/promises.h"
#include "scheduler/actions/preempt/preempt.h"

namespace basalt::scheduler::actions {
namespace {

bool HasRoom(const Session& session, const Queue& queue, const Task& task, NodeId node) {
  return session.MayAllocate(queue, task).ok() &&
         session.cluster().ledger().FitsFuture(task.request(), node);
}

std::int64_t PodPriority(const Task& task) { return task.pod->spec.priority.value_or(0); }

struct Candidate {
  NodeId node;
  std::vector<const Task*> victims;  // the most valuable first

  std::int64_t HighestPriority() const { return PodPriority(*victims.front()); }
  std::int64_t PrioritySum() const {
    std::int64_t sum = 0;
    for (const Task* victim : victims) {
      sum += PodPriority(*victim) + std::numeric_limits<std::int32_t>::max() + std::int64_t{1};
    }
    return sum;
  }
  // Of the victims with the highest priority.
  Time EarliestStart(Time now) const {
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    Time earliest = now;
    for (const Task* victim : victims) {
      const Time start = victim->pod->status.start_time.value_or(now);
      if (PodPriority(*victim) > highest) {
        highest = PodPriority(*victim);
        earliest = start;
      } else if (PodPriority(*victim) == highest) {
        earliest = std::min(earliest, start);
      }
    }
    return earliest;
  }
  auto Harm(Time now) const {
    return std::tuple(HighestPriority(), PrioritySum(), victims.size(),
                      -EarliestStart(now).time_since_epoch());
  }
};

// The fewest victims on the node without which the task passes every filter; none: no way.
std::vector<const Task*> VictimsWithLeastHarm(Session& session, const Queue& queue,
                                              const Task& preemptor, NodeId id,
                                              const TaskFilter& filter) {
  const Node& node = session.cluster().node(id);
  auto allowed = session.Preemptable(preemptor, CandidatesOn(session, node, preemptor, filter));
  if (!WouldFitWithout(session, preemptor, id, allowed)) return {};
  SortVictims(session, preemptor, allowed);

  Statement trial(session);
  const auto fits = [&] {
    return HasRoom(session, queue, preemptor, id) && session.Filter(preemptor, node).ok();
  };
  std::vector<const Task*> gone;
  for (const Task* victim : allowed) {
    trial.Vanish(victim->id);
    gone.push_back(victim);
    if (fits()) break;
  }
  if (gone.empty() || !fits()) return {};
  // Bring them back, the most valuable first, where the task still fits.
  std::vector<const Task*> victims;
  std::ranges::reverse(gone);
  for (const Task* victim : gone) {
    const model::Holding away = victim->holding;
    model::Holding back{.status = model::TaskStatus::kRunning, .node = id};
    for (const Statement::Operation& operation : trial.operations()) {
      if (operation.task == victim->id) {
        back = operation.before;
        break;
      }
    }
    session.Move(victim->id, back);
    if (fits()) continue;
    session.Move(victim->id, away);
    victims.push_back(victim);
  }
  trial.Discard();
  return victims;
}

}  // namespace

namespace {

// Where it fits without anybody leaving, for once or after what has been decided for its job.
bool PromiseWithoutEvictions(Session& session, Statement& statement, const Task& preemptor) {
  const Queue& queue = session.QueueOf(*session.JobOf(preemptor));
  if (!session.MayAllocate(queue, preemptor).ok()) return false;
  const auto found = session.finder().Best(preemptor, NodeFinder::Room::kChecked);
  if (found) statement.Pipeline(preemptor.id, found->node, false);
  return found.has_value();
}

}  // namespace

bool MayPreempt(Session& session, const Task& preemptor) {
  if (preemptor.pod->spec.preemption_policy == kube::PreemptionPolicy::kNever) return false;
  const std::string& nominated = preemptor.pod->status.nominated_node_name;
  if (nominated.empty()) return true;
  // It was promised a node before: wait while somebody is leaving there for it.
  const Node* node = session.cluster().FindNode(nominated);
  if (!node) return false;
  const Verdict verdict = session.Filter(preemptor, *node);
  if (verdict.ok()) return false;
  if (verdict.code == Verdict::Code::kUnresolvable) return true;
  for (const model::TaskId id : node->tasks) {
    const Task& other = session.cluster().task(id);
    if (other.status() == model::TaskStatus::kReleasing &&
        PodPriority(other) < PodPriority(preemptor)) {
      return false;
    }
  }
  return true;
}

bool PreemptOnBestNode(Session& session, Statement& statement, const Task& preemptor,
                       const TaskFilter& filter) {
  const Job& job = *session.JobOf(preemptor);
  const Queue& queue = session.QueueOf(job);
  if (PromiseWithoutEvictions(session, statement, preemptor)) return true;
  for (const NodeId id : session.finder().ForPreemption(preemptor)) {
    const Node& node = session.cluster().node(id);
    auto victims = session.Preemptable(preemptor, CandidatesOn(session, node, preemptor, filter));
    // No victims may still be enough: earlier evictions may have left room.
    if (!WouldFitWithout(session, preemptor, id, victims)) continue;
    SortVictims(session, preemptor, victims);
    const Statement::Checkpoint before = statement.Mark();
    const Evictions evictions = EvictUntil(statement, preemptor, victims, Preempt::kName,
                                           [&] { return HasRoom(session, queue, preemptor, id); });
    if (!evictions.enough) continue;
    // Room is not all: with them gone, would every filter pass?
    if (!TryWithoutLeaving(session, preemptor, id, NodeFinder::Room::kChecked)) {
      statement.RollbackTo(before);
      continue;
    }
    statement.Pipeline(preemptor.id, id, !evictions.evicted.empty());
    return true;
  }
  return false;
}

bool PreemptWithLeastHarm(Session& session, Statement& statement, const Task& preemptor,
                          const TaskFilter& filter) {
  const Job& job = *session.JobOf(preemptor);
  const Queue& queue = session.QueueOf(job);
  // Alone it would have been placed without us (and Volcano does nothing here).
  if (!statement.empty() && PromiseWithoutEvictions(session, statement, preemptor)) return true;
  std::optional<Candidate> best;
  for (const NodeId id : session.finder().ForPreemption(preemptor)) {
    Candidate candidate{.node = id,
                        .victims = VictimsWithLeastHarm(session, queue, preemptor, id, filter)};
    if (candidate.victims.empty()) continue;
    if (!best || candidate.Harm(session.now()) < best->Harm(session.now())) {
      best = std::move(candidate);
    }
  }
  if (!best) return false;
  for (const Task* victim : best->victims) {
    statement.Evict(victim->id, Preempt::kName, preemptor.id);
  }
  statement.Pipeline(preemptor.id, best->node, true);
  return true;
}

}  // namespace basalt::scheduler::actions
