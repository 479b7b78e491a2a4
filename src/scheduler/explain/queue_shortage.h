#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/explain/explanation.h"

namespace basalt::scheduler::explain {

// What a queue would need more of to take `need` for the job.
struct Shortage {
  model::QueueId queue;
  model::Resource missing;        // how much
  model::DimensionSet which = 0;  // of what
};

// What a job still needs of its queue, and how much of that it has there already: claims of its own
// pods do not stand in their way.
struct Need {
  model::Resource amount;
  model::Resource claimed;
};
// Up to the job's start, or of `asked` alone where it has started.
Need NeedOf(const model::Cluster& cluster, const model::Job& job, const model::Task* asked);

// The queues on the way from the job's own up to the root whose capability leaves too little for
// the need of the job, or of `asked` (see NeedOf), the job's own first. What a policy grants less
// than the capability (a share, guarantees of others) is not known here.
std::vector<Shortage> FindShortages(const model::Cluster& cluster, const model::Job& job,
                                    const Need& need);

// The groups below `queue` that hold most of the dimension, at most `most` of them; `job`, which
// wants some of it, without its claims.
std::vector<QueueShortage::Holder> LargestHolders(const model::Cluster& cluster,
                                                  const model::Queue& queue, const model::Job& job,
                                                  int dimension, std::size_t most);

}  // namespace basalt::scheduler::explain
