#include "model/reservation_moves.h"

#include <algorithm>
#include <string_view>

#include "model/annotations.h"
#include "model/cluster.h"

namespace basalt::model {
namespace {

std::string_view MovedPod(const ReservationRecord& record) {
  return record.object->meta.labels.Get(annotations::kMigratingPod);
}

// What all its replicas ask for is at most what the pod has.
bool AsksForNoMore(const Cluster& cluster, const ReservationRecord& record, const Task& pod) {
  Amounts sum;
  for (const ReservedSlot& slot : record.slots) sum.Add(cluster.task(slot.id).request());
  bool more = false;
  ForEachDimension(sum.NonZero(), [&](int d) { more = more || sum[d] > pod.request()[d]; });
  return !more;
}

}  // namespace

const Task* ReservationMoves::FindPod(const std::string& uid) const {
  const auto it = pods_.find(uid);
  return it == pods_.end() ? nullptr : cluster_.FindTask(it->second);
}

void ReservationMoves::Review(const Move& move, const Task* pod) {
  bool first = true;
  for (ReservationRecord* record : move.records) {
    const Job& job = cluster_.job(record->job);
    const Job* of_pod = pod ? cluster_.FindJob(pod->job) : nullptr;
    const bool once = first && of_pod && IsAllocated(pod->status()) && pod->ns() == record->ns() &&
                      of_pod->queue == job.queue && AsksForNoMore(cluster_, *record, *pod);
    first = false;
    if (job.counts_with_pod == once) continue;
    cluster_.SetCountsWithPod(record->job, once);
    // A pod that may use it could not start on the other pod's share, and can on its own.
    cluster_.mutable_reservations().Tell(*record);
  }
}

void ReservationMoves::Add(ReservationRecord& record) {
  const std::string uid(MovedPod(record));
  if (uid.empty()) return;
  if (by_uid_.empty()) {
    cluster_.tasks().ForEach([&](const Task& task) { pods_.emplace(task.uid(), task.id); });
  }
  Move& move = by_uid_[uid];
  move.records.insert(
      std::ranges::upper_bound(move.records, &record,
                               [](const auto* a, const auto* b) { return IsOlder(*a, *b); }),
      &record);
  Review(move, FindPod(uid));
}

void ReservationMoves::Remove(ReservationRecord& record) {
  const auto it = by_uid_.find(std::string(MovedPod(record)));
  if (it == by_uid_.end() || std::erase(it->second.records, &record) == 0) return;
  cluster_.SetCountsWithPod(record.job, false);
  if (it->second.records.empty()) {
    by_uid_.erase(it);
    if (by_uid_.empty()) pods_ = {};
  } else {
    Review(it->second, FindPod(it->first));
  }
}

void ReservationMoves::PodCame(const Task& pod) {
  pods_.insert_or_assign(pod.uid(), pod.id);
  PodMoved(pod);
}

void ReservationMoves::PodLeaves(const Task& pod) {
  pods_.erase(pod.uid());
  if (const auto it = by_uid_.find(pod.uid()); it != by_uid_.end()) Review(it->second, nullptr);
}

void ReservationMoves::PodMoved(const Task& pod) {
  if (const auto it = by_uid_.find(pod.uid()); it != by_uid_.end()) Review(it->second, &pod);
}

void ReservationMoves::ReviewAll() {
  for (const auto& [uid, move] : by_uid_) Review(move, FindPod(uid));
}

}  // namespace basalt::model
