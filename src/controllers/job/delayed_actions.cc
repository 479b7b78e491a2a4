#include "controllers/job/delayed_actions.h"

#include <algorithm>

namespace basalt::controllers {
namespace {

// Timestamps of pods are cut to seconds: what is this young happened now.
constexpr Duration kYoung = 2s;

bool RunsAgain(const JobPods& pods, const std::string& name) {
  const auto found = pods.find(name);
  return found != pods.end() && !found->second.leaving &&
         found->second.phase == kube::PodPhase::kRunning;
}

bool StillPends(const JobPods& pods, const Occurrence& occurrence) {
  const auto found = pods.find(occurrence.pod);
  return found != pods.end() && found->second.uid == occurrence.pod_uid && !found->second.leaving &&
         found->second.phase == kube::PodPhase::kPending;
}

bool SameReach(const Occurrence& a, const Occurrence& b) {
  if (ReachOf(a.action) != ReachOf(b.action)) return false;
  switch (ReachOf(a.action)) {
    case Reach::kJob: return true;
    case Reach::kTask: return a.task == b.task;
    case Reach::kPod: return a.pod == b.pod;
    case Reach::kPartition: return a.task == b.task && a.partition == b.partition;
  }
  return false;
}

}  // namespace

void DelayedActions::Add(const Occurrence& occurrence, Time now) {
  const bool waits = std::ranges::any_of(waiting_, [&](const Waiting& one) {
    return one.occurrence.pod == occurrence.pod && one.occurrence.pod_uid == occurrence.pod_uid;
  });
  if (waits) return;
  // What happened before this controller looked has waited since.
  const bool long_ago = occurrence.since != Time{} && now - occurrence.since > kYoung;
  const Time due = (long_ago ? occurrence.since : now) + occurrence.timeout;
  const auto at = std::ranges::upper_bound(waiting_, due, {}, &Waiting::due);
  waiting_.insert(at, {.occurrence = occurrence, .due = due});
}

void DelayedActions::Prune(const JobPods& pods, std::int32_t version) {
  std::erase_if(waiting_, [&](const Waiting& one) {
    const Occurrence& occurrence = one.occurrence;
    if (occurrence.version < version) return true;
    switch (occurrence.event) {
      case JobEvent::kPodPending: return !StillPends(pods, occurrence);
      case JobEvent::kPodFailed:
      case JobEvent::kPodEvicted: return RunsAgain(pods, occurrence.pod);
      default: return false;
    }
  });
}

void DelayedActions::Carried(const Occurrence& carried) {
  std::erase_if(waiting_, [&](const Waiting& one) { return SameReach(one.occurrence, carried); });
}

std::optional<Occurrence> DelayedActions::TakeDue(Time now) {
  if (waiting_.empty() || waiting_.front().due > now) return std::nullopt;
  Occurrence occurrence = std::move(waiting_.front().occurrence);
  waiting_.erase(waiting_.begin());
  return occurrence;
}

void DelayedActions::Return(Occurrence occurrence) {
  waiting_.insert(waiting_.begin(), {.occurrence = std::move(occurrence), .due = Time::min()});
}

std::optional<Time> DelayedActions::next_due() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.front().due;
}

}  // namespace basalt::controllers
