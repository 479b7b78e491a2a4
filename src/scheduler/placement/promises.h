#pragma once

#include <optional>
#include <vector>

#include "scheduler/framework/session.h"

namespace basalt::scheduler {

// Whether the task fits on the node now, or will once those that leave it are gone: their room,
// their ports and all else that filters look at. The task must hold nothing.
std::optional<NodeFinder::Found> TryWithoutLeaving(Session& session, const Task& task, NodeId node,
                                                   NodeFinder::Room room);

// Whether the task may be bound where it fits now: on room that is there, and certain. Its queue
// counts those that are still to leave it, and a promise that somebody is evicted for waits until
// the API server has accepted that: a disruption budget may say no. `held`: what the task held; now
// it must hold nothing.
bool MayBeBound(const Session& session, const Task& task, const model::Holding& held);

// Takes back promises that nobody would look after (of jobs that are not among `jobs`, those that
// may be placed) and those that their node, or the capability of their queue, has no room for any
// more, of the last in order first: somebody's eviction failed, or he does not go.
void DropVoidPromises(Session& session, const std::vector<const Job*>& jobs, Statement& drop);

// The promises that one job has from earlier cycles. Each step has a statement of its own, which
// the caller commits.
class KeptPromises {
 public:
  KeptPromises(Session& session, const Job& job) : session_(session), job_(job) {}

  // Promises that were read back from pods, or that nobody may take while a bind is tried again,
  // are promises like others from now on. The queue's share may have become smaller since: it was
  // admitted then, and others may have left for it.
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
