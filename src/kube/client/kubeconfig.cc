#include "kube/client/kubeconfig.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/base64.h"
#include "kube/client/files.h"
#include "kube/client/kubeconfig_file.h"
#include "net/url.h"

namespace basalt::kube {
namespace {

std::unexpected<Error> BadEntry(const KubeconfigEntry& entry, std::string_view field,
                                std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("kubeconfig {}: {}.{}: {}", entry.file, entry.where, field, why));
}

std::string ResolvePath(const KubeconfigEntry& entry, std::string_view path) {
  const std::filesystem::path given(path);
  if (given.is_absolute()) return std::string(path);
  return (std::filesystem::path(entry.file).parent_path() / given).string();
}

// The bytes of `field`-data, which goes first, or of the file that `field` names; empty: neither.
Result<std::string> ReadBytes(const KubeconfigEntry& entry, const std::string& field) {
  const std::string data_field = field + "-data";
  if (const std::string_view data = entry.Get(data_field); !data.empty()) {
    auto bytes = Base64Decode(data);
    if (!bytes) return BadEntry(entry, data_field, "is not base64");
    return std::move(*bytes);
  }
  const std::string_view path = entry.Get(field);
  if (path.empty()) return std::string();
  auto bytes = ReadFile(ResolvePath(entry, path));
  if (!bytes) return BadEntry(entry, field, bytes.error().message);
  if (bytes->empty()) {
    return BadEntry(entry, field, fmt::format("{} is empty", ResolvePath(entry, path)));
  }
  return bytes;
}

Result<bool> ReadBool(const KubeconfigEntry& entry, std::string_view field) {
  const std::string_view text = entry.Get(field);
  if (text.empty() || text == "false") return false;
  if (text == "true") return true;
  return BadEntry(entry, field, "must be true or false");
}

Result<void> UseCluster(const KubeconfigEntry& cluster, ClusterConfig& config) {
  config.server = cluster.Get("server");
  if (config.server.empty()) return BadEntry(cluster, "server", "is missing");
  if (const auto url = net::ParseUrl(config.server); !url) {
    return BadEntry(cluster, "server", url.error().message);
  }
  if (!cluster.Get("proxy-url").empty()) {
    return BadEntry(cluster, "proxy-url",
                    "proxies are not supported; take it out and use an address that can be reached "
                    "directly");
  }
  config.tls.server_name = cluster.Get("tls-server-name");
  auto authority = ReadBytes(cluster, "certificate-authority");
  if (!authority) return std::unexpected(authority.error());
  config.tls.ca_pem = std::move(*authority);
  const auto insecure = ReadBool(cluster, "insecure-skip-tls-verify");
  if (!insecure) return std::unexpected(insecure.error());
  config.tls.insecure_skip_verify = *insecure;
  if (*insecure && !config.tls.ca_pem.empty()) {
    return BadEntry(cluster, "insecure-skip-tls-verify",
                    "contradicts certificate-authority; take one of them out");
  }
  return {};
}

Result<void> UseUser(const KubeconfigEntry& user, ClusterConfig& config) {
  static constexpr std::pair<std::string_view, std::string_view> kRefused[] = {
      {"exec",
       "credential plugins are not supported; use a token (kubectl create token SERVICEACCOUNT) or "
       "a client certificate"},
      {"auth-provider",
       "authentication providers are not supported; use a token (kubectl create token "
       "SERVICEACCOUNT) or a client certificate"},
      {"username",
       "user names with passwords are not supported; use a token or a client certificate"},
      {"password",
       "user names with passwords are not supported; use a token or a client certificate"},
      {"as", "impersonation is not supported; use the credentials of that user"},
      {"as-uid", "impersonation is not supported; use the credentials of that user"},
      {"as-groups", "impersonation is not supported; use the credentials of such a user"},
      {"as-user-extra", "impersonation is not supported; use the credentials of such a user"},
  };
  for (const auto& [field, why] : kRefused) {
    if (!user.Get(field).empty()) return BadEntry(user, field, why);
  }
  auto certificate = ReadBytes(user, "client-certificate");
  if (!certificate) return std::unexpected(certificate.error());
  auto key = ReadBytes(user, "client-key");
  if (!key) return std::unexpected(key.error());
  if (certificate->empty() != key->empty()) {
    return BadEntry(user, certificate->empty() ? "client-certificate" : "client-key",
                    "is missing; a client certificate and its key go together");
  }
  config.tls.certificate_pem = std::move(*certificate);
  config.tls.key_pem = std::move(*key);
  config.token = user.Get("token");
  if (const std::string_view path = user.Get("tokenFile"); !path.empty()) {
    config.token_file = ResolvePath(user, path);
    if (auto token = ReadFile(config.token_file); !token) {
      return BadEntry(user, "tokenFile", token.error().message);
    }
  }
  return {};
}

Result<ClusterConfig> Choose(const Kubeconfig& kubeconfig, const std::string& files,
                             std::string_view wanted) {
  const auto bad = [&](std::string_view why) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("kubeconfig {}: {}", files, why));
  };
  const std::string_view name = wanted.empty() ? kubeconfig.current_context : wanted;
  if (name.empty()) {
    return bad("current-context: is not set; set it with kubectl config use-context NAME");
  }
  const auto context = kubeconfig.contexts.find(name);
  if (context == kubeconfig.contexts.end()) {
    return bad(fmt::format("there is no context '{}'; see kubectl config get-contexts", name));
  }
  const KubeconfigEntry& chosen = context->second;
  const std::string_view cluster_name = chosen.Get("cluster");
  if (cluster_name.empty()) return BadEntry(chosen, "cluster", "is missing");
  const auto cluster = kubeconfig.clusters.find(cluster_name);
  if (cluster == kubeconfig.clusters.end()) {
    return BadEntry(chosen, "cluster", fmt::format("there is no cluster '{}'", cluster_name));
  }
  ClusterConfig config;
  config.source = fmt::format("kubeconfig {}, context {}", files, name);
  if (const std::string_view ns = chosen.Get("namespace"); !ns.empty()) config.ns = ns;
  if (auto used = UseCluster(cluster->second, config); !used) {
    return std::unexpected(used.error());
  }
  if (const std::string_view user_name = chosen.Get("user"); !user_name.empty()) {
    const auto user = kubeconfig.users.find(user_name);
    if (user == kubeconfig.users.end()) {
      return BadEntry(chosen, "user", fmt::format("there is no user '{}'", user_name));
    }
    if (auto used = UseUser(user->second, config); !used) return std::unexpected(used.error());
  }
  return config;
}

std::vector<std::string> SplitPaths(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) paths.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return paths;
}

Result<ClusterConfig> LoadContext(const ClusterChoice& choice, const Environment& environment) {
  if (!choice.kubeconfig.empty()) return LoadKubeconfig({choice.kubeconfig}, choice.context);
  Result<ClusterConfig> in_cluster =
      Fail(ErrorCode::kNotFound, "a pod's service account has no contexts");
  if (choice.context.empty()) in_cluster = LoadInClusterConfig(environment);
  if (in_cluster || in_cluster.error().code != ErrorCode::kNotFound) return in_cluster;

  std::vector<std::string> candidates;
  if (const auto list = environment.variable("KUBECONFIG")) {
    candidates = SplitPaths(*list);
  } else if (const auto home = environment.variable("HOME")) {
    candidates = {*home + "/.kube/config"};
  }
  std::vector<std::string> existing;
  std::error_code ignored;
  for (const std::string& file : candidates) {
    if (std::filesystem::exists(file, ignored)) existing.push_back(file);
  }
  if (existing.empty()) {
    std::string tried;
    for (const std::string& file : candidates) tried += fmt::format("; {} does not exist", file);
    return Fail(
        ErrorCode::kNotFound,
        fmt::format("no cluster to talk to: name a kubeconfig with --kubeconfig PATH or set "
                    "KUBECONFIG ({}{})",
                    in_cluster.error().message, tried));
  }
  return LoadKubeconfig(existing, choice.context);
}

}  // namespace

Environment RealEnvironment() {
  return {.variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  }};
}

Result<ClusterConfig> ParseKubeconfig(std::string_view text, const std::string& file,
                                      std::string_view context) {
  auto kubeconfig = ReadKubeconfigText(text, file);
  if (!kubeconfig) return std::unexpected(kubeconfig.error());
  return Choose(*kubeconfig, file, context);
}

Result<ClusterConfig> LoadKubeconfig(const std::vector<std::string>& files,
                                     std::string_view context) {
  Kubeconfig merged;
  std::string names;
  for (const std::string& file : files) {
    const auto text = ReadFile(file);
    if (!text) {
      return std::unexpected(
          Error{.code = text.error().code,
                .message = fmt::format("kubeconfig {}; name one that can be read with --kubeconfig",
                                       text.error().message)});
    }
    auto kubeconfig = ReadKubeconfigText(*text, file);
    if (!kubeconfig) return std::unexpected(kubeconfig.error());
    merged.Merge(std::move(*kubeconfig));
    names += names.empty() ? file : ":" + file;
  }
  return Choose(merged, names, context);
}

Result<ClusterConfig> LoadInClusterConfig(const Environment& environment) {
  const auto host = environment.variable("KUBERNETES_SERVICE_HOST");
  const auto port = environment.variable("KUBERNETES_SERVICE_PORT");
  const std::string& dir = environment.service_account_dir;
  const auto missing = [](std::string_view what) {
    return Fail(ErrorCode::kNotFound, fmt::format("not in a pod with a service account: {}", what));
  };
  if (!host || !port) return missing("KUBERNETES_SERVICE_HOST and _PORT are not set");
  ClusterConfig config;
  config.source = "the pod's service account";
  config.token_file = dir + "/token";
  if (auto token = ReadFile(config.token_file); !token) return missing(token.error().message);
  auto authority = ReadFile(dir + "/ca.crt");
  if (!authority) return missing(authority.error().message);
  config.tls.ca_pem = std::move(*authority);
  const bool ipv6 = host->find(':') != std::string::npos;
  config.server = ipv6 ? fmt::format("https://[{}]:{}", *host, *port)
                       : fmt::format("https://{}:{}", *host, *port);
  if (const auto ns = ReadFile(dir + "/namespace"); ns && !TrimSpace(*ns).empty()) {
    config.ns = TrimSpace(*ns);
  }
  return config;
}

Result<ClusterConfig> LoadConfig(const ClusterChoice& choice, const Environment& environment) {
  Result<ClusterConfig> config = LoadContext(choice, environment);
  if (config && !choice.server.empty()) config->server = choice.server;
  return config;
}

}  // namespace basalt::kube
