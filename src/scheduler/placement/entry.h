#pragma once

#include <optional>

#include "base/error.h"
#include "model/queue_room.h"
#include "scheduler/config/arguments.h"
#include "scheduler/framework/session.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

// Whether a job comes as far as looking for places. What keeps it back is recorded in the session.

// The queue's vote on a job that is pending. A job that does not say what it needs enters without
// one, and so does one that was in before a restart: it holds what it was admitted for.
bool PassesVote(Session& session, const Job& job);

// Where the configuration has no action that lets jobs into their queues, those whose turn it is
// enter without a vote.
void EnterUnasked(const Session& session, Statement& entry);

// Whether the job is in its queue and has the pods that it needs.
bool MayBePlaced(const SessionView& view, const Job& job);

// Whether the queue has all that it deserves, and the job must wait for that. What a queue deserves
// comes from the nodes that exist, which do not limit jobs with pods at the gate.
bool WaitsForShare(const SessionView& view, const Job& job);
// The job is kept back for that.
void KeepBackForShare(Session& session, const Job& job);

// ---- at the gate
//
// Tasks that opted in to the queue-allocation gate get queue claims, which keep their room in the
// queue while they have no node. A gang is admitted as a whole, so that an autoscaler never makes
// nodes for a part of one; its pods that did not opt in get claims too.

// Claims for as many tasks as the job needs to start, or one more when it has those, in a statement
// that has nothing else in it. Not `whole`: the queue cannot take it, and no task of the job is to
// be placed. Then a gang that holds nothing else gives up the claims that it has (of a part of it,
// after a restart or with members made anew): two such gangs would each keep the other out for
// ever.
struct Admission {
  bool whole = true;
  int tasks = 0;  // that get a claim, or could where others could not
};
Admission AdmitAtGate(Session& session, const Job& job, Statement& claims);

// The queue-allocation gates of the tasks with a queue claim for which `test(task)` holds go.
template <class Test>
void UngateClaims(const Session& session, const Job& job, Statement& statement, Test test) {
  if (job.queue_claims == 0) return;
  for (const Task& task : session.cluster().TasksOf(job.pending)) {
    if (task.holding.queue_claim && test(task)) statement.Ungate(task.id);
  }
}
// A best-effort task fits no node, and needs nothing of its queue: an autoscaler should see it, and
// with it all that its job needs to start. Not while others of these may not be placed.
void UngateBestEffort(const Session& session, const Task& task, Statement& statement);

// Claims that have been without a node for as long as `timeout` lapse.
void LapseOldClaims(Session& session, const Job& job, Duration timeout, Statement& statement);

// Whether its queue lets the task look for a node: it holds a queue claim, needs none, or its claim
// has lapsed and it will be asked about again when a node fits.
inline bool IsAdmitted(const Job& job, const Task& task) {
  return task.holding.queue_claim || task.holding.lapsed || !model::NeedsClaim(job, task);
}
// Whether as many of the job's tasks as it needs to start are placed, or may be.
bool EnoughAdmitted(const model::Cluster& cluster, const Job& job);
// Since when a task without a node has had its queue claim. A claim from before a restart counts
// from when its pod was first said to fit no node; nothing: that has not been said, so from now.
std::optional<Time> ClaimedSince(const Task& task);
// The argument gateHoldTimeout of the action allocate: a claim without a node for so long blocks no
// other pod any more; nothing: it is kept for ever.
Result<std::optional<Duration>> GateHoldTimeout(const Arguments& arguments);

}  // namespace basalt::scheduler
