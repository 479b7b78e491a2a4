#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace basalt::cli {

// Volcano's three programs, in whose place a role may be started with the arguments as they are.
enum class VolcanoProgram { kScheduler, kControllerManager, kWebhookManager };

// What such arguments ask for and the flags of the role do not hold.
struct VolcanoFlags {
  bool enable_metrics = false;
  bool enable_healthz = false;
  std::vector<std::string> without_effect;
};

// Adds every flag of Volcano v1.15's program that `command` does not have yet, so call it last:
// each is taken, and without effect.
void AddVolcanosFlags(CLI::App& command, VolcanoProgram program, VolcanoFlags& flags);

// One line for each flag that was given and has no effect; addresses that Volcano has by default
// where the flags ask for metrics or health and name none.
void ApplyVolcanosFlags(const VolcanoFlags& flags, VolcanoProgram program,
                        std::string& listen_address, std::string& healthz_address);

}  // namespace basalt::cli
