#include <optional>

#include "controllers/job/plugins/json_parts.h"
#include "controllers/job/plugins/plugin.h"
#include "controllers/job/plugins/plugin_flags.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

std::optional<std::string> RankIn(json::object& pod) {
  std::optional<std::string> rank;
  ForEachContainer(pod, Containers::kMain, [&](json::object& container) {
    const json::value* env = container.if_contains("env");
    if (rank || !env || !env->is_array()) return;
    for (const json::value& entry : env->get_array()) {
      if (!entry.is_object()) continue;
      const json::value* name = entry.get_object().if_contains("name");
      const json::value* value = entry.get_object().if_contains("value");
      if (name && *name == "RANK" && value && value->is_string()) {
        rank = std::string(value->get_string());
      }
    }
  });
  return rank;
}

// Numbers the pods for Huawei's collective communication library.
class HcclRankPlugin final : public JobPlugin {
 public:
  explicit HcclRankPlugin(PluginFlags& flags) {
    flags.Text("master", master_);
    flags.Text("worker", worker_);
  }

  std::string_view name() const override { return "hcclrank"; }

  void OnPod(const PodContext& context, json::object& pod) const override {
    std::optional<std::string> rank = RankIn(pod);
    if (!rank && context.task.name == master_) rank = std::to_string(context.index);
    if (!rank && context.task.name == worker_) {
      const kube::VcJobTask* master = context.job.spec.FindTask(master_);
      rank = std::to_string((master ? master->replicas : 0) + context.index);
    }
    if (rank) ObjectAt(ObjectAt(pod, "metadata"), "annotations")["hccl/rankIndex"] = *rank;
  }

 private:
  std::string master_ = "master";
  std::string worker_ = "worker";
};

}  // namespace

std::unique_ptr<JobPlugin> MakeHcclRankPlugin(PluginFlags& flags) {
  return std::make_unique<HcclRankPlugin>(flags);
}

}  // namespace basalt::controllers
