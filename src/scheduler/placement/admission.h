#pragma once

#include "scheduler/framework/session.h"

namespace basalt::scheduler {

// Tasks that opted in to the queue-allocation gate get queue claims, which keep their room in the
// queue while they have no node. A gang is admitted as a whole, so that an autoscaler never makes
// nodes for a part of one; its pods that did not opt in get claims too.

// Claims for as many tasks as the job needs to start, or one more when it has those. false: the
// queue cannot take it, no task of the job is to be placed, and the claims are to be discarded.
bool AdmitAtGate(Session& session, const Job& job, Statement& claims);

// Claims that have been without a node for as long as `timeout` lapse.
void LapseOldClaims(Session& session, const Job& job, Duration timeout, Statement& statement);

}  // namespace basalt::scheduler
