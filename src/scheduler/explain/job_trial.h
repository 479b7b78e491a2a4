#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/explain/explanation.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler::explain {

// What stops a job, or those of its tasks that are alike.
struct Obstacle {
  Stage stage = Stage::kNode;
  std::string reason;
  std::string message;
  std::vector<NodeCount> nodes;
  model::TaskId task;              // the first one that met it; none: it is the job's
  model::QueueId full_queue = {};  // the queue whose limit it is, where a policy says so
};

// What a cycle would do with a job that had the cluster to itself, as it is now.
struct JobTrial {
  // The job as a whole is stopped before its tasks are looked at.
  std::optional<Obstacle> job_obstacle;
  // By class of task: those that found no place, in the order in which they were met.
  std::vector<std::pair<std::uint32_t, Obstacle>> obstacles;
  // The queue cannot take as many gated tasks as the job needs: no node was looked for.
  bool stays_gated = false;
  int placed = 0;  // tasks that got a node now or the promise of one; or, where it stays gated,
                   // that the queue could take
  bool promises = false;  // one of them only the promise
  bool starts = false;    // enough for the job to start, or to be promised its start
  bool asked_placed = false;
  model::NodeId asked_node;

  // It would run: the job, and the task that was asked for.
  bool runs = false;

  const Obstacle* ObstacleOf(const model::Task& task) const;
  // The first thing in the job's way; nullptr: nothing.
  const Obstacle* First() const;
};

// Tries it in a statement and takes it back: the state's hash is the same afterwards. `asked` may
// be none: then as many tasks are tried as the job needs to start. The session should be opened for
// this alone, with plugins that no cycle uses.
JobTrial TryJob(model::Cluster& cluster, Session& session, const model::Job& job,
                const model::Task* asked);

}  // namespace basalt::scheduler::explain
