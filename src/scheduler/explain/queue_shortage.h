#pragma once

#include <vector>

#include "model/cluster.h"
#include "scheduler/explain/explanation.h"
#include "scheduler/explain/rehearsal.h"
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

// The job's queue and, where they are in reach of the policy, those above it whose capability
// leaves too little for the need of the job, or of `asked` (see NeedOf), the job's own first. What
// a policy grants less than the capability (a share, guarantees of others) is not known here.
std::vector<Shortage> FindShortages(const model::Cluster& cluster, const model::Job& job,
                                    const Need& need, model::QueueReach reach);

// Says which queue is short of which resource, where the job stands in its own queue, and which
// groups hold most of that resource; for a job that the obstacle keeps out of its queue.
void DescribeShortage(const SessionView& view, const model::Job& job, const model::Task* asked,
                      const Obstacle& obstacle, Explanation& out);

}  // namespace basalt::scheduler::explain
