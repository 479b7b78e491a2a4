#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "controllers/job/plugins/hosts.h"
#include "controllers/job/plugins/json_parts.h"
#include "controllers/job/plugins/plugin.h"
#include "controllers/job/plugins/plugin_flags.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

// Tells TensorFlow's parameter servers, workers, chief and evaluator of each other.
class TensorflowPlugin final : public JobPlugin {
 public:
  explicit TensorflowPlugin(PluginFlags& flags) {
    for (Role& role : roles_) flags.Text(role.name, role.task);
    flags.Number("port", port_);
  }

  std::string_view name() const override { return "tensorflow"; }

  void OnPod(const PodContext& context, json::object& pod) const override {
    if (context.job.spec.TotalReplicas() <= 1) return;
    json::object cluster;
    std::string own_role;
    for (const Role& role : roles_) {
      const kube::VcJobTask* task = context.job.spec.FindTask(role.task);
      if (!task) continue;
      if (task->name == context.task.name) own_role = role.name;
      json::array addresses;
      for (const std::string& host : HostsOf(context.job, *task)) {
        addresses.push_back(json::value(fmt::format("{}:{}", host, port_)));
      }
      if (!addresses.empty()) cluster[role.name] = std::move(addresses);
    }
    if (own_role.empty()) return;
    const std::string config = json::serialize(
        json::object{{"cluster", std::move(cluster)},
                     {"task", json::object{{"type", own_role}, {"index", context.index}}}});
    ForEachContainer(pod, Containers::kMain,
                     [&](json::object& container) { AddEnv(container, "TF_CONFIG", config); });
  }

 private:
  struct Role {
    std::string name;
    std::string task;  // the name of the task that has the role
  };
  Role roles_[4] = {
      {"ps", "ps"}, {"worker", "worker"}, {"chief", "chief"}, {"evaluator", "evaluator"}};
  std::int32_t port_ = 2222;
};

}  // namespace

std::unique_ptr<JobPlugin> MakeTensorflowPlugin(PluginFlags& flags) {
  return std::make_unique<TensorflowPlugin>(flags);
}

}  // namespace basalt::controllers
