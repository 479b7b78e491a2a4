#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <string_view>

#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/showing.h"
#include "cli/version.h"

namespace basalt::cli {
namespace {

// As Go and Docker name it: "linux/amd64".
std::string_view Platform() {
#if defined(__x86_64__)
  return "linux/amd64";
#elif defined(__aarch64__)
  return "linux/arm64";
#else
  return "linux";
#endif
}

}  // namespace

void AddVersionCommand(CLI::App& app, Action& action) {
  auto ask = std::make_shared<AskFlags>();
  CLI::App* command = app.add_subcommand("version", "Prints the version");
  AddProgramOutputFlag(*command, *ask);
  command->callback([ask, &action] {
    action = [ask] {
      const boost::json::object version{{"version", Version()},
                                        {"kubernetes", "1.36"},
                                        {"volcano", "v1.15"},
                                        {"compiler", "g++ " __VERSION__},
                                        {"platform", Platform()}};
      fmt::print("{}", Formatted(*ask, version, "", [](const boost::json::value&) {
                   return fmt::format("basalt {}\n", Version());
                 }));
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
