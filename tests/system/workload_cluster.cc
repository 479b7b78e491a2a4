#include "tests/system/workload_cluster.h"

namespace basalt::systemtest {

using testutil::FindPath;
using testutil::TextAt;

WorkloadCluster::WorkloadCluster(testutil::SimClusterOptions options)
    : cluster_(options), seed_(options.seed) {
  cluster_.Create(testutil::MakeNode("node"));
  StartRoles();
}

void WorkloadCluster::StartRoles() {
  simnode_process_ = std::make_unique<Process>(cluster_.network(), seed_);
  simnode_ = std::make_unique<simnode::SimNodes>(simnode_process_->client);
  workloads_process_ = std::make_unique<Process>(cluster_.network(), seed_ + 1);
  workloads_ = std::make_unique<workloads::Workloads>(workloads_process_->client);
  simnode_->Start();
  workloads_->Start();
}

void WorkloadCluster::RestartRoles() {
  simnode_process_->api.Crash();
  workloads_process_->api.Crash();
  simnode_.reset();
  workloads_.reset();
  simnode_process_.reset();
  workloads_process_.reset();
  StartRoles();
}

std::vector<json::value> WorkloadCluster::Pods() {
  return cluster_.List(kube::resources::kPods, "default");
}

std::vector<json::value> WorkloadCluster::ActivePods() {
  std::vector<json::value> pods = Pods();
  std::erase_if(pods, [](const json::value& pod) {
    const std::string phase = TextAt(pod, "status.phase");
    return FindPath(pod, "metadata.deletionTimestamp") != nullptr || phase == "Succeeded" ||
           phase == "Failed";
  });
  return pods;
}

int WorkloadCluster::ReadyPods() {
  int ready = 0;
  for (const json::value& pod : ActivePods()) ready += Condition(pod, "Ready") == "True" ? 1 : 0;
  return ready;
}

json::object WorkloadCluster::Template(std::string_view app, std::string_view image) {
  return {{"metadata", json::object{{"labels", json::object{{"app", app}}}}},
          {"spec", json::object{{"nodeName", "node"},
                                {"containers",
                                 json::array{json::object{{"name", "main"}, {"image", image}}}}}}};
}

testutil::AnyBuilder WorkloadCluster::Deployment(std::string_view name, int replicas) {
  return testutil::MakeObject(kube::resources::kDeployments, name)
      .Set("spec.replicas", replicas)
      .Set("spec.selector.matchLabels.app", name)
      .Set("spec.template", Template(name));
}

testutil::AnyBuilder WorkloadCluster::StatefulSet(std::string_view name, int replicas) {
  return testutil::MakeObject(kube::resources::kStatefulSets, name)
      .Set("spec.replicas", replicas)
      .Set("spec.serviceName", name)
      .Set("spec.selector.matchLabels.app", name)
      .Set("spec.template", Template(name));
}

testutil::AnyBuilder WorkloadCluster::DaemonSet(std::string_view name) {
  return testutil::MakeObject(kube::resources::kDaemonSets, name)
      .Set("spec.selector.matchLabels.app", name)
      .Set("spec.template", Template(name));
}

testutil::AnyBuilder WorkloadCluster::Job(std::string_view name, int parallelism, int completions,
                                          std::string_view sleep) {
  json::object pod_template = Template(name);
  json::object& spec = pod_template["spec"].as_object();
  spec["restartPolicy"] = "Never";
  spec["containers"].as_array()[0].as_object()["command"] = json::array{"sleep", sleep};
  return testutil::MakeObject(kube::resources::kJobs, name)
      .Set("spec.parallelism", parallelism)
      .Set("spec.completions", completions)
      .Set("spec.template", pod_template);
}

std::string WorkloadCluster::Condition(const json::value& object, std::string_view type) {
  const json::value* conditions = FindPath(object, "status.conditions");
  if (conditions == nullptr || !conditions->is_array()) return "";
  for (const json::value& condition : conditions->get_array()) {
    if (TextAt(condition, "type") == type) return TextAt(condition, "status");
  }
  return "";
}

std::int64_t WorkloadCluster::Number(const json::value& object, std::string_view path) {
  const json::value* value = FindPath(object, path);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

}  // namespace basalt::systemtest
