#include "scheduler/placement/victims.h"

#include <algorithm>

namespace basalt::scheduler {

std::vector<const Task*> CandidatesOn(Session& session, const Node& node, const Task& preemptor,
                                      const TaskFilter& filter) {
  std::vector<const Task*> candidates;
  for (const model::TaskId id : node.tasks) {
    const Task& task = session.cluster().task(id);
    const Job* job = session.cluster().FindJob(task.job);
    if (job && job->reservation) continue;  // what is reserved is nobody's victim
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

}  // namespace basalt::scheduler
