#include "controllers/job/plugins/json_parts.h"
#include "controllers/job/plugins/plugin.h"

namespace basalt::controllers {
namespace {

// Tells each container which of its task's pods it is in.
class EnvPlugin final : public JobPlugin {
 public:
  std::string_view name() const override { return "env"; }
  void OnPod(const PodContext& context, boost::json::object& pod) const override {
    const std::string index = std::to_string(context.index);
    ForEachContainer(pod, Containers::kAll, [&](boost::json::object& container) {
      AddEnv(container, "VK_TASK_INDEX", index);
      AddEnv(container, "VC_TASK_INDEX", index);
    });
  }
};

}  // namespace

std::unique_ptr<JobPlugin> MakeEnvPlugin(PluginFlags&) { return std::make_unique<EnvPlugin>(); }

}  // namespace basalt::controllers
