#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "scheduler/config/arguments.h"

namespace basalt::scheduler {

// The switches of a plugin, one per extension point or group of them. The names in the file are
// Volcano's, with their mixed spelling: see kSwitchNames. Switches with a * are there for parity
// with Volcano's configuration and tests only; no action asks.
enum class Switch : unsigned char {
  kJobOrder,
  kHierarchy,
  kJobReady,
  kJobPipelined,
  kTaskOrder,
  kPreemptable,
  kReclaimable,
  kPreemptive,
  kQueueOrder,
  kClusterOrder,  // *
  kPredicate,
  kBestNode,
  kNodeOrder,
  kTargetJob,      // *
  kReservedNodes,  // *
  kJobEnqueued,
  kVictim,
  kJobStarving,
  kOverused,
  kAllocatable,
  kHyperNodeOrder,     // *
  kSubJobReady,        // *
  kSubJobPipelined,    // *
  kSubJobOrder,        // *
  kHyperNodeGradient,  // *
};
inline constexpr int kSwitches = 25;
std::optional<Switch> FindSwitch(std::string_view name);

struct PluginConfig {
  std::string name;
  std::array<std::optional<bool>, kSwitches> switches;
  Arguments arguments;
  int line = 0;  // in the file; 0: it came from elsewhere

  // Not set counts as off; the loader sets all that Volcano's does.
  bool IsOn(Switch which) const { return switches[static_cast<int>(which)].value_or(false); }
  void Set(Switch which, bool on) { switches[static_cast<int>(which)] = on; }
  // What the loader does: everything on that is not set, but hierarchy and cluster order.
  void ApplyDefaults();
};

struct Tier {
  std::vector<PluginConfig> plugins;
};

// The actions, by the names that a configuration calls them.
namespace action_names {
inline constexpr std::string_view kEnqueue = "enqueue";
inline constexpr std::string_view kReserve = "reserve";
inline constexpr std::string_view kAllocate = "allocate";
inline constexpr std::string_view kBackfill = "backfill";
inline constexpr std::string_view kPreempt = "preempt";
inline constexpr std::string_view kReclaim = "reclaim";
}  // namespace action_names

// The scheduler's configuration: Volcano's YAML (contract C3). A value; made by LoadConfig or
// by a test, never changed while in force.
struct Config {
  std::vector<std::string> actions;
  std::vector<Tier> tiers;
  std::map<std::string, Arguments, std::less<>> action_arguments;  // `configurations`
  std::map<std::string, int, std::less<>> action_lines;            // where those are in the file

  bool HasAction(std::string_view name) const;
  // Whether pods may be made to leave for others.
  bool Evicts() const {
    return HasAction(action_names::kPreempt) || HasAction(action_names::kReclaim);
  }
  // Empty where the file has none.
  const Arguments& ArgumentsOf(std::string_view action) const;
  // "line 3: allocate", for errors in them; "allocate" where they came from elsewhere.
  std::string WhereIs(std::string_view action) const;
};

// What names a file may use.
struct KnownNames {
  std::vector<std::string> actions;
  std::vector<std::string> plugins;
};

// Reads a configuration file's text. Errors say the line, and for an unknown name the nearest known
// one.
Result<Config> LoadConfig(std::string_view yaml, const KnownNames& known);

// The text of the default configuration.
std::string_view DefaultConfigYaml();

}  // namespace basalt::scheduler
