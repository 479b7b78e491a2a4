#include "scheduler/placement/entry.h"

#include <fmt/format.h>

#include <utility>

#include "scheduler/framework/queue_room.h"

namespace basalt::scheduler {
namespace {

// Whoever refused the job: with nodes without end its queue would refuse it still.
bool WaitsForQueueAlone(const Session& session, const Job& job) {
  return job.pending_opted_in > 0 || CapabilityRefuses(session.cluster(), job);
}

}  // namespace

bool PassesVote(Session& session, const Job& job) {
  EnqueueRefusal why;
  if (!job.min_resources || job.queue_claims > 0 || session.MayEnqueue(job, &why)) return true;
  if (why.full_queue.valid()) {
    session.NeedsQueue(job, why.full_queue);
  } else {
    session.Needs(job, model::Waits::For(why.helps));
  }
  if (!why.text.empty()) {
    session.RecordFailure(
        job, {.other = std::move(why.text),
              .nodes_would_help = why.nodes_would_help && !WaitsForQueueAlone(session, job),
              .step = FitFailure::Step::kVote,
              .full_queue = why.full_queue});
  }
  return false;
}

bool MayBePlaced(Session& session, const Job& job) {
  if (job.IsPending()) {
    if (session.config().HasAction("enqueue")) return false;
    session.Admit(job);
  }
  return session.ValidateJob(job).ok();
}

bool WaitsForShare(const SessionView& view, const Job& job) {
  return job.pending_opted_in == 0 && view.IsOverused(view.QueueOf(job));
}

void KeepBackForShare(Session& session, const Job& job) {
  // Whether a queue is served at all may depend on anything.
  session.Needs(job, model::Waits::ForAnything());
  const Task* first = nullptr;
  for (const model::TaskId id : job.pending) {
    const Task& task = session.cluster().task(id);
    if (!first || model::TaskBefore(task, *first)) first = &task;
  }
  if (!first) return;
  const std::string_view reason = session.reasons().Keep(
      fmt::format("queue {} has all that it deserves", session.QueueOf(job).name));
  session.RecordFailure(job, session.WhyNotAdmitted(*first, Verdict::Unschedulable({}, reason)));
}

}  // namespace basalt::scheduler
