#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kube/types/pod.h"
#include "kube/types/workloads.h"

namespace basalt::workloads {

// On every pod of a Job until its end is counted in the Job's status, so that no pod that goes away
// is forgotten and none is counted twice.
inline constexpr std::string_view kJobFinalizer = "batch.kubernetes.io/job-tracking";
inline constexpr std::string_view kCompletionIndex = "batch.kubernetes.io/job-completion-index";

// The status that a Job should have.
struct JobStatus {
  std::int32_t active = 0;
  std::int32_t ready = 0;
  std::int32_t terminating = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::string completed_indexes;
  std::vector<std::string> uncounted_succeeded;
  std::vector<std::string> uncounted_failed;
  std::optional<Time> start_time;
  std::optional<Time> completion_time;
  std::vector<kube::Condition> changed_conditions;  // only those that are new or different
};

// What to do for a Job now. The status is written first (and only if it differs), then the rest is
// done: a finalizer goes only after the status that counts its pod is stored.
struct JobPlan {
  JobStatus status;
  bool status_changed = false;
  std::vector<const kube::Pod*> release;  // take the finalizer off
  std::vector<const kube::Pod*> remove;   // delete
  std::int32_t create = 0;
  std::vector<std::int32_t> create_indexes;  // of an Indexed Job: as many as `create`
  std::optional<Time> look_again;
  bool remove_job = false;  // its time to live after its end is over
};

// `pods` are those that the Job controls. Pure. Deviation: pods deleted because the Job was
// suspended do not count as failed (a queue that suspends a Job must not use up its backoffLimit).
JobPlan PlanJob(const kube::Job& job, const std::vector<const kube::Pod*>& pods, Time now);

// The first field of the Job that asks for something not implemented here; empty: none.
std::string_view UnsupportedJobField(const kube::Job& job);

}  // namespace basalt::workloads
