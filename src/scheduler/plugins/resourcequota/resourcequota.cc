#include "scheduler/plugins/resourcequota/resourcequota.h"

#include <fmt/format.h>

namespace basalt::scheduler::plugins {

Result<std::unique_ptr<Plugin>> ResourceQuota::Make(const PluginContext& context) {
  if (auto ok = context.config.arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<ResourceQuota>();
}

void ResourceQuota::Open(const SessionView& view) {
  view_ = &view;
  entered_.clear();
}

Vote ResourceQuota::MayEnqueue(const Job& job, EnqueueRefusal* why) const {
  // A shadow's pod exists: the quota was asked when it was created, and counts it already.
  if (!job.group->min_resources || job.shadow) return Vote::kPermit;
  const auto entered = entered_.find(job.ns);
  for (const auto& [key, quota] : view_->cluster().objects().resource_quotas) {
    if (quota->meta.ns != job.ns) continue;
    for (const auto& wanted : *job.group->min_resources) {
      const kube::Quantity* hard = quota->status_hard.Find(wanted.name);
      if (!hard) continue;
      kube::Quantity usage = quota->status_used.Get(wanted.name) + wanted.quantity;
      if (entered != entered_.end()) usage += entered->second.Get(wanted.name);
      if (usage <= *hard) continue;
      why->text =
          fmt::format("resource quota insufficient, requested: {}, used: {}, limited: {} of {}",
                      wanted.quantity.ToString(), quota->status_used.Get(wanted.name).ToString(),
                      hard->ToString(), wanted.name);
      why->nodes_would_help = false;
      why->helps = {model::Happening::kQuota};
      return Vote::kReject;
    }
  }
  return Vote::kPermit;
}

void ResourceQuota::JobEnqueued(const Job& job) {
  if (job.group->min_resources && !job.shadow) entered_[job.ns].Add(*job.group->min_resources);
}

}  // namespace basalt::scheduler::plugins
