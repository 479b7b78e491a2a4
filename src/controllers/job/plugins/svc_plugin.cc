#include <fmt/format.h>

#include <algorithm>

#include "controllers/job/plugins/hosts.h"
#include "controllers/job/plugins/job_keys.h"
#include "controllers/job/plugins/json_parts.h"
#include "controllers/job/plugins/plugin.h"
#include "controllers/job/plugins/plugin_flags.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

std::string ConfigMapOf(const kube::VcJob& job) { return job.meta.name + "-svc"; }

// A task's name where it is part of a variable's.
std::string Underscored(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string Upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

json::object JobSelector(const kube::VcJob& job) {
  return {{job_keys::kJobName, job.meta.name}, {job_keys::kJobNamespace, job.meta.ns}};
}

// Gives pods names in the network, tells them all of them, and keeps strangers out.
class SvcPlugin final : public JobPlugin {
 public:
  explicit SvcPlugin(PluginFlags& flags) {
    flags.YesNo("publish-not-ready-addresses", publish_not_ready_);
    flags.YesNo("disable-network-policy", without_policy_);
  }

  std::string_view name() const override { return "svc"; }

  void OnPod(const PodContext& context, json::object& pod) const override {
    json::object& spec = ObjectAt(pod, "spec");
    const auto set = [&](std::string_view key, std::string_view value) {
      json::value& field = spec[key];
      if (!field.is_string() || field.get_string().empty()) field = value;
    };
    set("hostname", context.name);
    set("subdomain", context.job.meta.name);
    const std::string config_map = ConfigMapOf(context.job);
    AddVolume(pod, {{"name", config_map}, {"configMap", json::object{{"name", config_map}}}});
    ForEachContainer(pod, Containers::kAll, [&](json::object& container) {
      for (const kube::VcJobTask& task : context.job.spec.tasks) {
        for (const std::string& key : KeysOf(task)) {
          AddEnvEntry(
              container,
              {{"name", key},
               {"valueFrom", json::object{{"configMapKeyRef",
                                           json::object{{"name", config_map}, {"key", key}}}}}});
        }
      }
      AddMount(container, {{"name", config_map}, {"mountPath", "/etc/volcano"}});
    });
  }

  std::vector<PluginObject> Names(const kube::VcJob& job) const override {
    std::vector<PluginObject> names;
    names.push_back({.resource = &resources::kConfigMaps, .name = ConfigMapOf(job)});
    names.push_back({.resource = &resources::kServices, .name = job.meta.name});
    if (!without_policy_) {
      names.push_back({.resource = &resources::kNetworkPolicies, .name = job.meta.name});
    }
    return names;
  }

  Result<std::vector<PluginObject>> Objects(const kube::VcJob& job) const override {
    std::vector<PluginObject> objects = Names(job);
    for (PluginObject& object : objects)
      object.body = NewObject(*object.resource, job, object.name);
    objects[0].body["data"] = HostFiles(job);
    objects[0].follows_scale = true;
    objects[1].body["spec"] = json::object{{"clusterIP", "None"},
                                           {"selector", JobSelector(job)},
                                           {"publishNotReadyAddresses", publish_not_ready_}};
    if (!without_policy_) {
      const json::object pods{{"matchLabels", JobSelector(job)}};
      objects[2].body["spec"] = json::object{
          {"podSelector", pods},
          {"ingress",
           json::array{json::object{{"from", json::array{json::object{{"podSelector", pods}}}}}}},
          {"policyTypes", json::array{"Ingress"}}};
    }
    return objects;
  }

 private:
  // A file with a host a line, a list with commas, and their number.
  static std::vector<std::string> KeysOf(const kube::VcJobTask& task) {
    const std::string task_name = Underscored(task.name);
    return {task_name + ".host", fmt::format("VC_{}_HOSTS", Upper(task_name)),
            fmt::format("VC_{}_NUM", Upper(task_name))};
  }

  static json::object HostFiles(const kube::VcJob& job) {
    json::object data;
    for (const kube::VcJobTask& task : job.spec.tasks) {
      const std::vector<std::string> hosts = HostsOf(job, task);
      const std::vector<std::string> keys = KeysOf(task);
      data[keys[0]] = fmt::format("{}", fmt::join(hosts, "\n"));
      data[keys[1]] = fmt::format("{}", fmt::join(hosts, ","));
      data[keys[2]] = std::to_string(hosts.size());
    }
    return data;
  }

  bool publish_not_ready_ = false;
  bool without_policy_ = false;
};

}  // namespace

std::unique_ptr<JobPlugin> MakeSvcPlugin(PluginFlags& flags) {
  return std::make_unique<SvcPlugin>(flags);
}

}  // namespace basalt::controllers
