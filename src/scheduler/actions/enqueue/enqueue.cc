#include "scheduler/framework/action.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/placement/entry.h"

namespace basalt::scheduler::actions {
namespace {

void LetIn(Session& session, const Job& job) {
  Statement entry(session);
  entry.Enter(job.id);
  entry.Commit();
}

// Lets pending jobs into their queues: queue by queue in the queues' order, a job at a time, each
// when the plugins vote for it. A job that says no minimum of resources enters without a vote.
// Counterpart: Volcano actions/enqueue. It takes no arguments.
class Enqueue final : public Action {
 public:
  static constexpr std::string_view kName = action_names::kEnqueue;

  std::string_view name() const override { return kName; }
  void Run(Session& session) override {
    JobQueues work(session);
    for (const Job* job : session.JobsInTurn()) {
      session.MarkStarted(*job);
      if (!job->IsPending()) continue;
      // One that was in before a restart goes first: it holds what it was admitted for.
      if (job->queue_claims > 0 && PassesVote(session, *job)) {
        LetIn(session, *job);
      } else {
        work.Add(*job);
      }
    }
    work.ServeByTurns([&](const Job& job) {
      if (PassesVote(session, job)) LetIn(session, job);
      return session.GoOn(job);
    });
  }
};

}  // namespace

Result<std::unique_ptr<Action>> MakeEnqueue(const Arguments& arguments) {
  if (auto ok = arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Enqueue>();
}

}  // namespace basalt::scheduler::actions
