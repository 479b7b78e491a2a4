#include "model/queue_room.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
using model::Amounts;

namespace {

// Lets a job into its queue only while the minima of all jobs that are in, and not placed yet, fit
// into what the cluster has left, with the total counted `overcommit-factor` times (1.2; less than
// 1 is taken for 1.2). Counterpart: Volcano plugins/overcommit.
//
// Differs from Volcano: what leaves is free, and what is promised is not, so that a job that will
// have the room of pods that leave may be promised it.
class Overcommit final : public SessionPlugin, public EnqueueVoter {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    const Result<void> read = config.arguments.Read({{"overcommit-factor", &factor_}});
    if (factor_ < 1) factor_ = kDefaultFactor;
    return read;
  }
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override {
    if (!job.min_resources) return Vote::kPermit;
    // Gated pods wait for their queue, not for today's nodes: an autoscaler may make more.
    if (LimitFor(job) == model::QueueLimit::kCapability) return Vote::kAbstain;
    // The job itself may be in already.
    Amounts wanted = cluster().total_in_queue();
    const auto lacking = wanted.Add(*job.min_resources).ExceedingAlong(idle_, *job.min_resources);
    if (lacking == 0 && !job.unknown_min_resource) return Vote::kPermit;
    why->text = NodesLack(view(), job, lacking);
    why->helps = {model::Happening::kTotal};
    return Vote::kReject;
  }

 private:
  static constexpr double kDefaultFactor = 1.2;

  void Opened() override {
    idle_ = cluster().total_allocatable();
    idle_.Scale(factor_).Sub(cluster().total_held());
  }

  double factor_ = kDefaultFactor;
  model::Amounts idle_;  // when the session was opened
};

}  // namespace

std::unique_ptr<Plugin> MakeOvercommit() { return std::make_unique<Overcommit>(); }

}  // namespace basalt::scheduler::plugins
