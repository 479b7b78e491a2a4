#include "cli/log_flags.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <string_view>

#include "cli/bad_flag.h"
#include "cli/command_line.h"
#include "cli/flag_checks.h"

namespace basalt::cli {
namespace {

const std::map<std::string, log::Level> kLevels = {{"debug", log::Level::kDebug},
                                                   {"info", log::Level::kInfo},
                                                   {"warning", log::Level::kWarning},
                                                   {"error", log::Level::kError}};

// klog's -v. Its users run with 3 or 4 all day.
Result<log::Level> LevelOf(const LogFlags& flags) {
  if (!flags.level.empty()) return kLevels.at(flags.level);
  const std::string_view text = flags.verbosity;
  if (text.empty()) return log::Level::kInfo;
  int level = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (error != std::errc() || end != text.data() + text.size() || level < 0) {
    return BadFlag("--v", fmt::format("\"{}\": want a number, 0 or more", text));
  }
  return level >= 5 ? log::Level::kDebug : log::Level::kInfo;
}

}  // namespace

void AddLogFlags(CLI::App& command, LogFlags& flags) {
  const std::string group(kLogGroup);
  command.add_option("--log-level", flags.level, "debug, info, warning or error; without it: info")
      ->type_name("LEVEL")
      ->check(OneOf({"debug", "info", "warning", "error"}))
      ->group(group);
  command
      .add_option("-v,--v", flags.verbosity,
                  "the log's level as Kubernetes' programs count it: 5 and more is debug")
      ->type_name("LEVEL")
      ->group(group);
  command.add_option("--log-format", flags.format, "text or json")
      ->type_name("FORM")
      ->check(OneOf({"text", "json"}))
      ->capture_default_str()
      ->group(group);
}

Result<void> ConfigureLog(const LogFlags& flags) {
  const Result<log::Level> level = LevelOf(flags);
  if (!level) return std::unexpected(level.error());
  log::Configure(*level, flags.format == "json" ? log::Format::kJson : log::Format::kText);
  return {};
}

}  // namespace basalt::cli
