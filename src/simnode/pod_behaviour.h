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

// How each run of a container goes.
struct ContainerBehaviour {
  std::optional<Duration> run_duration;  // nothing: for ever
  int exit_code = 0;
  bool cannot_start = false;  // there is no such program
  bool sidecar = false;       // of an init container: it goes on beside the others
  bool operator==(const ContainerBehaviour&) const = default;
};

// How a simulated pod behaves (contract C11), read from its annotations and commands.
struct PodBehaviour {
  Duration start_delay{0};
  std::vector<ContainerBehaviour> init;        // in the order of the specification
  std::vector<ContainerBehaviour> containers;  // likewise
  std::optional<Duration> termination;         // nothing: the whole grace period
  // One sentence for each annotation that could not be read; its default is in force.
  std::vector<std::string> problems;
};

// `run-duration.NAME` and `exit-code.NAME` are of the container NAME, without a name they are of
// all but init containers; where there is none the command says it. What cannot be told runs for
// ever, or, as an init container, ends well at once: otherwise no pod would ever start.
PodBehaviour ReadBehaviour(const kube::StringMap& annotations, const kube::PodSpec& spec);

}  // namespace basalt::simnode
