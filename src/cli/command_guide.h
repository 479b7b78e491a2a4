#pragma once

#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace basalt::cli {

struct Example {
  std::string_view about;
  std::string_view command;  // what comes behind "basalt"
};

// Each of them is parsed by a test.
std::vector<Example> ExamplesOf(std::string_view command);

// The groups of the help, in their order.
std::vector<std::string_view> CommandGroups();

// Puts every command into its group of the help.
void GroupCommands(CLI::App& app);

}  // namespace basalt::cli
