#pragma once

#include <string>

#include "base/error.h"
#include "base/log.h"

namespace CLI {
class App;
}

namespace basalt::cli {

// How a process logs; every command has these.
struct LogFlags {
  std::string level;  // "": as the verbosity has it
  std::string verbosity;
  std::string format = "text";
};

void AddLogFlags(CLI::App& command, LogFlags& flags);
Result<void> ConfigureLog(const LogFlags& flags);

}  // namespace basalt::cli
