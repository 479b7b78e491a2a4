#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/pod.h"
#include "kube/types/vcjob.h"

namespace basalt::controllers {

// One of a job's pods as far as the controller looks at it.
struct JobPod {
  std::string name;
  std::string uid;  // "": asked for and not seen yet
  std::string task;
  std::string partition;
  std::int32_t index = -1;
  std::int32_t version = 0;
  kube::PodPhase phase = kube::PodPhase::kPending;
  bool leaving = false;  // being deleted
  bool marked = false;   // by this controller, which is about to delete it
  bool ours = false;     // marked, or soon: its end is no event
  bool ready = false;    // all its containers are
  std::int32_t restarts = 0;
  std::int32_t exit_code = 0;  // of the first container of a failed pod
  Time created{};
  Time ended{};                // the last container's
  std::uint64_t sequence = 0;  // in which order things happened to pods

  bool has_ended() const {
    return phase == kube::PodPhase::kSucceeded || phase == kube::PodPhase::kFailed;
  }
};

// By name.
using JobPods = boost::unordered_flat_map<std::string, JobPod>;

JobPod ViewOf(const kube::Pod& pod);

// The name of a task's pod: JOB-TASK-INDEX.
std::string PodNameOf(std::string_view job, std::string_view task, std::int32_t index);

// How many pods of a job, or of a task, are in which phase. Those that are leaving count as that
// alone.
struct PodTally {
  std::int32_t pending = 0;
  std::int32_t running = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::int32_t unknown = 0;
  std::int32_t terminating = 0;

  void Add(kube::PodPhase phase);
};

struct TaskTally : PodTally {
  std::int32_t wanted = 0;    // have an index that the task asks for, leaving or not
  std::int32_t serving = 0;   // run with all containers ready, or have succeeded
  std::int32_t restarts = 0;  // of containers in place, of pods that pend or run
};

struct JobTally : PodTally {
  std::vector<TaskTally> tasks;  // as the job has them
};

JobTally TallyOf(const kube::VcJobSpec& spec, const JobPods& pods);

}  // namespace basalt::controllers
