#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ask_scheduler.h"
#include "cli/cluster_session.h"
#include "cli/verb_rules.h"
#include "kube/types/resource.h"

namespace CLI {
class App;
}

// `basalt KIND VERB [NAME]`: what the commands about a kind of objects have in common, flags as
// vcctl has them (contract C12.16).
namespace basalt::cli {

struct BatchFlags {
  AskFlags ask;
  std::string verb;
  std::string name;       // the argument, or --name
  std::string name_flag;  // --name
  VerbRules rules;
};

enum class NameLetters {
  kNamespaced,  // -N is the name, -n the namespace
  kCluster,     // -n and -N are the name; there is no namespace
};

// -l and -A are for the verb list, -w for those of `shown`.
void AddBatchFlags(CLI::App& command, BatchFlags& flags, std::vector<std::string> verbs,
                   std::vector<std::string> shown, NameLetters letters);

enum class TakesName { kYes, kMay, kNo };
struct BatchVerb {
  std::string_view word;
  TakesName name;
  std::function<int(ClusterSession&)> run;
};
// Runs the verb that was given, with a connection as the flags say and `ask.ns` never empty; or
// says what is wrong with the command line, `wrong` first. The exit code.
int RunVerb(std::string_view command, BatchFlags& flags, const std::string& wrong,
            const std::vector<BatchVerb>& verbs);

// The path of an object or, without a name, of the collection; "" of a namespace means all.
std::string PathOf(const kube::Resource& resource, const std::string& ns,
                   const std::string& name = "");

// All items of a list, page by page, so that no answer is larger than a client takes.
Result<boost::json::array> ListItems(ClusterSession& cluster, kube::ApiRequest request);

struct Choice {
  std::string labels;  // selectors
  std::string fields;
};
// The objects of a kind, in one namespace or, with "", in all. Each names its kind.
Result<boost::json::array> ListObjects(ClusterSession& cluster, const kube::Resource& resource,
                                       const std::string& ns, const Choice& choice = {});

// {"kind": "List", "items": …}: what -o prints of a list.
boost::json::value ListOf(boost::json::array items);

}  // namespace basalt::cli
