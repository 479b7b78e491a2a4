#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/descheduler_role.h"
#include "cli/listen_address.h"
#include "cli/manifests.h"
#include "cli/node_flags.h"
#include "cli/scheduler_role.h"

namespace basalt::cli {

struct UpOptions {
  ListenAddress listen;
  std::string kubeconfig = "basalt.kubeconfig";
  NodeFlags nodes;
  bool nodes_given = false;  // by the user: also made where a data directory has a cluster already
  std::string data_dir;      // where the cluster is kept; "": in memory alone
  bool only_api = false;     // the API server and the node simulator alone
  std::vector<Manifest> apply;
  SchedulerFlags scheduler;
  DeschedulerFlags descheduler;
  std::string controllers = "*";  // which of them run: controller_choice.h
  std::string listen_address;     // of metrics; "": none
  std::string healthz_address;    // "": none
};

// `basalt up`: starts an embedded cluster, says "ready" on standard output, and runs until a
// signal ends it. The API server, the scheduler and the webhook have a thread each; the other roles
// run on the calling thread's loop. All talk to the API server over HTTPS like any client. The exit
// code.
int RunUp(const UpOptions& options);

}  // namespace basalt::cli
