#include <algorithm>
#include <memory>
#include <vector>

#include "scheduler/framework/action.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/placement/entry.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler::actions {
namespace {

bool HasWork(const Session& session, const Job& job) {
  if (job.IsPending() || !session.ValidateJob(job).ok()) return false;
  const bool promised = std::ranges::any_of(
      job.pipelined, [&](model::TaskId id) { return session.cluster().task(id).best_effort(); });
  return job.pending_best_effort > 0 || promised;
}

// A job's tasks are bound once the job is ready. If it is not, they are taken back before the next
// job is looked at: a job that cannot start keeps no other out.
void PlaceTasksOf(Session& session, const Job& job, std::vector<const Task*>& no_node) {
  Statement statement(session);
  for (TaskList tasks = BestEffortTasks(session, job); !tasks.empty();) {
    const Task& task = *tasks.Take();
    if (!PlaceBestEffort(session, statement, task)) no_node.push_back(&task);
    if (IsReadyWithBestEffort(session, job)) statement.Commit();
  }
}

// Places best-effort tasks, which need no room, on any node that the filters allow. Counterpart:
// Volcano actions/backfill. Arguments: predicateErrorCacheEnable (as in allocate).
class Backfill final : public Action {
 public:
  static constexpr std::string_view kName = action_names::kBackfill;

  std::string_view name() const override { return kName; }
  void Run(Session& session) override {
    std::vector<const Task*> no_node;
    JobQueues work(session);
    for (const Job* job : session.JobsInTurn()) {
      if (HasWork(session, *job)) work.Add(*job);
    }
    bool time_is_left = true;
    while (const Queue* queue = time_is_left ? work.TakeQueue() : nullptr) {
      while (const Job* job = time_is_left ? work.TakeJob(*queue) : nullptr) {
        PlaceTasksOf(session, *job, no_node);
        if (time_is_left = session.GoOn(*job); !time_is_left) work.PutOffRest();
      }
    }
    Statement ungate(session);
    for (const Task* task : no_node) UngateBestEffort(session, *task, ungate);
    ungate.Commit();
  }
};

}  // namespace

Result<std::unique_ptr<Action>> MakeBackfill(const Arguments& arguments) {
  bool ignored = true;
  if (auto ok = arguments.Read({{"predicateErrorCacheEnable", &ignored}}); !ok) {
    return std::unexpected(ok.error());
  }
  return std::make_unique<Backfill>();
}

}  // namespace basalt::scheduler::actions
