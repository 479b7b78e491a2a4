#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "controllers/job/job_action.h"
#include "controllers/job/job_pods.h"
#include "kube/types/vcjob.h"

// Which action follows from what happened (contract C12.4), without I/O.
namespace basalt::controllers {

// Something that happened to a job, and what is to be done about it.
struct Occurrence {
  JobEvent event = JobEvent::kOutOfSync;
  JobAction action = JobAction::kSync;
  Duration timeout{0};
  // The pod that it happened to; empty where it was none.
  std::string pod;
  std::string pod_uid;
  std::string task;
  std::string partition;
  std::int32_t version = 0;    // of the pod
  std::uint64_t sequence = 0;  // of the pod
  Time since{};                // when it happened, as far as the pod says
  std::string detail;          // for users
};

struct PolicyMatch {
  JobAction action = JobAction::kSync;
  std::optional<Duration> timeout;
};

// The first policy that matches, of the task's and then of the job's; kSync where none does.
// `task` is nullptr for what happens to no task's pod; `exit_code` is that of a failed pod.
PolicyMatch FindPolicy(const kube::VcJobSpec& spec, const kube::VcJobTask* task, JobEvent event,
                       std::int32_t exit_code = 0);

// All that has happened to the job's pods and its group and that asks for an action which does
// something in this phase, in the order in which it happened. What the controller did itself, and
// pods of earlier versions, are no events. `gone`: pods that were deleted since the last look.
std::vector<Occurrence> FindOccurrences(const kube::VcJob& job, const JobPods& pods,
                                        const std::vector<JobPod>& gone, const JobTally& tally,
                                        bool group_is_unknown);

}  // namespace basalt::controllers
