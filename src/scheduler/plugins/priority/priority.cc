#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {
namespace {

// Higher priority first, for jobs and for the tasks of a job; the lower may be preempted by the
// higher. Counterpart: Volcano plugins/priority. It takes no arguments.
class Priority final : public Plugin,
                       public TaskOrder,
                       public JobOrder,
                       public JobStarvation,
                       public PreemptionVictims,
                       public UnifiedVictims,
                       public SessionObserver {
 public:
  void Open(const SessionView& view) override { view_ = &view; }

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
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override {
    VictimOpinion opinion;
    const Job* job = view_->JobOf(preemptor);
    if (!job) return opinion;
    for (const Task* task : candidates) {
      const Job* other = view_->JobOf(*task);
      if (!other) continue;
      const bool lower =
          other == job ? task->priority < preemptor.priority : other->priority < job->priority;
      if (lower) opinion.victims.push_back(task);
    }
    return opinion;
  }
  // Reclaiming is about fairness between queues: priority is no hindrance there.
  VictimOpinion PermitEviction(const GangEviction& context,
                               std::span<const Task* const> candidates) const override {
    VictimOpinion opinion;
    for (const Task* task : candidates) {
      const Job* other = view_->JobOf(*task);
      if (context.kind == GangEviction::Kind::kReclaim ||
          (other && other->priority < context.beneficiary->priority)) {
        opinion.victims.push_back(task);
      }
    }
    return opinion;
  }

 private:
  const SessionView* view_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakePriority(const PluginContext& context) {
  if (auto ok = context.config.arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Priority>();
}

}  // namespace basalt::scheduler::plugins
