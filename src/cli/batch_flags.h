#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/ask_scheduler.h"
#include "cli/cluster_session.h"
#include "kube/types/resource.h"

namespace CLI {
class App;
}

namespace basalt::cli {

// The flags that vcctl's commands have in common (contract C12.16). NAME is an argument too.
struct BatchFlags {
  AskFlags ask;
  std::string verb;
  std::string name;       // the argument
  std::string name_flag;  // --name
};

enum class NameLetters {
  kNamespaced,  // -N is the name, -n the namespace
  kCluster,     // -n and -N are the name; there is no namespace
};

void AddBatchFlags(CLI::App& command, BatchFlags& flags, std::vector<std::string> verbs,
                   NameLetters letters);

// Fills in `name` from the flag. "": fine; else what is wrong.
std::string TakeName(BatchFlags& flags, bool needed);

// A connection as the flags say; `ask.ns` is then never empty.
Result<std::unique_ptr<ClusterSession>> OpenSession(BatchFlags& flags);

// The path of an object or, without a name, of the collection; "" of a namespace means all.
std::string PathOf(const kube::Resource& resource, const std::string& ns,
                   const std::string& name = "");

// The items of a list as the API server gives it; with the flags' labels alone.
Result<boost::json::array> ListItems(ClusterSession& cluster, const AskFlags& flags,
                                     kube::ApiRequest request);
Result<boost::json::array> ListItems(ClusterSession& cluster, kube::ApiRequest request);

// {"kind": "List", "items": …}: what -o prints of a list.
boost::json::value ListOf(boost::json::array items);

}  // namespace basalt::cli
