#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "net/tls.h"

namespace basalt::kube {

// How to reach one cluster, and with which credentials. Files are read already, but for the
// token's, which changes.
struct ClusterConfig {
  std::string server;  // a URL
  net::TlsClientOptions tls;
  std::string token;
  std::string token_file;  // read again and again; what it says goes before `token`
  std::string ns = "default";
  std::string source;  // for messages: "kubeconfig /home/me/.kube/config, context dev"
};

// What the process is given; replaced in tests.
struct Environment {
  std::function<std::optional<std::string>(const std::string& name)> variable;
  std::string service_account_dir = "/var/run/secrets/kubernetes.io/serviceaccount";
};
Environment RealEnvironment();

// From one kubeconfig, or from several in the order of their precedence: for each name the first
// file that has it wins, as for the current context. Paths in a file are relative to it. `context`
// empty: the current one. Errors name the file, the field and the remedy.
Result<ClusterConfig> LoadKubeconfig(const std::vector<std::string>& files,
                                     std::string_view context = "");

// The same from text; `file` stands for where it came from.
Result<ClusterConfig> ParseKubeconfig(std::string_view text, const std::string& file,
                                      std::string_view context = "");

// The service account of the pod that we run in. kNotFound: we are in none.
Result<ClusterConfig> LoadInClusterConfig(const Environment& environment);

// Which cluster the flags name; an empty field: what is the custom.
struct ClusterChoice {
  std::string kubeconfig = {};  // a file
  std::string context = {};     // of the kubeconfig, instead of its current one
  std::string server = {};      // a URL, instead of the context's
};

// Where a role of ours finds its cluster: the file that was chosen; else, unless a context was, the
// pod's service account; else the files of $KUBECONFIG, those that exist; else ~/.kube/config.
Result<ClusterConfig> LoadConfig(const ClusterChoice& choice,
                                 const Environment& environment = RealEnvironment());

}  // namespace basalt::kube
