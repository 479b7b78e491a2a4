#pragma once

#include <optional>
#include <vector>

#include "scheduler/framework/session.h"

namespace basalt::scheduler {

// Whether the task fits on the node now, or will once the tasks that leave it are gone: their room,
// their ports and all else that filters look at. The task must hold nothing.
std::optional<NodeFinder::Found> TryWithoutLeaving(Session& session, const Task& task, NodeId node,
                                                   NodeFinder::Room room);

// Whether the task may be bound where it fits now: on room that is there, and certain. Its queue
// still counts the tasks that leave it. A promise for which pods are evicted waits until the API
// server has accepted the evictions: a disruption budget may say no. `held`: what the task held;
// now it must hold nothing.
bool MayBeBound(const Session& session, const Task& task, const model::Holding& held);

// Takes back two kinds of promises. The first kind is those of jobs that are not among `jobs`, the
// jobs that may be placed: no action would look after them. The second kind has no room any more on
// its node or in its queue's capability: an eviction failed, or a pod does not go. Of the second
// kind the promise that is last in order goes first.
void DropVoidPromises(Session& session, const std::vector<const Job*>& jobs, Statement& drop);

// The promises that one job has from earlier cycles. Each step has a statement of its own, which
// the caller commits. On the cluster's thread; lives for one look at the job.
class KeptPromises {
 public:
  KeptPromises(Session& session, const Job& job) : session_(session), job_(job) {}

  // Restored promises (Holding::restored) are promises like others from now on. The queue's share
  // may have become smaller since: the task was admitted then, and pods may have left for it.
  void TakeOverRestored(Statement& statement);
  // Places what fits now, on its own node or another. false: the job is not ready then, and the
  // statement is to be discarded.
  bool Start(Statement& statement);
  // A promise stays while its node will have the room; else another node is promised, or none. All
  // are taken back when the job cannot start on what is left.
  void KeepWhatHolds(Statement& statement);

 private:
  Session& session_;
  const Job& job_;
};

}  // namespace basalt::scheduler
