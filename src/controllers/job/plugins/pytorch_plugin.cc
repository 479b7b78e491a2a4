#include <fmt/format.h>

#include "controllers/job/plugins/hosts.h"
#include "controllers/job/plugins/json_parts.h"
#include "controllers/job/plugins/plugin.h"
#include "controllers/job/plugins/plugin_flags.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

// What torch.distributed reads from its environment.
class PytorchPlugin final : public JobPlugin {
 public:
  explicit PytorchPlugin(PluginFlags& flags) {
    flags.Text("master", master_);
    flags.Text("worker", worker_);
    flags.Number("port", port_);
    flags.YesNo("wait-master-enabled", wait_for_master_);
    flags.Number("wait-master-timeout", wait_timeout_);
    flags.Text("wait-master-image", wait_image_);
  }

  std::string_view name() const override { return "pytorch"; }

  void OnPod(const PodContext& context, json::object& pod) const override {
    const kube::VcJobTask* master = context.job.spec.FindTask(master_);
    if (!master) return;
    const kube::VcJobTask* worker = context.job.spec.FindTask(worker_);
    const std::string address = FirstHostOf(context.job, *master);
    const std::int32_t world = master->replicas + (worker ? worker->replicas : 0);
    ForEachContainer(pod, Containers::kMain, [&](json::object& container) {
      AddEnv(container, "MASTER_ADDR", address);
      AddEnv(container, "MASTER_PORT", std::to_string(port_));
      AddEnv(container, "WORLD_SIZE", std::to_string(world));
      if (context.task.name == master_) {
        AddEnv(container, "RANK", std::to_string(context.index));
      } else if (context.task.name == worker_) {
        AddEnv(container, "RANK", std::to_string(context.index + 1));
      }
      AddPort(container, "pytorchjob-port", port_);
    });
    if (wait_for_master_ && context.task.name == worker_) {
      json::array& first = ListAt(ObjectAt(pod, "spec"), "initContainers");
      first.insert(first.begin(), WaitForMaster(address));
    }
  }

 private:
  json::object WaitForMaster(const std::string& address) const {
    const std::string script = fmt::format(
        "i=0; until nc -z -w 2 {0} {1}; do i=$((i+2)); if [ $i -ge {2} ]; then echo no master at "
        "{0}:{1} after {2} s; exit 1; fi; sleep 2; done",
        address, port_, wait_timeout_);
    return {{"name", "wait-for-master"},
            {"image", wait_image_},
            {"command", json::array{"sh", "-c", script}}};
  }

  std::string master_ = "master";
  std::string worker_ = "worker";
  std::int32_t port_ = 23456;
  bool wait_for_master_ = false;
  std::int32_t wait_timeout_ = 300;
  std::string wait_image_ = "busybox:1.36.1";
};

}  // namespace

std::unique_ptr<JobPlugin> MakePytorchPlugin(PluginFlags& flags) {
  return std::make_unique<PytorchPlugin>(flags);
}

}  // namespace basalt::controllers
