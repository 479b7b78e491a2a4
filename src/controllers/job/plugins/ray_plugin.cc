#include <fmt/format.h>

#include "controllers/job/plugins/hosts.h"
#include "controllers/job/plugins/job_keys.h"
#include "controllers/job/plugins/json_parts.h"
#include "controllers/job/plugins/plugin.h"
#include "controllers/job/plugins/plugin_flags.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

// Starts a Ray cluster: a head, and workers that find it.
class RayPlugin final : public JobPlugin {
 public:
  explicit RayPlugin(PluginFlags& flags) {
    flags.Text("head", head_);
    flags.Text("headContainer", head_container_);
    flags.Text("worker", worker_);
    flags.Text("workerContainer", worker_container_);
    flags.Number("port", port_);
    flags.Number("dashboardPort", dashboard_port_);
    flags.Number("clientPort", client_port_);
  }

  std::string_view name() const override { return "ray"; }

  void OnPod(const PodContext& context, json::object& pod) const override {
    const kube::VcJobTask* head = context.job.spec.FindTask(head_);
    if (!head) return;
    if (context.task.name == head_) {
      Command(pod, head_container_,
              fmt::format("ray start --head --block --dashboard-host=0.0.0.0 --port={} "
                          "--dashboard-port={} --ray-client-server-port={}",
                          port_, dashboard_port_, client_port_));
      OnContainer(pod, head_container_, [&](json::object& container) {
        AddPort(container, "gcs", port_);
        AddPort(container, "dashboard", dashboard_port_);
        AddPort(container, "client-server", client_port_);
      });
    } else if (context.task.name == worker_) {
      Command(
          pod, worker_container_,
          fmt::format("ray start --block --address={}:{}", FirstHostOf(context.job, *head), port_));
    }
  }

  std::vector<PluginObject> Names(const kube::VcJob& job) const override {
    std::vector<PluginObject> names;
    names.push_back({.resource = &kube::resources::kServices, .name = job.meta.name + "-head-svc"});
    return names;
  }

  Result<std::vector<PluginObject>> Objects(const kube::VcJob& job) const override {
    std::vector<PluginObject> objects = Names(job);
    json::object& body = objects[0].body;
    body = NewObject(*objects[0].resource, job, objects[0].name);
    const auto port = [](std::string_view port_name, std::int32_t number) {
      return json::object{{"name", port_name}, {"port", number}, {"targetPort", number}};
    };
    body["spec"] =
        json::object{{"selector", json::object{{job_keys::kJobName, job.meta.name},
                                               {job_keys::kJobNamespace, job.meta.ns},
                                               {job_keys::kTaskSpec, head_}}},
                     {"ports", json::array{port("gcs", port_), port("dashboard", dashboard_port_),
                                           port("client-server", client_port_)}}};
    return objects;
  }

 private:
  static void OnContainer(json::object& pod, std::string_view container_name,
                          FunctionRef<void(json::object&)> change) {
    ForEachContainer(pod, Containers::kMain, [&](json::object& container) {
      const json::value* found = container.if_contains("name");
      if (found && found->is_string() && found->get_string() == container_name) change(container);
    });
  }

  static void Command(json::object& pod, std::string_view container_name,
                      const std::string& command) {
    OnContainer(pod, container_name, [&](json::object& container) {
      container["command"] = json::array{"sh", "-c", command};
    });
  }

  std::string head_ = "head";
  std::string head_container_ = "head";
  std::string worker_ = "worker";
  std::string worker_container_ = "worker";
  std::int32_t port_ = 6379;
  std::int32_t dashboard_port_ = 8265;
  std::int32_t client_port_ = 10001;
};

}  // namespace

std::unique_ptr<JobPlugin> MakeRayPlugin(PluginFlags& flags) {
  return std::make_unique<RayPlugin>(flags);
}

}  // namespace basalt::controllers
