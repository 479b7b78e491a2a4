#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/flag_checks.h"
#include "cli/version.h"
#include "cli/yaml_text.h"

namespace basalt::cli {

void AddVersionCommand(CLI::App& app, Action& action) {
  auto output = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("version", "Prints the version");
  command->add_option("-o,--output", *output, "json or yaml; without it: text")
      ->type_name("FORM")
      ->check(OneOf({"json", "yaml"}));
  command->callback([output, &action] {
    action = [output] {
      const boost::json::object version{{"version", Version()},
                                        {"kubernetes", "1.36"},
                                        {"volcano", "v1.15"},
                                        {"compiler", "g++ " __VERSION__},
                                        {"platform", "linux/amd64"}};
      if (output->empty()) {
        fmt::print("basalt {}\n", Version());
      } else {
        fmt::print("{}",
                   *output == "json" ? boost::json::serialize(version) + "\n" : YamlText(version));
      }
      return kExitOk;
    };
  });
}

}  // namespace basalt::cli
