#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace basalt::workloads {

// What a controller has asked for and its watch has not shown yet. Until it has, the controller's
// view of its pods is not to be trusted for counting: acting on it would make or delete too many.
// Creations are known by name (the controller chooses it), deletions by uid. An expectation that is
// never met (the object came and went while the watch was down) lapses. Owned by a PodPool; loop
// thread only.
class Expectations {
 public:
  explicit Expectations(Duration lapse = 60s) : lapse_(lapse) {}

  void Creating(const std::string& owner, std::string_view name, Duration now) {
    Add(owner, "+", name, now);
  }
  void Deleting(const std::string& owner, std::string_view uid, Duration now) {
    Add(owner, "-", uid, now);
  }
  // Seen by the watch, or known to have failed.
  void Created(const std::string& owner, std::string_view name) { Remove(owner, "+", name); }
  void Deleted(const std::string& owner, std::string_view uid) { Remove(owner, "-", uid); }
  void Forget(const std::string& owner) { owners_.erase(owner); }

  // That creation was asked for and has not been seen.
  bool IsCreating(const std::string& owner, std::string_view name) const;
  // Nothing is outstanding. `now` is Clock::Monotonic, here and above.
  bool Met(const std::string& owner, Duration now);
  // When what is outstanding lapses at the latest; only where not Met.
  Duration LapsesIn(const std::string& owner, Duration now) const;

 private:
  using Outstanding = boost::unordered_flat_map<std::string, Duration>;  // until when

  void Add(const std::string& owner, std::string_view sign, std::string_view what, Duration now);
  void Remove(const std::string& owner, std::string_view sign, std::string_view what);

  Duration lapse_;
  boost::unordered_flat_map<std::string, Outstanding> owners_;
};

}  // namespace basalt::workloads
