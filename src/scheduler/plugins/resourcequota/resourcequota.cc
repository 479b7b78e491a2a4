#include <fmt/format.h>

#include <map>
#include <string>

#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

// A job enters its queue only while its minimum, and those of the jobs of its namespace that
// entered in this cycle, fit into every resource quota of the namespace. Counterpart: Volcano
// plugins/resourcequota. It takes no arguments.
class ResourceQuota final : public SessionPlugin, public EnqueueVoter, public EnqueueObserver {
 public:
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override {
    // A shadow's pod exists: the quota was asked when it was created, and counts it already.
    if (!job.group->min_resources || job.shadow) return Vote::kPermit;
    const auto entered = entered_.find(job.ns);
    for (const auto& [key, quota] : cluster().objects().resource_quotas) {
      if (quota->meta.ns != job.ns) continue;
      for (const auto& wanted : *job.group->min_resources) {
        const kube::Quantity* hard = quota->status_hard.Find(wanted.name);
        if (!hard) continue;
        const kube::Quantity alone = quota->status_used.Get(wanted.name) + wanted.quantity;
        kube::Quantity usage = alone;
        if (entered != entered_.end()) usage += entered->second.Get(wanted.name);
        if (usage <= *hard) continue;
        why->text =
            fmt::format("resource quota insufficient, requested: {}, used: {}, limited: {} of {}",
                        wanted.quantity.ToString(), quota->status_used.Get(wanted.name).ToString(),
                        hard->ToString(), wanted.name);
        why->nodes_would_help = false;
        why->helps = {model::Happening::kQuota};
        why->for_this_cycle = alone <= *hard;
        return Vote::kReject;
      }
    }
    return Vote::kPermit;
  }
  void JobEnqueued(const Job& job) override { Count(job, +1); }
  void JobTakenBack(const Job& job) override { Count(job, -1); }

 private:
  void Opened() override { entered_.clear(); }
  void Count(const Job& job, int by) {
    if (!job.group->min_resources || job.shadow) return;
    kube::ResourceList& entered = entered_[job.ns];
    for (const auto& [name, quantity] : *job.group->min_resources) {
      entered.Set(name, entered.Get(name) + (by > 0 ? quantity : -quantity));
    }
  }

  std::map<std::string, kube::ResourceList> entered_;  // by namespace
};

}  // namespace

std::unique_ptr<Plugin> MakeResourceQuota() { return std::make_unique<ResourceQuota>(); }

}  // namespace basalt::scheduler::plugins
