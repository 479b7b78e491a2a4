#pragma once

#include <string>

#include "cli/ask_scheduler.h"

namespace CLI {
class App;
}

// The flags that commands which read a cluster have in common, each described once.
namespace basalt::cli {

// -k, --kubeconfig, --context and -s, --master.
void AddClusterFlags(CLI::App& command, AskFlags& flags);
// --scheduler-namespace: where the leading scheduler says how to ask it.
void AddSchedulerNamespaceFlag(CLI::App& command, AskFlags& flags);
// -n, --namespace and -A, --all-namespaces.
void AddNamespaceFlags(CLI::App& command, AskFlags& flags, const std::string& about);
// -A alone, of commands about what is in no namespace or in all of them: taken, as kubectl does.
void AddAllNamespacesFlag(CLI::App& command, AskFlags& flags, const std::string& about);
// -o, --output.
void AddOutputFlag(CLI::App& command, AskFlags& flags);
// The same of what is no list of objects: json or yaml.
void AddProgramOutputFlag(CLI::App& command, AskFlags& flags);
// -l, --label-selector and, by the letter -w or without one, --watch.
enum class WatchLetter { kYes, kTaken };
void AddListFlags(CLI::App& command, AskFlags& flags, WatchLetter letter = WatchLetter::kYes);

}  // namespace basalt::cli
