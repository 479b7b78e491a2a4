#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/signer.h"
#include "model/cluster.h"

namespace basalt::scheduler {

// One pod was evicted for another.
struct EvictionRecord {
  std::string victim_uid;
  std::string victim;         // "ns/name"
  std::string victim_origin;  // see EvictionMemory
  std::string beneficiary_uid;
  std::string beneficiary;
  Time at{};

  bool operator==(const EvictionRecord&) const = default;
};

// More steps than this are as good as none, and a pod must not grow without end.
inline constexpr std::size_t kMostCarriedEvictions = 32;
// What so many records with the longest names need, and their seal.
inline constexpr std::size_t kLongestEvictions = 64 * 1024;

// As the beneficiary carries them in an annotation (model::annotations::kEvictions), to the second.
// It is sealed there (base/signer.h).
std::string WriteEvictions(const std::vector<EvictionRecord>& records);
// What is no such text, or a part of it that is not, is left out, and so are all records after the
// first kMostCarriedEvictions.
std::vector<EvictionRecord> ReadEvictions(std::string_view text);

// Which pod was evicted for which, from cycle to cycle, so that evictions come to an end:
//  - no pod is evicted twice for the same beneficiary, and neither is a pod that was made anew
//    under its name: a beneficiary that got nothing the first time gains no more by a second. A
//    beneficiary that was made anew is another one;
//  - no pod is evicted for the pods that gave it its place: when A left for B, and B now had to
//    leave for A's replacement, policies contradict each other and would go on for ever. The chain
//    is followed through any number of steps. Pods are made anew under other names, so the pod that
//    would gain is known by its origin: its controller or group, its role, its priority and its
//    job's, its queue;
//  - a pod whose eviction was refused (a disruption budget) is left alone for a while.
//
// The pod that gains carries this too, in an annotation that is written with its nomination, before
// any pod leaves: the evictions for it, and the evictions for the pods that left for it. From these
// a restarted scheduler, or one that takes over, knows what happened before. Tenants may write
// annotations of their pods: what is not sealed with our key for the pod that carries it is passed
// over.
//
// Owned by the Scheduler; outlives sessions. Bounded in size and time. Scheduling thread only.
class EvictionMemory {
 public:
  struct Options {
    Duration remember = 1h;
    std::size_t most = 65536;      // evictions; the oldest are forgotten first
    Duration after_refusal = 10s;  // no second attempt before
    // Outlives it. nullptr: pods carry nothing, and what they carry is not believed.
    const Signer* signer = nullptr;
  };
  enum class Ruling : std::uint8_t { kMay, kRefusedLately, kTwice, kCycle };

  EvictionMemory() = default;
  explicit EvictionMemory(Options options) : options_(options) {}

  Ruling Judge(const model::Cluster& cluster, const model::Task& victim,
               const model::Task& beneficiary, Time now) const;
  // The victim leaves for the beneficiary.
  void Record(const model::Cluster& cluster, const model::Task& victim,
              const model::Task& beneficiary, Time now);
  // The API server did not evict the pod, or was not asked to.
  void Refused(std::string_view victim_uid, Time now);
  // The victim was spared because of that ruling. false: this was noted before, for these two.
  bool NoteSpared(Ruling ruling, const model::Task& victim, const model::Task& beneficiary);
  void Forget(Time now);
  // Queues or priorities are others from now on: earlier evictions contradict nothing that they
  // say. (Of what pods carry it is not known when they were changed: it counts again after a
  // restart, for as long as it is remembered.)
  void PolicyChanged() { policy_since_ = first_ + log_.size(); }

  // What another thread needs to judge as this one does. Records never change, and are shared: to
  // take it costs a pointer for each. What was told already (NoteSpared) is not in it, and not the
  // signer, which is of one thread.
  struct Image {
    std::vector<std::shared_ptr<const EvictionRecord>> log;  // nullptr: it was taken back
    std::uint64_t first = 0;
    std::uint64_t policy_since = 0;
    boost::unordered_flat_map<std::string, Time> refused;
    std::uint64_t cycles_broken = 0;
  };
  Image TakeImage() const;
  void Adopt(const Image& image);

  // What the pod of that uid is to carry, sealed; "": no pod left for it.
  std::string AnnotationOf(const std::string& uid) const;
  // Adds what pods carry. Pods that are still there, and stay, were not evicted after all.
  void Restore(const model::Cluster& cluster, Time now);

  std::uint64_t cycles_broken() const { return cycles_broken_; }
  std::size_t size() const { return log_.size(); }

 private:
  using Eviction = EvictionRecord;

  static std::string OriginOf(const model::Cluster& cluster, const model::Task& task);
  template <class Visit>
  void VisitEvictionsFor(std::string_view uid, std::uint64_t from, Visit visit) const;
  bool GainedFrom(std::string_view uid, const std::string& origin) const;
  void Add(std::shared_ptr<const Eviction> eviction);
  void Clear();
  void Erase(std::uint64_t number);

  Options options_;
  // Numbered from first_ on. nullptr: it was taken back.
  std::deque<std::shared_ptr<const Eviction>> log_;
  std::uint64_t first_ = 0;
  std::uint64_t policy_since_ = 0;  // evictions from that number on were made by today's policy
  // Numbers of evictions by the beneficiary's uid, by the victim's uid and by the victim's name.
  using Index = boost::unordered_flat_map<std::string, std::vector<std::uint64_t>>;
  Index by_beneficiary_, by_victim_, by_victim_name_;
  boost::unordered_flat_map<std::string, Time> refused_;  // by the victim's uid
  boost::unordered_flat_set<std::string> spared_;         // "victim uid for beneficiary uid"
  std::uint64_t cycles_broken_ = 0;
};

// "ns/a is not evicted for this pod: ...", for kTwice and kCycle.
std::string WhySpared(const model::Task& victim, EvictionMemory::Ruling why);

}  // namespace basalt::scheduler
