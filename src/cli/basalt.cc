#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/nearest.h"
#include "cli/app.h"
#include "cli/colours.h"
#include "cli/command.h"
#include "cli/command_guide.h"
#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/help_text.h"
#include "cli/open_files.h"
#include "cli/program_names.h"
#include "cli/shown_text.h"
#include "cli/version.h"

namespace basalt::cli {
namespace {

// The command that was given, or the program itself.
const CLI::App& GivenCommand(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : *given.front();
}

std::vector<std::string> NamesOfCommands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : CommandsOf(app)) names.push_back(command->get_name());
  return names;
}

std::string DidYouMean(std::string_view typed, const std::vector<std::string>& known) {
  const std::string_view nearest = Nearest(typed, known);
  return nearest.empty() ? "" : fmt::format(" Did you mean {}?", nearest);
}

// `basalt help [COMMAND]`. Not a subcommand of CLI11's: it would take COMMAND for one that is to
// run.
int RunHelp(const CLI::App& app, std::string topic, std::string_view program) {
  if (topic == "--help" || topic == "-h") topic = "help";
  const CLI::App* command = topic.empty() ? &app : FindCommand(app, topic);
  if (command == nullptr) {
    PrintError(fmt::format("there is no command \"{}\".{} \"{} help\" lists them", topic,
                           DidYouMean(topic, NamesOfCommands(app)), program));
    return kExitUsage;
  }
  fmt::print("{}", HelpText(*command, program));
  return kExitOk;
}

int RunComplete(const CLI::App& app, std::vector<std::string> words, bool for_kubectl) {
  for (const std::string& word : Candidates(app, words)) fmt::print("{}\n", word);
  if (for_kubectl) fmt::print(":4\n");  // cobra's way to say: no files
  return kExitOk;
}

std::vector<std::string> NamesOfFlags(const CLI::App& command) {
  std::vector<std::string> names;
  for (const FlagInfo& flag : FlagsOf(command)) {
    std::ranges::copy(flag.names, std::back_inserter(names));
  }
  return names;
}

std::string ExplainExtra(const CLI::App& app, std::string_view program) {
  const CLI::App& command = GivenCommand(app);
  const std::vector<std::string> extras = app.remaining(true);
  std::string typed = extras.empty() ? "" : extras.front();
  typed = typed.substr(0, typed.find('='));
  const bool is_flag = typed.starts_with("-");
  const bool at_top = &command == &app;
  std::vector<std::string> known;
  if (is_flag) {
    known = NamesOfFlags(command);
    if (std::ranges::find(known, typed) != known.end()) {
      return fmt::format("flags stand behind the command: {} {} {} …", program, command.get_name(),
                         typed);
    }
    // A letter is near to every other.
    std::erase_if(known, [&](const std::string& name) {
      return !name.starts_with("--") || !typed.starts_with("--");
    });
  } else if (at_top) {
    known = NamesOfCommands(app);
  }
  const std::string kind = is_flag ? "flag" : (at_top ? "command" : "argument");
  return fmt::format("unknown {} {}.{} See \"{} help{}{}\".", kind, typed, DidYouMean(typed, known),
                     program, at_top ? "" : " ", at_top ? "" : command.get_name());
}

// An argument that is missing, with the words that it takes; a flag by its name.
std::string ExplainMissing(const CLI::App& app, const CLI::RequiredError& error,
                           std::string_view program) {
  const CLI::App& command = GivenCommand(app);
  const std::string said = error.what();
  for (const ArgumentInfo& argument : ArgumentsOf(command)) {
    if (said != ToLower(argument.name) + " is required") continue;
    return fmt::format("{} {} needs a {}: {}. See \"{} help {}\".", program, command.get_name(),
                       argument.name,
                       argument.words.empty() ? argument.about
                                              : fmt::format("{}", fmt::join(argument.words, ", ")),
                       program, command.get_name());
  }
  return said;
}

// "--output needs a value: json, yaml, name, wide"
std::string ExplainMismatch(const CLI::App& app, const CLI::ArgumentMismatch& error) {
  const std::string said = error.what();
  const std::string name = said.substr(0, said.find(':'));
  for (const FlagInfo& flag : FlagsOf(GivenCommand(app))) {
    if (std::ranges::find(flag.names, name) == flag.names.end()) continue;
    const std::string takes =
        flag.words.empty() ? flag.value : fmt::format("{}", fmt::join(flag.words, ", "));
    return fmt::format("{} needs a value{}", name, takes == "TEXT" ? "" : ": " + takes);
  }
  return said;
}

// An option and its value that stand in one word in a way that pflag takes and CLI11 does not:
// "--name=" is an empty value, where CLI11 would take the next argument for it, whatever that is;
// "-o=json" is not the value "=json". Of anything else nothing.
std::optional<std::pair<std::string, std::string>> TakenApart(const CLI::App& command,
                                                              const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const bool empty_value = argument.starts_with("--") && equals + 1 == argument.size();
  const bool letter = equals == 2 && argument[0] == '-' && argument[1] != '-';
  if (!empty_value && !letter) return std::nullopt;
  std::string name = argument.substr(0, equals);
  const CLI::Option* option = command.get_option_no_throw(name);
  if (!option || option->get_items_expected_min() == 0) return std::nullopt;
  return std::pair(std::move(name), argument.substr(equals + 1));
}

// The arguments, the last one first, as CLI11 takes them.
std::vector<std::string> Reversed(const CLI::App& app, const std::vector<std::string>& given) {
  const CLI::App* command = given.empty() ? nullptr : FindCommand(app, given[0]);
  std::vector<std::string> arguments;
  for (const std::string& argument : given) {
    if (const auto parts = command ? TakenApart(*command, argument) : std::nullopt) {
      arguments.insert(arguments.end(), {parts->first, parts->second});
    } else {
      arguments.push_back(argument);
    }
  }
  std::ranges::reverse(arguments);
  return arguments;
}

}  // namespace

void PrintError(const std::string& message) {
  fmt::print(stderr, "basalt: error: {}\n", IndentedLines(message));
}

std::unique_ptr<CLI::App> MakeApp(Action& action, LogFlags& log_flags) {
  auto made = std::make_unique<CLI::App>("Basalt: batch scheduling for Kubernetes", "basalt");
  CLI::App& app = *made;
  AddUpCommand(app, action);
  AddSchedulerCommand(app, action);
  AddShadowCommand(app, action);
  AddWebhookCommand(app, action);
  AddControllerCommand(app, action);
  AddDeschedulerCommand(app, action);
  AddCheckCommand(app, action);
  AddCrdsCommand(app, action);
  AddSimnodeCommand(app, action);
  AddWorkloadsCommand(app, action);
  AddExplainCommand(app, action);
  AddSimulateCommand(app, action);
  AddDashboardCommand(app, action);
  AddStatusCommand(app, action);
  AddPodGroupCommand(app, action);
  AddQueueCommand(app, action);
  AddReservationCommand(app, action);
  AddDefragCommand(app, action);
  AddJobCommand(app, action);
  AddJobFlowCommands(app, action);
  AddPodCommand(app, action);
  AddCompletionCommands(app, action);
  AddVersionCommand(app, action);
  app.add_subcommand("help", "Explains a command: help COMMAND");
  app.set_version_flag("--version", std::string("basalt ") + std::string(Version()));
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    AddLogFlags(*command, log_flags);
  }
  GroupCommands(app);
  return made;
}

namespace {

int Run(int argc, const char* const* argv) {
  // Volcano's manifests end their arguments so, with no shell there to understand it.
  if (argc > 2 && std::string_view(argv[argc - 1]) == "2>&1") --argc;
  Action action;
  LogFlags log_flags;
  const std::unique_ptr<CLI::App> app = MakeApp(action, log_flags);
  const std::string_view called = argc > 0 ? argv[0] : "";
  const std::string program = ProgramName(called);
  std::vector<std::string> arguments =
      ArgumentsByName(called, {argv + std::min(argc, 1), argv + argc});
  UseColoursOnTerminals();
  const std::string first = arguments.empty() ? "" : arguments[0];
  if (first == "help") return RunHelp(*app, arguments.size() > 1 ? arguments[1] : "", program);
  if (first == kCompleteCommand) {
    const bool dashes = arguments.size() > 1 && arguments[1] == "--";
    return RunComplete(*app, {arguments.begin() + (dashes ? 2 : 1), arguments.end()}, !dashes);
  }
  try {
    app->parse(Reversed(*app, arguments));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", HelpText(GivenCommand(*app), program));
    return kExitOk;
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return kExitOk;
  } catch (const CLI::ExtrasError&) {
    PrintError(ExplainExtra(*app, program));
    return kExitUsage;
  } catch (const CLI::RequiredError& error) {
    PrintError(ExplainMissing(*app, error, program));
    return kExitUsage;
  } catch (const CLI::ArgumentMismatch& error) {
    PrintError(ExplainMismatch(*app, error));
    return kExitUsage;
  } catch (const CLI::ParseError& error) {
    PrintError(error.what());
    return kExitUsage;
  }
  if (!action) {
    fmt::print(stderr, "{}", HelpText(*app, program));
    return kExitUsage;
  }
  if (const Result<void> configured = ConfigureLog(log_flags); !configured) {
    PrintError(configured.error().message);
    return kExitUsage;
  }
  RaiseOpenFileLimit();
  return action();
}

}  // namespace

int RunBasalt(int argc, const char* const* argv) {
  int code = kExitFailure;
  try {
    code = Run(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    if (errno == EPIPE) return code;  // the reader has had enough
    PrintError(fmt::format("writing to standard output: {}", std::strerror(errno)));
  } catch (const std::system_error& error) {  // fmt's: it could not be written
    if (error.code().value() == EPIPE) return code;
    PrintError(fmt::format("writing to standard output: {}", error.code().message()));
  }
  return code == kExitOk ? kExitFailure : code;
}

}  // namespace basalt::cli
