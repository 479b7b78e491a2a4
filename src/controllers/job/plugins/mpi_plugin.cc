#include <fmt/format.h>

#include "controllers/job/plugins/hosts.h"
#include "controllers/job/plugins/json_parts.h"
#include "controllers/job/plugins/plugin.h"
#include "controllers/job/plugins/plugin_flags.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

// Tells the master of an MPI job where its workers are.
class MpiPlugin final : public JobPlugin {
 public:
  explicit MpiPlugin(PluginFlags& flags) {
    flags.Text("master", master_);
    flags.Text("worker", worker_);
    flags.Number("port", port_);
  }

  std::string_view name() const override { return "mpi"; }

  void OnPod(const PodContext& context, json::object& pod) const override {
    const kube::VcJobTask* worker = context.job.spec.FindTask(worker_);
    if (context.task.name == master_ && worker) {
      const std::string hosts = fmt::format("{}", fmt::join(HostsOf(context.job, *worker), ","));
      ForEachContainer(pod, Containers::kAll,
                       [&](json::object& container) { AddEnv(container, "MPI_HOST", hosts); });
    }
    ForEachContainer(pod, Containers::kMain,
                     [&](json::object& container) { AddPort(container, "mpijob-port", port_); });
  }

 private:
  std::string master_ = "master";
  std::string worker_ = "worker";
  std::int32_t port_ = 22;
};

}  // namespace

std::unique_ptr<JobPlugin> MakeMpiPlugin(PluginFlags& flags) {
  return std::make_unique<MpiPlugin>(flags);
}

}  // namespace basalt::controllers
