#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "model/cluster.h"
#include "scheduler/config/arguments.h"

namespace basalt::scheduler {

// A promise that stands: the node on which a pipelined task will have room (contract C5). It runs
// to the latest deletion timestamp of the pods that leave the node, and a grace after it. Then
// these pods are overdue, their room is not counted on any more, and the promise falls with it. The
// same goes for pods on other nodes that leave the task's queue, where that must have their room
// first.
struct StandingPromise {
  model::NodeId node;
  // The tasks that leave the node or the queue and are not overdue; by name.
  std::vector<const model::Task*> waits_for;
  // Nothing: it waits for no pod there (but for the rest of its group), or an eviction is under way
  // whose end is not known yet.
  std::optional<Time> until;
};

inline constexpr Duration kDefaultNominationGrace = 2min;
// The argument "nominationGrace" of the action allocate.
Result<Duration> NominationGrace(const Arguments& arguments);

// What the configuration says of promises.
struct PromiseTerms {
  Duration grace = kDefaultNominationGrace;
  model::QueueReach reach = model::QueueReach::kTree;
};

// The queue that must have room before the task, which is promised a node, may start; none: there
// is none.
model::QueueId QueueThatIsWaitedFor(const model::Cluster& cluster, const model::Task& task,
                                    model::QueueReach reach);
// Whether the task counts in the queue.
bool CountsIn(const model::Cluster& cluster, const model::Task& task, model::QueueId queue,
              model::QueueReach reach);

// Whether the task is on its way out, and its room is counted on.
bool IsLeaving(const model::Task& task);

// When all promises of the node end; see StandingPromise::until.
std::optional<Time> PromisesEndOn(const model::Cluster& cluster, model::NodeId node,
                                  Duration grace);

// Nothing: the task is not promised a node.
std::optional<StandingPromise> StandingPromiseOf(const model::Cluster& cluster,
                                                 const model::Task& task,
                                                 const PromiseTerms& terms);

// What changes at `now`, and what will next.
struct Overdue {
  std::vector<model::TaskId> tasks;  // by id; to be marked so
  std::optional<Time> next;          // when the next promise ends; none where there are none
};
Overdue FindOverdue(const model::Cluster& cluster, Duration grace, Time now);

}  // namespace basalt::scheduler
