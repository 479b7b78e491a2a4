#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scheduler/explain/explanation.h"
#include "scheduler/framework/session.h"
#include "scheduler/placement/job_placement.h"

namespace basalt::scheduler::explain {

// What stops a job, or one of its tasks.
struct Obstacle {
  Stage stage = Stage::kNode;
  std::string reason;     // one word
  std::string condition;  // the reason that the pod's condition gives
  std::string message;
  std::vector<NodeCount> nodes;
  model::TaskId task = {};          // that finds no place; none: it is the job's
  model::Shortfall shortfall = {};  // the queue whose limit it is, where a policy says so
};

// What became of a job.
struct JobTrial {
  std::optional<Obstacle> first;  // in the job's way
  std::optional<Obstacle> own;    // in the way of the task that was asked for
  // The queue cannot take as many gated tasks as the job needs: no node was looked for.
  bool stays_gated = false;
  int placed = 0;  // tasks that got a node now or the promise of one; or, where it stays gated,
                   // that the queue could take
  bool promises = false;  // one of them only the promise
  bool starts = false;    // enough for the job to start, or to be promised its start
  bool runs = false;      // the job would start, and the task that was asked for has its place
};

// What the next cycle would do, by the code that does it (placement/), in a session of its own.
// Everything is taken back at the end; the state's hash is the same afterwards. On the cluster's
// thread, between cycles; lives for one answer.
class Rehearsal {
 public:
  // `plugins`: not those of the cycles.
  Rehearsal(model::Cluster& cluster, PluginSet& plugins, Time now);
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;

  // The job alone. `asked` may be none: then as many tasks are placed as the job needs to start.
  JobTrial Alone(const model::Job& job, const model::Task* asked);
  // All jobs that wait, in their order, up to this one.
  JobTrial InTurn(const model::Job& job, const model::Task* asked);

  // For how many tasks a place was looked for.
  std::size_t placements() const { return placements_; }

 private:
  bool Enter(const model::Job& job);
  void EnterAll(const std::vector<const model::Job*>& jobs);
  // One step of allocate. true: the job is ready, and what is left may be placed.
  bool Place(const model::Job& job, JobPlacement& placement, JobTrial& trial);
  void PlaceBestEffortOf(const model::Job& job);
  void PlaceBestEffortInTurn(const std::vector<const model::Job*>& jobs, const model::Job& last);
  JobTrial Report(const model::Job& job, const model::Task* asked, JobTrial trial) const;
  bool IsDecided(const model::Task& task) const;

  model::Cluster& cluster_;
  const PluginSet& plugins_;
  Session session_;
  Statement done_;
  std::size_t placements_ = 0;
};

}  // namespace basalt::scheduler::explain
