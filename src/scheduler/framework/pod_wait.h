#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/framework/fit_failure.h"

namespace basalt::scheduler {

// The pods that a gang lacks may be on their way: nothing is said of that before the pods that it
// has are so old.
inline constexpr Duration kPodsMayCome = 5s;

// Why one pending pod has no place after a session has looked at its job: what its condition says,
// and `explain`.
struct PodWait {
  enum class Cause : unsigned char {
    kJob,           // `failure`: its job as a whole is kept back
    kInvalid,       // its group has too few pods, or asks for what is not supported
    kGatedMembers,  // gates that Basalt does not remove hold back pods that its group needs
    kOwn,           // `failure`: the pod finds no place
    kOther,         // `failure`: `other` finds no place, and its group cannot start without
    kIncomplete,    // the pod fits, and its group is not complete
  };
  const model::Task* task = nullptr;
  Cause cause = Cause::kOwn;
  std::string_view reason;  // of the condition
  std::string message;
  const FitFailure* failure = nullptr;
  const model::Task* other = nullptr;
  Duration patience{0};  // nothing is said before the pod is as old as that
};

// The job's pending pods that are held back by gates that Basalt does not remove, in their order,
// where the job cannot start without one of them. None: it can.
std::vector<const model::Task*> GatedMembers(const model::Cluster& cluster, const model::Job& job);

// The gates that have to go before Basalt looks at the pod: those of others, or its own where it is
// there alone.
std::vector<std::string> GatesInTheWay(const kube::Pod& pod);

// "the group needs 2 pods and cannot start without those behind gates: w-1 is held back by
// scheduling gate x".
std::string DescribeGatedMembers(const model::Job& job,
                                 const std::vector<const model::Task*>& members);

}  // namespace basalt::scheduler
