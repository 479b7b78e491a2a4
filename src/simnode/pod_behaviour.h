#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kube/types/pod.h"
#include "kube/types/string_map.h"

namespace basalt::simnode {

inline constexpr std::string_view kStartDelayAnnotation = "basalt.sh/start-delay";
inline constexpr std::string_view kRunDurationAnnotation = "basalt.sh/run-duration";
inline constexpr std::string_view kExitCodeAnnotation = "basalt.sh/exit-code";
inline constexpr std::string_view kTerminationAnnotation = "basalt.sh/termination";

// How a simulated pod behaves (contract C11), read once from its annotations and commands.
struct PodBehaviour {
  Duration start_delay{0};
  std::optional<Duration> run_duration;  // nothing: for ever
  int exit_code = 0;
  std::optional<Duration> termination;  // nothing: the whole grace period
  // One sentence for each annotation that could not be read; its default is in force.
  std::vector<std::string> problems;
};

// Init containers that run to their end (not sidecars) add their sleeps to the start delay. The run
// time is the annotation's or, when every container is a `sleep N`, that of the longest.
PodBehaviour ReadBehaviour(const kube::StringMap& annotations, const kube::PodSpec& spec);

// How long `sleep N` sleeps, also behind `sh -c` and with sleep's suffixes s, m, h and d. Nothing:
// it is no sleep, or sleeps for ever.
std::optional<Duration> SleepOf(const kube::Container& container);

}  // namespace basalt::simnode
