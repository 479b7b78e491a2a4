#include "model/queue_room.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {
using model::Amounts;

namespace {

// Lets a job into its queue only while the minima of all jobs that are in, and not placed yet, fit
// into what the cluster has left, with the total counted `overcommit-factor` times (1.2; less than
// 1 is taken for 1.2). Counterpart: Volcano plugins/overcommit.
//
// Differs from Volcano: what leaves is free, and what is promised is not, so that a job that will
// have the room of pods that leave may be promised it.
class Overcommit final : public Plugin, public EnqueueVoter, public SessionObserver {
 public:
  explicit Overcommit(double factor) : factor_(factor) {}
  void Open(const SessionView& view) override {
    view_ = &view;
    idle_ = view.cluster().total_allocatable();
    idle_.Scale(factor_).Sub(view.cluster().total_held());
  }
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override {
    if (!job.min_resources) return Vote::kPermit;
    // Gated pods wait for their queue, not for today's nodes: an autoscaler may make more.
    if (LimitFor(job) == model::QueueLimit::kCapability) return Vote::kAbstain;
    // The job itself may be in already.
    Amounts wanted = view_->cluster().total_in_queue();
    const auto lacking = wanted.Add(*job.min_resources).ExceedingAlong(idle_, *job.min_resources);
    if (lacking == 0 && !job.unknown_min_resource) return Vote::kPermit;
    why->text = NodesLack(*view_, job, lacking);
    why->helps = {model::Happening::kTotal};
    return Vote::kReject;
  }

 private:
  double factor_;
  const SessionView* view_ = nullptr;
  model::Amounts idle_;  // when the session was opened
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeOvercommit(const PluginContext& context) {
  constexpr double kDefault = 1.2;
  double factor = kDefault;
  if (auto ok = context.config.arguments.Read({{"overcommit-factor", &factor}}); !ok) {
    return std::unexpected(ok.error());
  }
  return std::make_unique<Overcommit>(factor < 1 ? kDefault : factor);
}

}  // namespace basalt::scheduler::plugins
