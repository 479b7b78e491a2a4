#pragma once

#include "scheduler/framework/session.h"

namespace basalt::scheduler {

// Whether a job comes as far as looking for places. What keeps it back is recorded in the session.

// The queue's vote on a job that is pending. A job that does not say what it needs enters without
// one, and so does one that was in before a restart: it holds what it was admitted for.
bool PassesVote(Session& session, const Job& job);

// Whether the job is in its queue and has the pods that it needs. Where no action enqueues it is in
// from now on.
bool MayBePlaced(Session& session, const Job& job);

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

// Claims for as many tasks as the job needs to start, or one more when it has those. false: the
// queue cannot take it, no task of the job is to be placed, and the claims are to be discarded.
bool AdmitAtGate(Session& session, const Job& job, Statement& claims);

// Claims that have been without a node for as long as `timeout` lapse.
void LapseOldClaims(Session& session, const Job& job, Duration timeout, Statement& statement);

}  // namespace basalt::scheduler
