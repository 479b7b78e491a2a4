#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace basalt::cli {

// The arguments that `basalt` would be given for what was called by one of Volcano's names: vcctl
// is the same command line; vsub, vjobs, vsuspend, vresume, vcancel and vqueues stand for one
// command each, and take -n for the name and -N for the namespace; vc-scheduler,
// vc-controller-manager and vc-webhook-manager are roles, of which the first two take part in an
// election unless told otherwise, as Volcano's do. `program` is argv[0].
// As kubectl's plugin (kubectl-basalt) it is the same command line; as kubectl_complete-basalt it
// completes that.
std::vector<std::string> ArgumentsByName(std::string_view program,
                                         std::vector<std::string> arguments);

// What help calls the program: "basalt", "vcctl", "kubectl basalt".
std::string ProgramName(std::string_view program);

// The hidden command that completion scripts ask. With "--" in front of the words: a shell;
// without: kubectl.
inline constexpr std::string_view kCompleteCommand = "__complete";

}  // namespace basalt::cli
