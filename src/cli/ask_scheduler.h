#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "base/error.h"
#include "kube/client/kubeconfig.h"

namespace CLI {
class App;
}

namespace basalt::cli {

// The flags of commands that read a cluster or ask its leading scheduler (common_flags.h).
struct AskFlags {
  kube::ClusterChoice cluster;
  std::string ns;  // "": that of the kubeconfig
  bool all_namespaces = false;
  std::string selector;  // of labels
  bool watch = false;
  std::string scheduler_namespace = "volcano-system";
  std::string output;  // "", "json", "yaml", "name", "wide"
};
// Those that asking takes: cluster, namespace of the scheduler, output.
void AddAskFlags(CLI::App& command, AskFlags& flags);

// Finds the scheduler through the Secret that it keeps, and asks. In the path "{namespace}" stands
// for the namespace of the flags. An error says what to do about it; kNotFound: the scheduler knows
// of no such thing. `body`: what goes with a question that does not fit into its path; "": nothing.
Result<boost::json::value> AskScheduler(const AskFlags& flags, std::string path,
                                        std::string body = {});

// Prints the error; the exit code.
int Refused(const Error& error);

}  // namespace basalt::cli
