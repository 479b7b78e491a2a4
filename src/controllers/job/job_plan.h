#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "controllers/job/job_pods.h"
#include "controllers/job/policies.h"
#include "kube/types/vcjob.h"

// The job controller's decisions without I/O: what a job's status becomes, which pods go and which
// are made (contract C12.2, C12.3).
namespace basalt::controllers {

struct PodToMake {
  std::size_t task = 0;  // in spec.tasks
  std::int32_t index = 0;
  bool operator==(const PodToMake&) const = default;
};

struct JobPlan {
  kube::VcJobStatus status;         // as it should be, `remove` counted as terminating
  std::vector<std::string> remove;  // names of pods to be marked and deleted, in order
  // Those of `remove` that are marked before the status is written: a controller that dies after
  // them, and before the status says why, must still be able to see what it was that happened.
  std::vector<std::string> mark_first;
  std::vector<PodToMake> make;
  // The PodGroup and what plugins made go.
  bool drop_parts = false;
};

// `may_make`: the group was let in, and what pods need is there.
JobPlan PlanJob(const kube::VcJob& job, const JobPods& pods, const Occurrence& occurrence,
                bool may_make, Time now);

// Tasks whose pods may be made: those they depend on serve, or some of their pods exist already.
std::vector<bool> TasksThatMayStart(const kube::VcJobSpec& spec, const JobTally& tally);

// Pods that were deleted while no controller ran: the status counts more of them than there are.
// Their names are the first that are missing.
std::vector<JobPod> FindMissing(const kube::VcJob& job, const JobPods& pods);

// Whether the two say the same but for what is counted.
bool SameButCounts(const kube::VcJobStatus& a, const kube::VcJobStatus& b);

}  // namespace basalt::controllers
