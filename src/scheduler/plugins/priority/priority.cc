#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

// Higher priority first, for jobs and for the tasks of a job; the lower may be preempted by the
// higher. Counterpart: Volcano plugins/priority. It takes no arguments.
class Priority final : public SessionPlugin,
                       public TaskOrder,
                       public JobOrder,
                       public JobStarvation,
                       public PreemptionVictims,
                       public UnifiedVictims {
 public:
  std::weak_ordering CompareTasks(const Task& a, const Task& b) const override {
    return b.priority <=> a.priority;
  }
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override {
    return b.priority <=> a.priority;
  }
  // A job starves as long as one of its tasks has no place.
  bool IsJobStarving(const Job& job) const override {
    return job.ready_tasks() + job.waiting_tasks() < job.counts.total();
  }
  // Between jobs their priorities count, within a job those of the tasks.
  VictimOpinion PermitPreemption(const Task& preemptor, Candidates candidates) const override {
    const Job* job = view().JobOf(preemptor);
    return VictimsAmong(candidates, [&](const Task& task) {
      const Job* other = view().JobOf(task);
      if (!job || !other) return false;
      return other == job ? task.priority < preemptor.priority : other->priority < job->priority;
    });
  }
  // Reclaiming is about fairness between queues: priority is no hindrance there.
  VictimOpinion PermitEviction(const GangEviction& context, Candidates candidates) const override {
    return VictimsAmong(candidates, [&](const Task& task) {
      const Job* other = view().JobOf(task);
      return context.kind == GangEviction::Kind::kReclaim ||
             (other && other->priority < context.beneficiary->priority);
    });
  }
};

}  // namespace

std::unique_ptr<Plugin> MakePriority() { return std::make_unique<Priority>(); }

}  // namespace basalt::scheduler::plugins
