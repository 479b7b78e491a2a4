#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/explain/explanation.h"
#include "scheduler/explain/rehearsal.h"
#include "scheduler/explain/scale.h"
#include "scheduler/framework/eviction_memory.h"
#include "scheduler/framework/plugin_set.h"

namespace basalt::scheduler::explain {

// A queue: what holds back the group that is next in it, and what else waits.
struct QueueExplanation {
  Explanation next;
  std::vector<Explanation> waiting;  // the first in their order; without a change
  int waiting_total = 0;
};

// Says why pods, groups and queues wait, when asked: nothing of this is worked out in a cycle. It
// tries what the next cycle would do on the live state and takes it back; the state's hash is the
// same afterwards, and no job that waits wakes. Lives for one question. Scheduling thread, between
// cycles.
class Explainer {
 public:
  // `plugins` are not those of the cycles: sessions are opened and left without being closed.
  // `memory`: of the evictions of the cycles; nullptr: nothing is said of them.
  Explainer(model::Cluster& cluster, PluginSet& plugins, Time now,
            const EvictionMemory* memory = nullptr)
      : cluster_(cluster), plugins_(plugins), now_(now), memory_(memory) {}

  const model::Cluster& cluster() const { return cluster_; }

  // nullopt: there is no such object.
  std::optional<Explanation> Pod(std::string_view ns, std::string_view name);
  std::optional<Explanation> PodGroup(std::string_view ns, std::string_view name);
  // Of its first task that has no place.
  std::optional<Explanation> Reservation(std::string_view ns, std::string_view name);
  std::optional<QueueExplanation> Queue(std::string_view name);
  // What autoscalers make of the pods that have no node.
  std::vector<ScaleRow> Scale(const ScaleFilter& filter) const;

 private:
  Explanation OfTask(const model::Task& task);
  // `asked`: of that task of the job; nullptr: of the job.
  void ExplainWaiting(const model::Job& job, const model::Task* asked, bool find_change,
                      Explanation& out);
  // The smallest change that helps against the obstacle, known without a trial.
  std::string ChangeAgainst(Obstacle obstacle, const model::Job& job, const model::Task* asked);

  model::Cluster& cluster_;
  PluginSet& plugins_;
  Time now_;
  const EvictionMemory* memory_;
};

}  // namespace basalt::scheduler::explain
