#pragma once

#include <optional>

#include "base/clock.h"
#include "kube/types/container.h"

namespace basalt::simnode {

// How a container's program ends.
struct ProgramRun {
  std::optional<Duration> duration;  // nothing: never
  int exit_code = 0;
  bool cannot_start = false;  // there is no such program: the container's creation fails
  bool operator==(const ProgramRun&) const = default;
};

// What the command line says about how the program runs, as people write it in examples: `sleep N`
// (with sleep's suffixes), `true`, `false`, `echo …`, `exit N`, and scripts of these behind `sh -c`
// with `;`, `&&`, `||`, pipes, `exec` and `set -e`. A program that is not in the image (known of
// busybox) is not found: 127 in a script. Nothing: it cannot be told.
std::optional<ProgramRun> RunOf(const kube::Container& container);

}  // namespace basalt::simnode
