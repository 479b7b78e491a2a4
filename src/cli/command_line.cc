#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace basalt::cli {
namespace {

// CLI11 puts the checks behind the type: "TEXT:json|yaml", "INT:INT in [0 - 5]".
std::vector<std::string> WordsOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  if (colon == std::string::npos) return {};
  const std::string check = type.substr(colon + 1);
  if (check.find(' ') != std::string::npos) return {};
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= check.size();) {
    const std::size_t end = std::min(check.find('|', at), check.size());
    words.push_back(check.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string ValueOf(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find(':'));
  if (name == "INT" || name == "UINT" || name == "FLOAT") return "N";
  if (name == "BOOLEAN") return "true|false";
  if (name == "[KEY=VALUE]") return "KEY=VALUE";
  return name.empty() ? "TEXT" : name;
}

}  // namespace

std::string InCapitals(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) commands.push_back(command);
  }
  return commands;
}

const CLI::App* FindCommand(const CLI::App& app, std::string_view name) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::vector<FlagInfo> FlagsOf(const CLI::App& command) {
  std::vector<FlagInfo> flags;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->get_group().empty()) continue;
    if (option == command.get_help_ptr()) continue;
    FlagInfo flag;
    for (const std::string& name : option->get_snames()) flag.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flag.names.push_back("--" + name);
    flag.value = ValueOf(*option);
    flag.words = WordsOf(*option);
    flag.about = option->get_description();
    flag.standard = option->get_default_str();
    flag.group = option->get_group() == "Options" ? "Flags" : option->get_group();
    flags.push_back(std::move(flag));
  }
  return flags;
}

std::vector<ArgumentInfo> ArgumentsOf(const CLI::App& command) {
  std::vector<ArgumentInfo> arguments;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional() || option->get_group().empty()) continue;
    arguments.push_back({.name = InCapitals(option->get_name(true)),
                         .words = WordsOf(*option),
                         .about = option->get_description(),
                         .required = option->get_required()});
  }
  return arguments;
}

std::string UsageOf(const CLI::App& command, std::string_view program) {
  std::string usage(program);
  if (command.get_parent() == nullptr) return usage + " COMMAND [flags]";
  usage += " " + command.get_name();
  for (const ArgumentInfo& argument : ArgumentsOf(command)) {
    usage += argument.required ? " " + argument.name : " [" + argument.name + "]";
  }
  return FlagsOf(command).empty() ? usage : usage + " [flags]";
}

}  // namespace basalt::cli
