#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kube/types/pod.h"

namespace basalt::scheduler {

// What became of a pod, seen from the scheduler that only looks on.
enum class ShadowClass : std::uint8_t {
  kAgreed,     // the other placed it on the same node at about the same time
  kEarlier,    // on the same node, but it would have been there earlier
  kLater,      // the other placed it before this one would have
  kElsewhere,  // the other placed it on another node
  kOnlyOurs,   // it went without ever having a node; this one would have placed it
};
inline constexpr std::string_view kShadowClassNames[] = {"agreed", "earlier", "later", "elsewhere",
                                                         "only_ours"};
inline constexpr int kShadowClasses = std::size(kShadowClassNames);

// Whose eviction it was.
enum class ShadowEviction : std::uint8_t { kBoth, kOnlyTheirs, kOnlyOurs };
inline constexpr std::string_view kShadowEvictionNames[] = {"both", "only_theirs", "only_ours"};
inline constexpr int kShadowEvictions = std::size(kShadowEvictionNames);

struct ShadowDifference {
  Time at;
  std::string pod;      // "namespace/name"
  std::string what;     // the name of a class, or "evicted …"
  std::string ours;     // a node; "": none
  std::string theirs;   // a node; "": none
  Duration earlier{0};  // than the other's decision; of evictions 0
};

struct ShadowOptions {
  // Decisions that are not further apart are at the same time: the other looks once in a period.
  Duration tolerance = 2s;
  // A decision that the other has not made by then is taken back: the state follows what is true.
  Duration patience = 3s;
  // The newest differences that are kept.
  std::size_t most_differences = 1000;
};

// Compares what this scheduler decides with what another does with the same pods. Each pod counts
// once, when its fate is known. Pure: time and facts come from outside. Owned by the Shadow, on its
// loop.
class ShadowLedger {
 public:
  explicit ShadowLedger(ShadowOptions options = {}) : options_(options) {}

  // This one would place it there, at once or when others have left, or would evict it.
  void WouldBind(Time now, const kube::Pod& pod, const std::string& node);
  void WouldEvict(Time now, const kube::Pod& pod);
  // It lost its gate or a promise: taken back in the end, and no class of its own.
  void Touched(Time now, const kube::Pod& pod) { Note(now, pod); }
  // What is true of a pod has changed; nullptr: it was, or is, not there. Returns what it shows.
  std::optional<ShadowDifference> Saw(Time now, const kube::Pod* before, const kube::Pod* after);
  // Pods ("namespace/name") of which a decision has not come true for too long.
  std::vector<std::string> TakeBack(Time now);

  std::uint64_t count(ShadowClass which) const { return counts_[static_cast<int>(which)]; }
  std::uint64_t count(ShadowEviction which) const { return evictions_[static_cast<int>(which)]; }
  // Pods that this one would have placed and that the other has not yet.
  std::size_t ahead() const;
  // Evictions that this one would have made of pods whose fate is not known yet.
  std::size_t evictions_ahead() const;
  const std::deque<ShadowDifference>& differences() const { return differences_; }

 private:
  struct Decision {
    std::string key;
    std::string node;                // "": none
    std::optional<Time> bind_at;     // when it would have been placed first
    std::optional<Time> evict_at;    // when it would have been evicted first
    bool evict_counted = false;      // as ours alone, which it is until the other evicts it, too
    bool evicted = false;            // by the other: its fate is known, and it has not gone yet
    std::optional<Time> taken_from;  // since when the state holds something that is not true
  };

  Decision& Note(Time now, const kube::Pod& pod);
  ShadowDifference Count(ShadowClass which, Time now, const Decision* ours, const kube::Pod& pod);
  ShadowDifference Count(ShadowEviction which, Time now, const std::string& key);
  std::optional<ShadowDifference> EvictedByTheOther(Time now, const Decision* ours,
                                                    const std::string& key);
  void Remember(const ShadowDifference& difference);

  ShadowOptions options_;
  std::map<std::string, Decision> decisions_;  // by uid
  std::uint64_t counts_[kShadowClasses] = {};
  std::uint64_t evictions_[kShadowEvictions] = {};
  std::deque<ShadowDifference> differences_;
};

// The report: counts and the newest differences, for `basalt shadow report`.
boost::json::value ShadowReport(const ShadowLedger& ledger, Time since, Time now);

}  // namespace basalt::scheduler
