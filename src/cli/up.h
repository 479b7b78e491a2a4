#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/listen_address.h"
#include "cli/manifests.h"
#include "cli/node_flags.h"

namespace basalt::cli {

struct UpOptions {
  ListenAddress listen;
  std::string kubeconfig = "basalt.kubeconfig";
  NodeFlags nodes;
  bool only_api = false;  // the API server and the node simulator alone
  std::vector<Manifest> apply;
};

// `basalt up`: starts an embedded cluster, says "ready" on standard output, and runs until SIGINT
// or SIGTERM. The API server has a thread of its own; every other role runs on the calling thread's
// loop and talks to it over HTTPS like any client. The exit code.
int RunUp(const UpOptions& options);

}  // namespace basalt::cli
