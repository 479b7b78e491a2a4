#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// What a command line offers, read from CLI11's description of it: one source for help, the man
// page, completion and docs/reference.
namespace basalt::cli {

// Options of this group are shown last, and in the reference once for all commands.
inline constexpr std::string_view kLogGroup = "Log";

// The commands that people see, in their order.
std::vector<const CLI::App*> CommandsOf(const CLI::App& app);
const CLI::App* FindCommand(const CLI::App& app, std::string_view name);

struct FlagInfo {
  std::vector<std::string> names;  // "-o", "--output": short ones first
  std::string value;               // "N", "TEXT", "FILE"; "": it takes none
  std::vector<std::string> words;  // that it takes; empty: anything
  std::string about;
  std::string standard;  // its default, where it has one to show
  std::string group;     // "Flags" where it has none of its own
};
// Its flags, without those that are hidden and without --help.
std::vector<FlagInfo> FlagsOf(const CLI::App& command);

struct ArgumentInfo {
  std::string name;                // "VERB"
  std::vector<std::string> words;  // that it takes; empty: anything
  std::string about;
  bool required = false;
};
std::vector<ArgumentInfo> ArgumentsOf(const CLI::App& command);

// Arguments are shown so: "verb" as "VERB".
std::string InCapitals(std::string text);

// "basalt queue VERB [NAME] [flags]"
std::string UsageOf(const CLI::App& command, std::string_view program);

}  // namespace basalt::cli
