#pragma once

#include "controllers/job/job_controller.h"
#include "controllers/job/job_group.h"

// What the job controller remembers between and during its looks at a job. Only for its .cc files.
namespace basalt::controllers {

struct JobController::Owned {
  JobPods pods;
  std::vector<JobPod> gone;  // deleted by others, and not looked at yet
};

// Dies with the job; nothing in it is missed after a restart.
struct JobController::State {
  // Something that was asked for, by a Command or because a step keeps failing.
  struct Wish {
    JobEvent event = JobEvent::kCommandIssued;
    JobAction action = JobAction::kSync;
    std::string detail;
  };

  std::string uid;      // of the job that the rest is about
  bool looked = false;  // at least once
  std::deque<Wish> wishes;
  DelayedActions delayed;
  std::uint64_t written_version = 0;  // of the job, by the last write of its status
  Duration written_at{-1h};           // when its counts were last written
  Duration wakes_at{-1};
  int refusals = 0;            // of steps, one after the other
  std::string dropped_group;   // the uid of a group that was deleted
  bool dropped_parts = false;  // what plugins made was deleted, and the status says it is there
  std::string scale;           // for which the plugins' objects were last written
  bool pod_made = false;
};

struct JobController::Turn {
  Turn(std::string job_key, WorkQueue::Done when_done)
      : key(std::move(job_key)), done(std::move(when_done)) {}
  // However it ends, the queue is told.
  ~Turn() {
    if (done) done(false);
  }
  void Finish(bool ok) {
    if (done) std::exchange(done, nullptr)(ok);
  }

  std::string key;
  WorkQueue::Done done;
  JobPtr job;
  std::shared_ptr<State> state;
  std::shared_ptr<Owned> owned;
  GroupPtr group;
  PluginSet plugins;
  Occurrence occurrence;
  JobPlan plan;
  kube::StringMap controlled;  // status.controlledResources as it should be
  bool waits = false;          // for something that others make: no failure
};

inline std::uint64_t VersionNumber(std::string_view resource_version) {
  std::uint64_t number = 0;
  for (const char c : resource_version) {
    if (c < '0' || c > '9') return 0;  // not one that can be compared
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

// "2,4": the tasks' replicas.
std::string ScaleOf(const kube::VcJobSpec& spec);

// Takes what plugins made out of status.controlledResources.
void EraseParts(kube::StringMap& controlled);

}  // namespace basalt::controllers
