#include "scheduler/actions/common/victims.h"

#include <algorithm>

namespace basalt::scheduler::actions {

std::vector<const Task*> CandidatesOn(Session& session, const Node& node, const Task& preemptor,
                                      const TaskFilter& filter) {
  std::vector<const Task*> candidates;
  for (const model::TaskId id : node.tasks) {
    const Task& task = session.cluster().task(id);
    if (filter(task) && session.MayEvict(task, preemptor)) candidates.push_back(&task);
  }
  SortVictims(session, preemptor, candidates);
  return candidates;
}

void SortVictims(const SessionView& view, const Task& preemptor,
                 std::vector<const Task*>& victims) {
  std::ranges::sort(
      victims, [&](const Task* a, const Task* b) { return view.VictimBefore(*a, *b, preemptor); });
}

bool WouldFitWithout(const SessionView& view, const Task& task, NodeId node,
                     const std::vector<const Task*>& victims) {
  model::Resource room = view.cluster().ledger().Future(node);
  for (const Task* victim : victims) room.Add(victim->request());
  return task.request().LessEqual(room, model::Undefined::kZero);
}

Evictions EvictUntil(Statement& statement, const Task& preemptor,
                     const std::vector<const Task*>& victims, std::string_view reason,
                     const std::function<bool()>& enough) {
  Evictions result;
  const Statement::Checkpoint before = statement.Mark();
  for (const Task* victim : victims) {
    if (enough()) break;
    statement.Evict(victim->id, reason, preemptor.id);
    result.evicted.push_back(victim);
  }
  result.enough = enough();
  if (!result.enough) {
    statement.RollbackTo(before);
    result.evicted.clear();
    return result;
  }
  // The last one was needed when it went; an earlier one may not be any more.
  for (std::size_t i = result.evicted.size(); i-- > 0;) {
    const Task* victim = result.evicted[i];
    statement.Spare(victim->id);
    if (enough()) {
      result.evicted.erase(result.evicted.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      statement.Evict(victim->id, reason, preemptor.id);
    }
  }
  return result;
}

bool BackfillWillPlace(Session& session, const Task& task) {
  if (!task.best_effort() || !session.config().HasAction("backfill")) return false;
  return session.finder().Best(task, NodeFinder::Room::kIgnored).has_value();
}

}  // namespace basalt::scheduler::actions
