#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/log_flags.h"

namespace basalt::cli {

// The whole command line: every command with its flags. Parsing sets `action` to what is to be done
// and does nothing else.
std::unique_ptr<CLI::App> MakeApp(Action& action, LogFlags& log_flags);

}  // namespace basalt::cli
