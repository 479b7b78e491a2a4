#pragma once

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "model/amounts.h"
#include "model/ids.h"

namespace basalt::model {

// What may happen that helps a job that waits. Beside these, room on a node and room in a queue are
// told apart by amount (see Waits), and news about a job itself always bring it back.
enum class Happening : std::uint8_t {
  kNode,       // a node came or went, or something that is read of it changed
  kArrival,    // a pod came to a node, or is another there: its status, its labels
  kDeparture,  // a pod left a node, is about to, or is another there
  kPod,        // any pod came, went or changed: what queues want in sum
  kQueue,      // a queue came, went or changed
  kVolume,     // a claim, a volume, a storage class, what a node can attach
  kQuota,
  kBudget,
  kPriority,
  kNamespace,
  kTotal,  // less is used and asked for in the whole cluster, or there is more of it
};
inline constexpr int kHappenings = 11;

// A set of them; a value.
class Happenings {
 public:
  constexpr Happenings() = default;
  constexpr Happenings(std::initializer_list<Happening> list) {
    for (const Happening one : list) bits_ |= 1u << static_cast<int>(one);
  }
  static constexpr Happenings All() {
    Happenings all;
    all.bits_ = (1u << kHappenings) - 1;
    return all;
  }
  constexpr bool Has(Happening one) const { return (bits_ >> static_cast<int>(one) & 1u) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool Meets(Happenings other) const { return (bits_ & other.bits_) != 0; }
  constexpr Happenings& operator|=(Happenings other) {
    bits_ |= other.bits_;
    return *this;
  }
  constexpr bool operator==(const Happenings&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

// What a job waits for that failed: any of these may help it, and nothing else does.
struct Waits {
  Happenings kinds;
  // Room on a node, of which there is more than before and at least `least`.
  bool room = false;
  Amounts least;
  // With `room`: it may be enough that pods that were leaving a node are gone (their ports, ...).
  bool leaving = false;
  // Room in this queue, or another limit of it; none: it does not wait for a queue.
  QueueId queue;
  // Time alone may help it then.
  std::optional<Time> until;

  static Waits ForAnything() { return For(Happenings::All()); }
  static Waits For(Happenings kinds) {
    Waits waits;
    waits.kinds = kinds;
    return waits;
  }
  // Both: whatever helps the one or the other.
  void Add(const Waits& other);
};

// Jobs that wait, in buckets of jobs that are alike: what refuses one of them refuses all. A look
// at a bucket takes its first job; when that job fails, so would the others. A bucket sleeps until
// something happens that it waits for. Waking costs what the event may help: kinds of events have
// lists of buckets, and room on a node is looked up by the least that is asked for.
//
// Owned by the Cluster, which says which job is in which bucket (cluster_parking.cc). On the
// Cluster's thread.
class Parking {
 public:
  using BucketId = std::uint64_t;  // never given twice
  static constexpr BucketId kNone = 0;

  // A job's place in its bucket: the order in which alike jobs are served.
  struct Place {
    Time created{};
    std::uint64_t arrival = 0;
    JobId job;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Bucket {
    std::string key;
    Waits waits;
    bool asleep = false;
    // Woken because it was time to look at everything, not because of an event.
    bool checked = false;
    std::set<Place> members;
    // The reason that the last one gave, whether others may give another, and when some were told.
    std::string said;
    bool others_may_differ = false;
    std::optional<Time> told;
  };

  // The job joins the bucket of that key, which sleeps from now on. The first one of a bucket that
  // was awake says what all wait for; others add to it.
  BucketId Put(std::string_view key, const Place& place, const Waits& waits);
  // One that was just put there gives this reason. true: others of the bucket may give another, and
  // may be told: a reason that comes and goes must not be written for all of them each time.
  bool ShouldTellOthers(BucketId bucket, std::string_view said, Time now);
  void NoteTold(BucketId bucket, std::size_t others, bool all, Time now);
  void Take(BucketId bucket, const Place& place);

  void WakeFor(Happenings happened);
  // A node has so much room, now or once the pods that leave it are gone, and more than before;
  // `more_in_future` is false where only pods that were leaving are gone.
  void WakeForRoom(const Amounts& room, bool more_in_future);
  void WakeForQueue(QueueId queue);
  // The buckets whose time has come.
  void WakeDue(Time now);
  void WakeAll(bool as_check);
  // Awake buckets count as woken by an event from now on, not by a check.
  void EndChecks();
  // The buckets that wait for this, where they are at most `most`.
  void WakeForIfFew(Happening kind, std::size_t most);
  // Whether what happened, or the room, would wake the bucket.
  static bool Wakes(const Waits& waits, Happenings happened) { return waits.kinds.Meets(happened); }
  static bool Wakes(const Waits& waits, const Amounts& room) {
    return waits.room && waits.least.LessEqual(room, Undefined::kZero);
  }

  const Bucket& bucket(BucketId id) const { return *buckets_.at(id); }
  bool exists(BucketId id) const { return buckets_.contains(id); }
  // The buckets that are awake and have a job; awake buckets without a job are dropped.
  const std::vector<BucketId>& Awake();
  // The awake buckets that waited for this.
  std::vector<BucketId> AwakeThatWaitedFor(Happening kind) const;
  // The buckets that were woken since this, or Awake, was last called.
  std::vector<BucketId> TakeWoken();

  // When the time of the next sleeping bucket comes.
  std::optional<Time> next_due() const {
    return by_time_.empty() ? std::nullopt : std::optional(by_time_.begin()->first);
  }
  // A job is awake that the next cycle is to look at.
  bool anybody_awake() const;
  bool anybody_waits_for_room() const { return !by_least_.empty(); }
  bool anybody_waits_for(QueueId queue) const { return by_queue_.contains(queue); }
  std::vector<QueueId> queues() const;
  std::size_t buckets() const { return buckets_.size(); }
  std::size_t jobs() const { return jobs_; }
  template <class Fn>
  void ForEachJob(Fn fn) const {
    for (const auto& [id, bucket] : buckets_) {
      for (const Place& place : bucket->members) fn(place.job);
    }
  }

 private:
  using Set = boost::unordered_flat_set<BucketId>;

  bool IsAwake(BucketId id) const;
  void Wake(BucketId id, bool as_check = false);
  void Enlist(BucketId id, const Bucket& bucket, bool in);

  boost::unordered_flat_map<BucketId, std::unique_ptr<Bucket>> buckets_;
  boost::unordered_flat_map<std::string, BucketId> by_key_;
  BucketId last_id_ = kNone;
  std::vector<BucketId> awake_;  // and some that are not any more; see Awake
  std::vector<BucketId> woken_;  // lately; see TakeWoken
  std::size_t jobs_ = 0;
  // Of the buckets that sleep.
  std::array<Set, kHappenings> by_kind_;
  Set for_anything_;
  std::set<std::pair<double, BucketId>> by_least_;  // by the CPUs of what they ask for
  boost::unordered_flat_map<QueueId, Set> by_queue_;
  std::set<std::pair<Time, BucketId>> by_time_;
};

}  // namespace basalt::model
