#pragma once

#include <map>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Divides the cluster among the queues that have jobs, by their weights: what a queue deserves is
// its part of the total, at least its guarantee, at most its capability and what it asks for; what
// one does not need goes to the others. A queue that has what it deserves gets no more, and must
// give back what it has beyond when another asks. Counterpart: Volcano plugins/proportion. It takes
// no arguments. Owned by the PluginSet, on the sessions' thread.
class Proportion final : public Plugin,
                         public QueueOrder,
                         public QueueOveruse,
                         public QueueAdmission,
                         public QueuePreemption,
                         public EnqueueVoter,
                         public ReclaimVictims,
                         public SessionObserver {
 public:
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  explicit Proportion(Reasons& reasons) : reasons_(reasons) {}
  void Open(const SessionView& view) override;

  std::weak_ordering CompareQueues(const Queue& a, const Queue& b) const override;
  bool IsOverused(const Queue& queue) const override;
  Verdict MayAllocate(const Queue& queue, const Task& task) const override;
  bool MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const override;
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override;
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override;

  // What the queue deserves in this session; nullptr: it has no jobs.
  const model::Amounts* Deserved(const Queue& queue) const;

 private:
  struct Share {
    model::Amounts request;  // when the session was opened
    model::Amounts real_capability;
    model::Amounts deserved;
    bool met = false;
  };
  void Divide(model::Amounts remaining);
  double ShareOf(const Queue& queue) const;
  const Share* Find(const Queue& queue) const {
    const auto it = shares_.find(queue.id);
    return it == shares_.end() ? nullptr : &it->second;
  }

  Reasons& reasons_;
  const SessionView* view_ = nullptr;
  std::map<model::QueueId, Share> shares_;  // in a fixed order, for sums
};

}  // namespace basalt::scheduler::plugins
