#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

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

// The value of an annotation; nullptr where the pod has none.
using AnnotationReader = std::function<const std::string*(std::string_view name)>;

struct ContainerCommand {
  std::vector<std::string> command;
  std::vector<std::string> args;
};

// `init_containers` are those that run to their end one after the other (not sidecars): their
// sleeps add to the start delay. The run time is the annotation's or, when every container is a
// `sleep N`, that of the longest.
PodBehaviour ReadBehaviour(const AnnotationReader& annotation,
                           const std::vector<ContainerCommand>& init_containers,
                           const std::vector<ContainerCommand>& containers);

// "90s", "1m30s", "1.5h", "250ms": Go's syntax, not negative, below 100 years.
Result<Duration> ParseDuration(std::string_view text);

// How long `sleep N` sleeps, also behind `sh -c` and with sleep's suffixes s, m, h and d. Nothing:
// it is no sleep, or sleeps for ever.
std::optional<Duration> SleepOf(const ContainerCommand& container);

}  // namespace basalt::simnode
