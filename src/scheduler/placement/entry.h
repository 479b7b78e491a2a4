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

}  // namespace basalt::scheduler
