#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "base/error.h"

namespace CLI {
class App;
}

namespace basalt::cli {

// The flags of every command that asks the leading scheduler.
struct AskFlags {
  std::string kubeconfig;
  std::string ns;  // "": that of the kubeconfig
  std::string scheduler_namespace = "volcano-system";
  std::string output;  // "", "json", "yaml"
};
void AddAskFlags(CLI::App& command, AskFlags& flags);

// Finds the scheduler through the Secret that it keeps, and asks. `path` may hold "{namespace}". An
// error says what to do about it; kNotFound: the scheduler knows of no such thing.
Result<boost::json::value> AskScheduler(const AskFlags& flags, std::string path);

// "json" or "yaml" on standard output. false: people should read it, so print it as text.
bool PrintForPrograms(const AskFlags& flags, const boost::json::value& answer);

// Prints the error; the exit code.
int Refused(const Error& error);

}  // namespace basalt::cli
