#include "cli/kind_words.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"

namespace basalt::cli {
namespace {

namespace resources = kube::resources;

constexpr KindWord kKindWords[] = {
    {"pod", "po", &resources::kPods},
    {"podgroup", "pg", &resources::kPodGroups},
    {"job", "vj", &resources::kVcJobs},
    {"vcjob", "vcjob", &resources::kVcJobs},
    {"queue", "q", &resources::kQueues},
    {"reservation", "rsv", &resources::kReservations},
    {"deployment", "deploy", &resources::kDeployments, true},
    {"replicaset", "rs", &resources::kReplicaSets, true},
    {"statefulset", "sts", &resources::kStatefulSets, true},
    {"daemonset", "ds", &resources::kDaemonSets, true},
};

}  // namespace

const KindWord* FindKind(std::string_view typed) {
  const std::string lower = ToLower(typed);
  const auto found = std::ranges::find_if(kKindWords, [&](const KindWord& kind) {
    return lower == kind.word || lower == kind.short_name || lower == std::string(kind.word) + "s";
  });
  return found == std::end(kKindWords) ? nullptr : found;
}

const kube::Resource* ReservableKind(std::string_view typed) {
  const KindWord* kind = FindKind(typed);
  if (kind == nullptr) return nullptr;
  if (kind->word == "job") return &resources::kJobs;
  const bool takes = kind->word == "pod" || (kind->workload && kind->word != "daemonset");
  return takes ? kind->resource : nullptr;
}

}  // namespace basalt::cli
