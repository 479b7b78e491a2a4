#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cluster.h"
#include "scheduler/explain/explanation.h"
#include "scheduler/framework/plugin_set.h"

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

// Tries what the next cycle would do, by the code that does it (placement/), each time in a session
// of its own, as often as one question needs. Each trial is taken back at its end; the state's hash
// is the same afterwards. On the cluster's thread, between cycles.
class Prober {
 public:
  // `plugins`: not those of the cycles.
  Prober(model::Cluster& cluster, PluginSet& plugins, Time now);

  // The job alone. `asked` may be none: then as many tasks are placed as the job needs to start.
  JobTrial Alone(const model::Job& job, const model::Task* asked);
  // All jobs that wait, in their order, up to this one.
  JobTrial InTurn(const model::Job& job, const model::Task* asked);
  // The jobs that wait below the queue and may be served before this one: those of its own queue in
  // their order, then those of others.
  std::vector<const model::Job*> Ahead(const model::Job& job, model::QueueId queue);

  model::Cluster& cluster() { return cluster_; }
  Time now() const { return now_; }
  model::QueueReach queue_reach() const { return plugins_.queue_reach(); }
  int trials() const { return trials_; }
  // How many pods all trials together have looked for a place for, at most.
  std::size_t placements() const { return placements_; }

 private:
  model::Cluster& cluster_;
  PluginSet& plugins_;
  Time now_;
  int trials_ = 0;
  std::size_t placements_ = 0;
};

}  // namespace basalt::scheduler::explain
