#pragma once

#include <map>
#include <string>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// A job enters its queue only while its minimum, and those of the jobs of its namespace that
// entered in this cycle, fit into every resource quota of the namespace. Counterpart: Volcano
// plugins/resourcequota. It takes no arguments.
class ResourceQuota final : public Plugin,
                            public EnqueueVoter,
                            public EnqueueObserver,
                            public SessionObserver {
 public:
  static constexpr std::string_view kName = "resourcequota";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override;
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override;
  void JobEnqueued(const Job& job) override;

 private:
  const SessionView* view_ = nullptr;
  std::map<std::string, kube::ResourceList> entered_;  // by namespace
};

}  // namespace basalt::scheduler::plugins
