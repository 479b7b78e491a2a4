#include "cli/program_names.h"

#include <algorithm>
#include <array>

namespace basalt::cli {
namespace {

struct ShortName {
  std::string_view program;
  std::string_view command;
  std::string_view verb;
  std::string_view verb_with_name;
};

constexpr std::array<ShortName, 6> kShortNames{{{"vsub", "job", "run", "run"},
                                                {"vjobs", "job", "list", "view"},
                                                {"vsuspend", "job", "suspend", "suspend"},
                                                {"vresume", "job", "resume", "resume"},
                                                {"vcancel", "job", "delete", "delete"},
                                                {"vqueues", "queue", "list", "get"}}};

struct RoleName {
  std::string_view program;
  std::string_view role;
  bool elects;
};

constexpr std::array<RoleName, 3> kRoleNames{{{"vc-scheduler", "scheduler", true},
                                              {"vc-controller-manager", "controller", true},
                                              {"vc-webhook-manager", "webhook", false}}};

std::vector<std::string> RoleArguments(const RoleName& name, std::vector<std::string> arguments) {
  const bool says = std::ranges::any_of(arguments, [](const std::string& argument) {
    return argument == "--leader-elect" || argument.starts_with("--leader-elect=");
  });
  if (name.elects && !says) arguments.insert(arguments.begin(), "--leader-elect");
  arguments.insert(arguments.begin(), std::string(name.role));
  return arguments;
}

// "-n" and "-nNAME" become "--name" and "--name=NAME".
std::string LongForm(const std::string& argument) {
  for (const auto& [letter, flag] :
       {std::pair<std::string_view, std::string_view>{"-n", "--name"}, {"-N", "--namespace"}}) {
    if (!argument.starts_with(letter)) continue;
    std::string_view rest = std::string_view(argument).substr(letter.size());
    if (rest.empty()) return std::string(flag);
    if (rest.starts_with('=')) rest.remove_prefix(1);
    return std::string(flag) + "=" + std::string(rest);
  }
  return argument;
}

// -w is vcctl's --weight where a queue is made or changed; where queues are shown it has nothing
// to say, and means what it does everywhere else. The verb may have flags before it.
std::vector<std::string> WithWatch(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0] != "queue") return arguments;
  constexpr std::string_view kVerbs[] = {"list", "get", "create", "delete", "operate"};
  const auto verb = std::ranges::find_first_of(arguments, kVerbs);
  if (verb != arguments.end() && (*verb == "list" || *verb == "get")) {
    std::ranges::replace(arguments, "-w", "--watch");
  }
  return arguments;
}

}  // namespace

std::vector<std::string> ArgumentsByName(std::string_view program,
                                         std::vector<std::string> arguments) {
  program.remove_prefix(program.find_last_of('/') + 1);
  const auto role = std::ranges::find(kRoleNames, program, &RoleName::program);
  if (role != kRoleNames.end()) return RoleArguments(*role, std::move(arguments));
  if (program == "kubectl_complete-basalt") {
    arguments.insert(arguments.begin(), std::string(kCompleteCommand));
    return arguments;
  }
  const auto found = std::ranges::find(kShortNames, program, &ShortName::program);
  if (found == kShortNames.end()) return WithWatch(std::move(arguments));
  bool named = false;
  for (std::string& argument : arguments) {
    argument = LongForm(argument);
    named = named || argument == "--name" || argument.starts_with("--name=");
  }
  const std::string_view verb = named ? found->verb_with_name : found->verb;
  arguments.insert(arguments.begin(), {std::string(found->command), std::string(verb)});
  return WithWatch(std::move(arguments));
}

std::string ProgramName(std::string_view program) {
  program.remove_prefix(program.find_last_of('/') + 1);
  if (program == "kubectl-basalt") return "kubectl basalt";
  return program == "vcctl" ? "vcctl" : "basalt";
}

}  // namespace basalt::cli
