#include <fmt/format.h>

#include "base/base64.h"
#include "controllers/job/plugins/hosts.h"
#include "controllers/job/plugins/json_parts.h"
#include "controllers/job/plugins/plugin.h"
#include "controllers/job/plugins/plugin_flags.h"
#include "net/rsa_key.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

constexpr std::string_view kSshHome = "/root/.ssh";
constexpr std::string_view kSshFiles[] = {"id_rsa", "id_rsa.pub", "authorized_keys", "config"};

std::string SecretOf(const kube::VcJob& job) { return job.meta.name + "-ssh"; }

// Lets the job's pods log in to each other without a password.
class SshPlugin final : public JobPlugin {
 public:
  explicit SshPlugin(PluginFlags& flags) {
    flags.Text("ssh-key-file-path", path_);
    flags.Text("ssh-private-key", private_key_);
    flags.Text("ssh-public-key", public_key_);
    flags.Number("ssh-port", port_);
  }

  std::string_view name() const override { return "ssh"; }

  void OnPod(const PodContext& context, json::object& pod) const override {
    const std::string secret = SecretOf(context.job);
    json::array items;
    for (const std::string_view file : kSshFiles) {
      items.push_back(json::object{{"key", file}, {"path", fmt::format(".ssh/{}", file)}});
    }
    const int mode = path_ == kSshHome ? 0600 : 0644;
    AddVolume(pod, {{"name", secret},
                    {"secret", json::object{{"secretName", secret},
                                            {"items", std::move(items)},
                                            {"defaultMode", mode}}}});
    ForEachContainer(pod, Containers::kAll, [&](json::object& container) {
      AddMount(container, {{"name", secret}, {"mountPath", path_}, {"subPath", ".ssh"}});
    });
  }

  std::vector<PluginObject> Names(const kube::VcJob& job) const override {
    std::vector<PluginObject> names;
    names.push_back({.resource = &kube::resources::kSecrets, .name = SecretOf(job)});
    return names;
  }

  Result<std::vector<PluginObject>> Objects(const kube::VcJob& job) const override {
    std::string private_key = private_key_;
    std::string public_key = public_key_;
    if (private_key.empty() || public_key.empty()) {
      Result<net::RsaKeyPair> pair = net::NewRsaKey();
      if (!pair) return std::unexpected(std::move(pair.error()));
      private_key = std::move(pair->private_key);
      public_key = std::move(pair->public_key);
    }
    std::vector<PluginObject> objects = Names(job);
    json::object& body = objects[0].body;
    body = NewObject(*objects[0].resource, job, objects[0].name);
    body["data"] = json::object{{"id_rsa", Base64Encode(private_key)},
                                {"id_rsa.pub", Base64Encode(public_key)},
                                {"authorized_keys", Base64Encode(public_key)},
                                {"config", Base64Encode(ConfigOf(job))}};
    return objects;
  }

 private:
  std::string ConfigOf(const kube::VcJob& job) const {
    std::string config = "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n";
    for (const kube::VcJobTask& task : job.spec.tasks) {
      const std::string subdomain = HostNamesOf(job, task).subdomain;
      for (const std::string& host : HostnamesIn(job, task)) {
        config +=
            fmt::format("Host {}\n  HostName {}.{}\n  Port {}\n", host, host, subdomain, port_);
      }
    }
    return config;
  }

  std::string path_{kSshHome};
  std::string private_key_;
  std::string public_key_;
  std::int32_t port_ = 22;
};

}  // namespace

std::unique_ptr<JobPlugin> MakeSshPlugin(PluginFlags& flags) {
  return std::make_unique<SshPlugin>(flags);
}

}  // namespace basalt::controllers
