#include "scheduler/placement/entry.h"

#include <fmt/format.h>

#include <utility>

#include "model/queue_room.h"
#include "scheduler/framework/job_text.h"

namespace basalt::scheduler {
namespace {

// Its queue would refuse the job on nodes without end, whichever policy refuses it now.
bool WaitsForQueueAlone(const Session& session, const Job& job) {
  return LimitFor(job) == model::QueueLimit::kCapability ||
         CapabilityShortfall(session.cluster(), job).exists();
}

}  // namespace

bool PassesVote(Session& session, const Job& job) {
  // What cannot be scheduled takes up no room in its queue.
  if (!NotSupported(job).empty()) return false;
  EnqueueRefusal why;
  if (!job.min_resources || job.queue_claims > 0 || session.MayEnqueue(job, &why)) return true;
  if (why.shortfall.exists()) {
    session.NeedsQueue(job, why.shortfall);
  } else {
    session.Needs(job, model::Waits::For(why.helps));
  }
  if (!why.text.empty()) {
    session.RecordFailure(
        job, {.other = std::move(why.text),
              .nodes_would_help = why.nodes_would_help && !WaitsForQueueAlone(session, job),
              .step = FitFailure::Step::kVote,
              .shortfall = why.shortfall});
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
  return !job.counts_with_pod && LimitFor(job) == model::QueueLimit::kNodes &&
         view.IsOverused(view.QueueOf(job));
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
  session.RecordFailure(job, session.WhyNotAdmitted(*first, Verdict::Unschedulable(reason)));
}

}  // namespace basalt::scheduler
