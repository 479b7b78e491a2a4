#include "scheduler/plugins/overcommit/overcommit.h"

#include "model/queue_room.h"
#include "scheduler/framework/shortfall_text.h"

namespace basalt::scheduler::plugins {

using model::Resource;

Result<std::unique_ptr<Plugin>> Overcommit::Make(const PluginContext& context) {
  constexpr double kDefault = 1.2;
  const Arguments& arguments = context.config.arguments;
  if (auto ok = arguments.CheckKnown({"overcommit-factor"}); !ok) {
    return std::unexpected(ok.error());
  }
  double factor = kDefault;
  if (auto ok = arguments.Get("overcommit-factor", &factor); !ok) {
    return std::unexpected(ok.error());
  }
  return std::make_unique<Overcommit>(factor < 1 ? kDefault : factor);
}

void Overcommit::Open(const SessionView& view) {
  view_ = &view;
  idle_ = view.cluster().total_allocatable();
  idle_.Scale(factor_).Sub(view.cluster().total_held());
}

Vote Overcommit::MayEnqueue(const Job& job, EnqueueRefusal* why) const {
  if (!job.min_resources) return Vote::kPermit;
  // Gated pods wait for their queue, not for today's nodes: an autoscaler may make more.
  if (LimitFor(job) == model::QueueLimit::kCapability) return Vote::kAbstain;
  // The job itself may be in already.
  Resource wanted = view_->cluster().total_in_queue();
  const auto lacking = wanted.Add(*job.min_resources).ExceedingAlong(idle_, *job.min_resources);
  if (lacking == 0 && !job.unknown_min_resource) return Vote::kPermit;
  why->text = NodesLack(*view_, job, lacking);
  why->helps = {model::Happening::kTotal};
  return Vote::kReject;
}

}  // namespace basalt::scheduler::plugins
