#include "simnode/pod_behaviour.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "kube/types/time.h"
#include "simnode/program_run.h"

namespace basalt::simnode {
namespace {

// 100 years: sums of such times do not overflow.
constexpr Duration kMost = 24h * 365 * 100;

class Reader {
 public:
  Reader(const kube::StringMap& annotations, PodBehaviour& behaviour)
      : annotations_(annotations), behaviour_(behaviour) {}

  std::optional<Duration> ReadDuration(std::string_view name) {
    const auto value = annotations_.Find(name);
    if (!value) return std::nullopt;
    const auto duration = kube::ParseDuration(*value);
    if (duration && *duration >= 0s && *duration <= kMost) return *duration;
    Complain(name, *value, "want a duration such as 90s, 1m30s or 250ms");
    return std::nullopt;
  }

  std::optional<int> ReadExitCode(std::string_view name) {
    const auto value = annotations_.Find(name);
    if (!value) return std::nullopt;
    int code = 0;
    const char* end = value->data() + value->size();
    const auto [stop, error] = std::from_chars(value->data(), end, code);
    if (error == std::errc() && stop == end && code >= 0 && code <= 255) return code;
    Complain(name, *value, "want a whole number from 0 to 255");
    return std::nullopt;
  }

  // Annotations of containers that are not there.
  void CheckNames(const kube::PodSpec& spec) {
    for (const kube::StringMap::Entry& annotation : annotations_) {
      for (const std::string_view prefix : {kRunDurationAnnotation, kExitCodeAnnotation}) {
        const std::string_view key = annotation.key;
        if (!key.starts_with(prefix) || key.size() <= prefix.size() || key[prefix.size()] != '.') {
          continue;
        }
        const std::string_view name = key.substr(prefix.size() + 1);
        const auto is_it = [&](const kube::Container& container) { return container.name == name; };
        if (std::ranges::none_of(spec.containers, is_it) &&
            std::ranges::none_of(spec.init_containers, is_it)) {
          Complain(key, annotation.value, "the pod has no container of that name");
        }
      }
    }
  }

 private:
  void Complain(std::string_view name, std::string_view value, std::string_view why) {
    behaviour_.problems.push_back(
        fmt::format("annotation {}: \"{}\": {}; using the default", name, value, why));
  }

  const kube::StringMap& annotations_;
  PodBehaviour& behaviour_;
};

}  // namespace

PodBehaviour ReadBehaviour(const kube::StringMap& annotations, const kube::PodSpec& spec) {
  PodBehaviour behaviour;
  Reader reader(annotations, behaviour);
  behaviour.start_delay = reader.ReadDuration(kStartDelayAnnotation).value_or(0s);
  behaviour.termination = reader.ReadDuration(kTerminationAnnotation);
  const auto duration_of_all = reader.ReadDuration(kRunDurationAnnotation);
  const auto code_of_all = reader.ReadExitCode(kExitCodeAnnotation);
  reader.CheckNames(spec);

  const auto read = [&](const kube::Container& container, bool init) {
    const auto run = RunOf(container);
    ContainerBehaviour result;
    if (run) {
      result = {run->duration, run->exit_code, run->cannot_start};
    } else if (init) {
      result.run_duration = 0s;
    }
    result.sidecar = init && container.restart_always;
    if (result.sidecar) result.run_duration.reset();
    auto duration =
        reader.ReadDuration(fmt::format("{}.{}", kRunDurationAnnotation, container.name));
    auto code = reader.ReadExitCode(fmt::format("{}.{}", kExitCodeAnnotation, container.name));
    if (!duration && !init) duration = duration_of_all;
    if (!code && !init) code = code_of_all;
    if (duration) result.run_duration = duration;
    if (code) result.exit_code = *code;
    if (duration || code) result.cannot_start = false;
    return result;
  };
  for (const kube::Container& container : spec.init_containers) {
    behaviour.init.push_back(read(container, true));
  }
  for (const kube::Container& container : spec.containers) {
    behaviour.containers.push_back(read(container, false));
  }
  return behaviour;
}

}  // namespace basalt::simnode
