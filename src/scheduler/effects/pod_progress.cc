#include "scheduler/effects/pod_progress.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/annotations.h"

namespace basalt::scheduler {
namespace {

// What the pod's status says is nominated, by all that is known; nothing: that is not known.
std::optional<std::string> KnownNomination(const PodProgress& pod) {
  if (pod.unsure) return std::nullopt;
  const std::string& seen = pod.pod->status.nominated_node_name;
  if (!pod.written || !pod.written->status.nominated_node) return seen;
  const std::string& ours = *pod.written->status.nominated_node;
  // Another version between: it may be from before our write, or somebody else's after it.
  const bool newer = pod.written->version != pod.pod->meta.resource_version;
  if (newer && ours != seen) return std::nullopt;
  return ours;
}

const WaitingStatus* WrittenOnThisVersion(const PodProgress& pod) {
  const bool same = pod.written && pod.written->version == pod.pod->meta.resource_version;
  return same ? &pod.written->status : nullptr;
}

void Merge(WaitingStatus& into, WaitingStatus what) {
  if (what.nominated_node) into.nominated_node = std::move(what.nominated_node);
  if (!what.evictions.empty()) into.evictions = std::move(what.evictions);
  if (what.not_scheduled) into.not_scheduled = std::move(what.not_scheduled);
}

}  // namespace

std::vector<model::Evict> WantPromise(PodProgress& pod, model::Promise promise) {
  std::vector<model::Evict> dropped;
  if (pod.victims_on != promise.node) dropped = std::exchange(pod.victims, {});
  pod.victims_on = promise.node;
  std::ranges::move(promise.victims, std::back_inserter(pod.victims));
  WaitingStatus status{.evictions = std::move(promise.evictions)};
  // A gated pod is not nominated: that goes with Unschedulable, which would call an autoscaler.
  if (!promise.pod->gated() || promise.node.empty()) {
    status.nominated_node = std::move(promise.node);
  }
  if (!promise.reason.empty()) {
    status.not_scheduled = {std::move(promise.reason), std::move(promise.message)};
  }
  Merge(pod.to_say, std::move(status));
  pod.pod = std::move(promise.pod);
  pod.task = promise.task;
  pod.placed = false;
  return dropped;
}

void WantReason(PodProgress& pod, const model::PodWaits& waits) {
  pod.to_say.not_scheduled = {waits.reason, waits.message};
  pod.pod = waits.pod;
  pod.task = waits.task;
  pod.placed = false;
}

void WantUngated(PodProgress& pod, const model::Ungate& ungate) {
  pod.ungate = true;
  pod.pod = ungate.pod;
  pod.task = ungate.task;
}

std::vector<model::Evict> WantBound(PodProgress& pod, std::shared_ptr<const model::Bind> bind) {
  pod.to_say = {};
  pod.written.reset();
  pod.unsure = false;
  pod.ungate = false;
  pod.placed = true;
  pod.volumes_are_bound = bind->volumes.empty();
  pod.pod = bind->pod;
  pod.task = bind->task;
  pod.bind = std::move(bind);
  return std::exchange(pod.victims, {});
}

WaitingStatus Unsaid(const PodProgress& pod) {
  WaitingStatus unsaid;
  const WaitingStatus& wanted = pod.to_say;
  const WaitingStatus* ours = WrittenOnThisVersion(pod);
  if (wanted.nominated_node && KnownNomination(pod) != wanted.nominated_node) {
    unsaid.nominated_node = wanted.nominated_node;
  }
  if (!wanted.evictions.empty()) {
    const std::string_view carried =
        ours && !ours->evictions.empty()
            ? std::string_view(ours->evictions)
            : pod.pod->meta.annotations.Get(model::annotations::kEvictions);
    if (carried != wanted.evictions) unsaid.evictions = wanted.evictions;
  }
  if (wanted.not_scheduled) {
    std::optional<WaitingStatus::Condition> known;
    const kube::Condition* seen = kube::PodScheduledOf(*pod.pod);
    if (ours && ours->not_scheduled) {
      known = ours->not_scheduled;
    } else if (seen && seen->status == kube::ConditionStatus::kFalse) {
      known = {seen->reason, seen->message};
    }
    if (known != wanted.not_scheduled) {
      unsaid.not_scheduled = wanted.not_scheduled;
      unsaid.is_transition = !known;
    }
  }
  return unsaid;
}

PodStep NextStep(const PodProgress& pod) {
  if (pod.sent != PodStep::kNothing) return PodStep::kNothing;
  if (pod.bind) {
    if (!pod.volumes_are_bound) return PodStep::kVolumes;
    const bool gated =
        !pod.gate_is_gone && pod.bind->pod->HasGate(model::annotations::kQueueAllocationGate);
    return gated ? PodStep::kUngate : PodStep::kBind;
  }
  if (pod.ungate) return PodStep::kUngate;
  if (!Unsaid(pod).empty()) return PodStep::kSay;
  return pod.victims.empty() ? PodStep::kNothing : PodStep::kEvict;
}

WaitingStatus BeginSaying(PodProgress& pod) {
  WaitingStatus unsaid = Unsaid(pod);
  pod.sent = PodStep::kSay;
  pod.said = std::exchange(pod.to_say, {});
  pod.said_version = pod.pod->meta.resource_version;
  return unsaid;
}

void SaidWell(PodProgress& pod) {
  pod.sent = PodStep::kNothing;
  pod.unsure = false;
  WaitingStatus said = std::exchange(pod.said, {});
  // It was placed meanwhile: the nomination may have come after the bind.
  if (pod.placed && said.nominated_node && !said.nominated_node->empty()) {
    pod.to_say = {.nominated_node = ""};
  }
  if (!pod.written) pod.written.emplace();
  pod.written->version = pod.said_version;
  Merge(pod.written->status, std::move(said));
}

WaitingStatus SayingFailed(PodProgress& pod) {
  pod.sent = PodStep::kNothing;
  pod.written.reset();
  pod.unsure = !pod.placed;
  return std::exchange(pod.said, {});
}

void UngateEnded(PodProgress& pod, bool well) {
  pod.sent = PodStep::kNothing;
  pod.gate_is_gone = well;
}

void VolumesBound(PodProgress& pod) {
  pod.sent = PodStep::kNothing;
  pod.volumes_are_bound = true;
}

void BindEnded(PodProgress& pod) {
  pod.sent = PodStep::kNothing;
  pod.bind.reset();
  pod.gate_is_gone = false;
}

bool IsBlank(const PodProgress& pod) {
  if (pod.sent != PodStep::kNothing || NextStep(pod) != PodStep::kNothing) return false;
  return pod.placed || (!pod.written && !pod.unsure && !pod.gate_is_gone);
}

}  // namespace basalt::scheduler
