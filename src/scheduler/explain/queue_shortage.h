#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/config/config.h"
#include "scheduler/explain/explanation.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::explain {

// What a queue would need more of to take `need` for the job.
struct Shortage {
  model::QueueId queue;
  model::Amounts missing;         // how much
  model::DimensionSet which = 0;  // of what
};

// What a job still needs of its queue, and how much of that it has there already: claims of its own
// pods do not stand in their way.
struct Need {
  model::Amounts amount;
  model::Amounts claimed;

  void Add(const model::Task& task);
  void Add(const Need& other);
  // What it has no claim for yet. A task that has one does not compete with claims of others.
  double Unclaimed(int dimension) const { return amount[dimension] - claimed[dimension]; }
  bool IsClaimed(int dimension) const { return Unclaimed(dimension) < model::Amounts::kEpsilon; }
};
// Up to the job's start, or of `asked` alone where it has started.
Need NeedOf(const model::Cluster& cluster, const model::Job& job, const model::Task* asked);

// The queues on the way from the job's own up to the root whose capability leaves too little for
// the need of the job, or of `asked` (see NeedOf), the job's own first. What a policy grants less
// than the capability (a share, guarantees of others) is not known here.
std::vector<Shortage> FindShortages(const model::Cluster& cluster, const model::Job& job,
                                    const Need& need);

// The groups below `queue` that hold most of the dimension, at most `most` of them; `job`, which
// needs some of it, without its claims.
std::vector<QueueShortage::Holder> LargestHolders(const model::Cluster& cluster,
                                                  const model::Queue& queue, const model::Job& job,
                                                  const Need& need, int dimension,
                                                  std::size_t most);

// Where a job stands among those of its queue with pods that the queue has not admitted, in the
// order in which they are tried.
struct PlaceInQueue {
  int place = 0;  // 1: the next
  int waiting = 0;
};
PlaceInQueue PlaceOf(const SessionView& view, const model::Job& job);
// "3rd of 12 jobs waiting in queue q".
std::string Describe(const PlaceInQueue& place, const model::Queue& queue);

// What the job waits for where `queue` has too little of the dimension: admitted pods that no node
// fits, for how long, and what can be done about it; where there are none, the groups that hold
// most of it. "": no group holds any.
std::string DescribeHolders(const model::Cluster& cluster, const model::Queue& queue,
                            const model::Job& waiting, const Need& need, int dimension,
                            const std::vector<QueueShortage::Holder>& holders, const Config& config,
                            Time now);

}  // namespace basalt::scheduler::explain
