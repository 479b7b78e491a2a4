#include "model/parking.h"

#include <algorithm>
#include <utility>

namespace basalt::model {

void Waits::Add(const Waits& other) {
  kinds |= other.kinds;
  if (other.room) {
    if (room) {
      // Whatever is enough for one of the two.
      Amounts lower;
      ForEachDimension(least.defined() & other.least.defined(),
                       [&](int d) { lower.Set(d, std::min(least[d], other.least[d])); });
      least = std::move(lower);
    } else {
      least = other.least;
    }
    room = true;
    leaving = leaving || other.leaving;
  }
  if (other.until) until = until ? std::min(*until, *other.until) : *other.until;
  if (!other.queue.valid() || queue == other.queue) return;
  if (queue.valid()) {
    kinds = Happenings::All();
  } else {
    queue = other.queue;
  }
}

Parking::BucketId Parking::Put(std::string_view key, const Place& place, const Waits& waits) {
  const auto [it, added] = by_key_.try_emplace(std::string(key));
  if (added) {
    it->second = ++last_id_;
    buckets_.emplace(it->second, std::make_unique<Bucket>()).first->second->key = key;
  }
  const BucketId id = it->second;
  Bucket& bucket = *buckets_.at(id);
  if (bucket.asleep) {
    Enlist(id, bucket, false);
    bucket.waits.Add(waits);
  } else {
    bucket.waits = waits;
  }
  bucket.asleep = true;
  bucket.checked = false;
  Enlist(id, bucket, true);
  jobs_ += bucket.members.insert(place).second;
  return id;
}

bool Parking::ShouldTellOthers(BucketId id, std::string_view said, Time now) {
  constexpr Duration kPause = 1min;
  Bucket& bucket = *buckets_.at(id);
  if (bucket.said != said) {
    bucket.said = said;
    bucket.others_may_differ = bucket.members.size() > 1;
  }
  return bucket.others_may_differ && (!bucket.told || now >= *bucket.told + kPause);
}

void Parking::NoteTold(BucketId id, std::size_t others, bool all, Time now) {
  Bucket& bucket = *buckets_.at(id);
  bucket.others_may_differ = !all;
  if (others > 0) bucket.told = now;
}

void Parking::Take(BucketId id, const Place& place) {
  Bucket& bucket = *buckets_.at(id);
  jobs_ -= bucket.members.erase(place);
  if (!bucket.members.empty() || !bucket.asleep) return;
  Enlist(id, bucket, false);
  by_key_.erase(bucket.key);
  buckets_.erase(id);
}

void Parking::Enlist(BucketId id, const Bucket& bucket, bool in) {
  const auto change = [&](Set& set) { in ? void(set.insert(id)) : void(set.erase(id)); };
  if (bucket.waits.kinds == Happenings::All()) {
    change(for_anything_);
  } else {
    for (int kind = 0; kind < kHappenings; ++kind) {
      if (bucket.waits.kinds.Has(static_cast<Happening>(kind))) change(by_kind_[kind]);
    }
  }
  if (bucket.waits.room) {
    const std::pair entry(bucket.waits.least.milli_cpu(), id);
    in ? void(by_least_.insert(entry)) : void(by_least_.erase(entry));
  }
  if (bucket.waits.queue.valid()) {
    Set& set = by_queue_[bucket.waits.queue];
    change(set);
    if (set.empty()) by_queue_.erase(bucket.waits.queue);
  }
  if (bucket.waits.until) {
    const std::pair entry(*bucket.waits.until, id);
    in ? void(by_time_.insert(entry)) : void(by_time_.erase(entry));
  }
}

void Parking::Wake(BucketId id, bool as_check) {
  Bucket& bucket = *buckets_.at(id);
  Enlist(id, bucket, false);
  bucket.asleep = false;
  bucket.checked = as_check;
  awake_.push_back(id);
  woken_.push_back(id);
}

namespace {

template <class Set>
std::vector<Parking::BucketId> Listed(const Set& set) {
  return {set.begin(), set.end()};
}

}  // namespace

void Parking::WakeFor(Happenings happened) {
  if (happened.empty()) return;
  for (const BucketId id : Listed(for_anything_)) Wake(id);
  for (int kind = 0; kind < kHappenings; ++kind) {
    if (!happened.Has(static_cast<Happening>(kind))) continue;
    for (const BucketId id : Listed(by_kind_[kind])) Wake(id);
  }
}

void Parking::WakeForRoom(const Amounts& room, bool more_in_future) {
  std::vector<BucketId> woken;
  const double most = room.milli_cpu() + Amounts::kEpsilon;
  for (const auto& [least, id] : by_least_) {
    if (least > most) break;
    const Waits& waits = buckets_.at(id)->waits;
    if ((more_in_future || waits.leaving) && Wakes(waits, room)) woken.push_back(id);
  }
  for (const BucketId id : woken) Wake(id);
}

void Parking::WakeForQueue(QueueId queue) {
  const auto it = by_queue_.find(queue);
  if (it == by_queue_.end()) return;
  for (const BucketId id : Listed(it->second)) Wake(id);
}

void Parking::WakeDue(Time now) {
  while (!by_time_.empty() && by_time_.begin()->first <= now) Wake(by_time_.begin()->second);
}

void Parking::WakeForIfFew(Happening kind, std::size_t most) {
  const Set& waiting = by_kind_[static_cast<int>(kind)];
  if (waiting.size() > most) return;
  for (const BucketId id : Listed(waiting)) Wake(id);
}

void Parking::WakeAll(bool as_check) {
  std::vector<BucketId> asleep;
  for (const auto& [id, bucket] : buckets_) {
    if (bucket->asleep) asleep.push_back(id);
  }
  for (const BucketId id : asleep) Wake(id, as_check);
}

void Parking::EndChecks() {
  for (const BucketId id : awake_) {
    if (const auto it = buckets_.find(id); it != buckets_.end()) it->second->checked = false;
  }
}

std::vector<Parking::BucketId> Parking::TakeWoken() {
  std::vector<BucketId> woken = std::exchange(woken_, {});
  std::ranges::sort(woken);
  return woken;
}

const std::vector<Parking::BucketId>& Parking::Awake() {
  woken_.clear();
  std::ranges::sort(awake_);
  awake_.erase(std::ranges::unique(awake_).begin(), awake_.end());
  std::erase_if(awake_, [&](BucketId id) {
    const auto it = buckets_.find(id);
    if (it == buckets_.end() || it->second->asleep) return true;
    if (!it->second->members.empty()) return false;
    by_key_.erase(it->second->key);
    buckets_.erase(it);
    return true;
  });
  return awake_;
}

bool Parking::IsAwake(BucketId id) const {
  const auto it = buckets_.find(id);
  return it != buckets_.end() && !it->second->asleep && !it->second->members.empty();
}

bool Parking::anybody_awake() const {
  return std::ranges::any_of(awake_, [&](BucketId id) { return IsAwake(id); });
}

std::vector<Parking::BucketId> Parking::AwakeThatWaitedFor(Happening kind) const {
  std::vector<BucketId> waited;
  for (const BucketId id : awake_) {
    if (IsAwake(id) && bucket(id).waits.kinds.Has(kind)) waited.push_back(id);
  }
  return waited;
}

std::vector<QueueId> Parking::queues() const {
  std::vector<QueueId> queues;
  for (const auto& [queue, set] : by_queue_) queues.push_back(queue);
  return queues;
}

}  // namespace basalt::model
