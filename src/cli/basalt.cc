#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/nearest.h"
#include "cli/bad_flag.h"
#include "cli/command.h"
#include "cli/open_files.h"
#include "cli/program_names.h"

namespace basalt::cli {
namespace {

const std::map<std::string, log::Level> kLevels = {{"debug", log::Level::kDebug},
                                                   {"info", log::Level::kInfo},
                                                   {"warning", log::Level::kWarning},
                                                   {"error", log::Level::kError}};
const std::map<std::string, log::Format> kFormats = {{"text", log::Format::kText},
                                                     {"json", log::Format::kJson}};

struct LogFlags {
  std::string level;  // "": as the verbosity has it
  std::string verbosity;
  std::string format = "text";
};

void AddLogFlags(CLI::App& command, LogFlags& flags) {
  command.add_option("--log-level", flags.level, "debug, info, warning or error; without it: info")
      ->check(CLI::IsMember(kLevels));
  command
      .add_option("-v,--v", flags.verbosity,
                  "the log's level as Kubernetes' programs count it: 5 and more is debug")
      ->type_name("LEVEL");
  command.add_option("--log-format", flags.format, "text or json")
      ->check(CLI::IsMember(kFormats))
      ->capture_default_str();
}

// klog's -v: pflag takes "-v=4" as well as "-v 4" and "--v=4". Its users run with 3 or 4 all day.
Result<log::Level> LevelOf(const LogFlags& flags) {
  if (!flags.level.empty()) return kLevels.at(flags.level);
  std::string_view text = flags.verbosity;
  if (text.starts_with('=')) text.remove_prefix(1);
  if (text.empty()) return log::Level::kInfo;
  int level = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (error != std::errc() || end != text.data() + text.size() || level < 0) {
    return BadFlag("--v", fmt::format("\"{}\": want a number, 0 or more", text));
  }
  return level >= 5 ? log::Level::kDebug : log::Level::kInfo;
}

// `basalt help [COMMAND]`. Not a subcommand of CLI11's: it would take COMMAND for one that is to
// run.
int RunHelp(CLI::App& app, std::string topic) {
  if (topic == "--help" || topic == "-h") topic = "help";
  if (topic.empty()) {
    fmt::print("{}", app.help());
    return kExitOk;
  }
  const auto named =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == topic; });
  if (named.empty()) {
    PrintError(fmt::format("there is no command \"{}\"; \"basalt help\" lists them", topic));
    return kExitUsage;
  }
  fmt::print("{}", named.front()->help());
  return kExitOk;
}

// The command that was given, or the program itself.
const CLI::App& GivenCommand(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : *given.front();
}

std::vector<std::string> FlagsOf(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

std::vector<std::string> CommandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

std::string ExplainExtra(const CLI::App& app) {
  const CLI::App& command = GivenCommand(app);
  const std::vector<std::string> extras = app.remaining(true);
  std::string typed = extras.empty() ? "" : extras.front();
  typed = typed.substr(0, typed.find('='));
  const bool is_flag = typed.starts_with("-");
  const bool at_top = &command == &app;
  const std::vector<std::string> known = is_flag  ? FlagsOf(command)
                                         : at_top ? CommandsOf(app)
                                                  : std::vector<std::string>();
  const std::string_view nearest = Nearest(typed, known);
  const std::string kind = is_flag ? "flag" : (at_top ? "command" : "argument");
  const std::string hint = nearest.empty() ? "" : fmt::format(" Did you mean {}?", nearest);
  return fmt::format("unknown {} {}.{} See \"basalt help{}{}\".", kind, typed, hint,
                     at_top ? "" : " ", at_top ? "" : command.get_name());
}

// The arguments, the last one first, as CLI11 takes them. "--name=" gives the option an empty
// value; CLI11 would take the next argument for it, whatever that is.
std::vector<std::string> Reversed(const CLI::App& app, const std::vector<std::string>& given) {
  const auto commands = app.get_subcommands(
      [&](const CLI::App* command) { return !given.empty() && command->get_name() == given[0]; });
  std::vector<std::string> arguments;
  for (std::string argument : given) {
    if (!commands.empty() && argument.starts_with("--") && argument.ends_with('=')) {
      const std::string name = argument.substr(0, argument.size() - 1);
      const CLI::Option* option = commands.front()->get_option_no_throw(name);
      if (option && option->get_items_expected_min() > 0) {
        arguments.push_back(name);
        argument.clear();
      }
    }
    arguments.push_back(std::move(argument));
  }
  std::ranges::reverse(arguments);
  return arguments;
}

}  // namespace

void PrintError(const std::string& message) { fmt::print(stderr, "basalt: error: {}\n", message); }

int RunBasalt(int argc, const char* const* argv) {
  // Volcano's manifests end their arguments so, with no shell there to understand it.
  if (argc > 2 && std::string_view(argv[argc - 1]) == "2>&1") --argc;
  CLI::App app("Basalt: batch scheduling for Kubernetes", "basalt");
  Action action;
  LogFlags log_flags;
  AddUpCommand(app, action);
  AddSchedulerCommand(app, action);
  AddWebhookCommand(app, action);
  AddControllerCommand(app, action);
  AddCrdsCommand(app, action);
  AddSimnodeCommand(app, action);
  AddWorkloadsCommand(app, action);
  AddExplainCommand(app, action);
  AddPodGroupCommand(app, action);
  AddQueueCommand(app, action);
  AddReservationCommand(app, action);
  AddJobCommand(app, action);
  AddJobFlowCommands(app, action);
  AddPodCommand(app, action);
  AddVersionCommand(app, action);
  app.add_subcommand("help", "Explains a command: help COMMAND");
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    AddLogFlags(*command, log_flags);
  }
  const std::vector<std::string> arguments =
      ArgumentsByName(argc > 0 ? argv[0] : "", {argv + std::min(argc, 1), argv + argc});
  if (!arguments.empty() && arguments[0] == "help") {
    return RunHelp(app, arguments.size() > 1 ? arguments[1] : "");
  }
  try {
    app.parse(Reversed(app, arguments));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", GivenCommand(app).help());
    return kExitOk;
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return kExitOk;
  } catch (const CLI::ExtrasError&) {
    PrintError(ExplainExtra(app));
    return kExitUsage;
  } catch (const CLI::ParseError& error) {
    PrintError(error.what());
    return kExitUsage;
  }
  if (!action) {
    fmt::print(stderr, "{}", app.help());
    return kExitUsage;
  }
  const Result<log::Level> level = LevelOf(log_flags);
  if (!level) {
    PrintError(level.error().message);
    return kExitUsage;
  }
  log::Configure(*level, kFormats.at(log_flags.format));
  RaiseOpenFileLimit();
  return action();
}

}  // namespace basalt::cli
