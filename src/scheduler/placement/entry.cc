#include "scheduler/placement/entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kube/types/time.h"
#include "model/queue_room.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler {

namespace {

// What people are told. A queue that would refuse the job on nodes without end is the reason,
// whichever policy has refused it first: who hears of nodes adds some.
FitFailure WhyNotEntered(const Session& session, const Job& job, const EnqueueRefusal& why) {
  FitFailure failure{.other = why.text,
                     .nodes_would_help = why.nodes_would_help,
                     .step = FitFailure::Step::kVote,
                     .shortfall = why.shortfall};
  if (!failure.nodes_would_help) return failure;
  failure.nodes_would_help = LimitFor(job) != model::QueueLimit::kCapability;
  if (const model::Shortfall full =
          CapabilityShortfall(session.cluster(), job, session.queue_reach());
      full.exists()) {
    failure.nodes_would_help = false;
    failure.other = QueueLacks(session, full);
    failure.shortfall = full;
  }
  return failure;
}

}  // namespace

bool PassesVote(Session& session, const Job& job) {
  // What cannot be scheduled takes up no room in its queue.
  if (!NotSupported(job).empty()) return false;
  // What counts with another pod is no growth of its queue: no policy is asked.
  if (!job.min_resources || job.queue_claims > 0 || job.counts_with_pod) return true;
  EnqueueRefusal why;
  if (session.MayEnqueue(job, &why)) return true;
  if (why.shortfall.exists()) {
    session.NeedsQueue(job, why.shortfall);
  } else {
    session.Needs(job, model::Waits::For(why.helps));
    if (why.for_this_cycle) session.DependsOnTime(job);
  }
  if (why.text.empty()) return false;
  FitFailure failure = WhyNotEntered(session, job, why);
  // Room in a queue that is full besides does not let the job in, but changes what is told.
  if (!why.shortfall.exists() && failure.shortfall.exists()) {
    session.NeedsQueue(job, failure.shortfall);
  }
  session.RecordFailure(job, std::move(failure));
  return false;
}

void EnterUnasked(const Session& session, Statement& entry) {
  if (session.config().HasAction(action_names::kEnqueue)) return;
  for (const Job* job : session.JobsInTurn()) {
    if (job->IsPending()) entry.Enter(job->id);
  }
}

bool MayBePlaced(const SessionView& view, const Job& job) {
  return !job.IsPending() && view.ValidateJob(job).ok();
}

bool WaitsForShare(const SessionView& view, const Job& job) {
  return !job.counts_with_pod && LimitFor(job) == model::QueueLimit::kNodes &&
         view.IsOverused(view.QueueOf(job));
}

void KeepBackForShare(Session& session, const Job& job) {
  // Whether a queue is served at all may depend on anything.
  session.Needs(job, model::Waits::ForAnything());
  const Task* first = nullptr;
  for (const Task& task : session.cluster().TasksOf(job.pending)) {
    if (!first || model::TaskBefore(task, *first)) first = &task;
  }
  if (!first) return;
  const std::string_view reason = session.reasons().Keep(
      fmt::format("queue {} has all that it deserves", session.QueueOf(job).name));
  session.RecordFailure(job, session.WhyNotAdmitted(*first, Verdict::Unschedulable(reason)));
}

// ---- at the gate

namespace {

TaskList Unadmitted(const Session& session, const Job& job) {
  std::vector<const Task*> tasks;
  for (const Task& task : session.cluster().TasksOf(job.pending)) {
    if (IsAdmitted(job, task) || task.gate == model::Gate::kForeign) continue;
    if (!task.best_effort()) tasks.push_back(&task);
  }
  return TaskList(session, std::move(tasks));
}

// In the order of their uids, so that the log does not depend on how the list came about.
void Lapse(const Session& session, std::vector<model::TaskId> tasks, Statement& statement) {
  std::ranges::sort(tasks, {}, [&](model::TaskId id) { return session.cluster().task(id).uid(); });
  for (const model::TaskId id : tasks) statement.LapseQueueClaim(id);
}

void GiveUpStrayClaims(const Session& session, const Job& job, Statement& statement) {
  if (job.queue_claims == 0 || job.HoldsNodes() || !job.pipelined.empty()) return;
  std::vector<model::TaskId> strays;
  for (const model::TaskId id : job.pending) {
    if (session.cluster().task(id).holding.queue_claim) strays.push_back(id);
  }
  Lapse(session, std::move(strays), statement);
}

}  // namespace

Admission AdmitAtGate(Session& session, const Job& job, Statement& claims) {
  if (job.pending_opted_in == 0) return {};
  const Queue& queue = session.QueueOf(job);
  const model::TaskClass* refused = nullptr;
  for (TaskList candidates = Unadmitted(session, job); !candidates.empty();) {
    const Task& task = *candidates.Take();
    if (!claims.empty() && EnoughAdmitted(session.cluster(), job)) break;
    if (task.task_class == refused) continue;
    const Verdict admitted = session.MayClaim(queue, task);
    if (admitted.ok()) {
      claims.GrantQueueClaim(task.id);
      continue;
    }
    refused = task.task_class;
    session.NeedsQueue(job, admitted.shortfall);
    session.RecordFailure(task, session.WhyNotAdmitted(task, admitted));
  }
  const Admission admission{EnoughAdmitted(session.cluster(), job),
                            static_cast<int>(claims.operations().size())};
  if (admission.whole) return admission;
  claims.Discard();
  GiveUpStrayClaims(session, job, claims);
  return admission;
}

void LapseOldClaims(Session& session, const Job& job, Duration timeout, Statement& statement) {
  std::vector<model::TaskId> old;
  for (const Task& task : session.cluster().TasksOf(job.pending)) {
    if (!task.holding.queue_claim) continue;
    const Time since = ClaimedSince(task).value_or(session.now());
    if (task.claimed_since == Time{}) statement.DateQueueClaim(task.id, since);
    if (session.now() - since >= timeout) old.push_back(task.id);
  }
  Lapse(session, std::move(old), statement);
}

void UngateBestEffort(const Session& session, const Task& task, Statement& statement) {
  const Job& job = *session.JobOf(task);
  if (!EnoughAdmitted(session.cluster(), job)) return;
  if (job.ready_tasks() >= job.min_available) return statement.Ungate(task.id);
  for (const model::TaskId id : job.pending) {
    if (session.cluster().task(id).best_effort()) statement.Ungate(id);
  }
}

bool EnoughAdmitted(const model::Cluster& cluster, const Job& job) {
  std::vector<int> admitted(job.roles.size());
  int total = 0;
  for (std::size_t i = 0; i < job.roles.size(); ++i) {
    const model::StatusCounts& counts = job.roles[i].counts;
    admitted[i] = counts.Ready() + counts[model::TaskStatus::kPipelined];
    total += admitted[i];
  }
  for (const Task& task : cluster.TasksOf(job.pending)) {
    // A gate that is not ours to remove.
    if (task.gate != model::Gate::kNone && !task.waits_at_gate()) continue;
    // Best-effort tasks need no room; backfill places them.
    if (!IsAdmitted(job, task) && !task.best_effort()) continue;
    ++admitted[task.role];
    ++total;
  }
  if (total < job.min_available) return false;
  if (!job.RolesCount()) return true;
  for (std::size_t i = 0; i < job.roles.size(); ++i) {
    if (admitted[i] < job.roles[i].min_available) return false;
  }
  return true;
}

std::optional<Time> ClaimedSince(const Task& task) {
  if (task.claimed_since != Time{}) return task.claimed_since;
  const kube::Condition* said = kube::PodScheduledOf(*task.pod);
  if (said && said->reason == reasons::kUnschedulable) return said->last_transition_time;
  return std::nullopt;
}

Result<std::optional<Duration>> GateHoldTimeout(const Arguments& arguments) {
  std::string text;
  if (auto ok = arguments.Get("gateHoldTimeout", &text); !ok) return std::unexpected(ok.error());
  if (text.empty()) return std::nullopt;
  const Result<Duration> timeout = kube::ParseDuration(text);
  if (!timeout) return std::unexpected(timeout.error().Wrap("gateHoldTimeout"));
  if (*timeout > Duration::zero()) return *timeout;
  return Fail(ErrorCode::kInvalidArgument,
              "gateHoldTimeout: must be more than nothing; leave it out to switch it off");
}

}  // namespace basalt::scheduler
