#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/clock.h"

namespace basalt::scheduler {

// How long one cycle may go on, asked between two jobs. A cycle is to end after a slice of the
// budget: a pod that comes while it runs is seen that soon. Where an action takes long to begin,
// because many jobs wait, it goes on for as long as that took, so that at least half of the time
// goes into jobs; the budget is the bound of it. Of n actions the i-th has to end by i/n of either,
// so that each action that follows has a part too; what one does not use is for those after it.
//
// A tenant has a share: once the jobs of one namespace have taken a quarter of the slice, those of
// other namespaces go first. One tenant's slow jobs then delay another tenant's jobs by a cycle at
// most.
//
// The budget is time by the clock. On virtual time, where the clock stands still while a cycle
// runs, it is a number of steps: a step is a job that an action has looked at. Scheduling thread
// only; lives for one cycle.
class CycleBudget {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  static constexpr int kSlices = 5;  // of a budget
  static constexpr int kShares = 4;  // of a slice

  CycleBudget(const Clock& clock, Duration time, std::uint64_t steps, std::size_t actions);

  // The next action begins.
  void BeginAction();
  // The action that runs has looked at one more job, of that namespace. false: its part is used up.
  bool Step(std::string_view ns);
  // The namespace has not used up its share.
  bool HasShare(std::string_view ns) const;

 private:
  struct Used {
    Duration time{0};
    std::uint64_t steps = 0;
  };

  const Clock& clock_;
  const Duration time_;
  const std::uint64_t steps_;
  const std::int64_t actions_;
  const Duration began_;
  Duration looked_;  // at the clock, last
  std::int64_t action_ = 0;
  Duration action_began_{0};
  bool looked_at_one_ = false;  // the action has
  Duration deadline_{0};
  std::uint64_t steps_until_ = kNoLimit;  // the action's part
  std::uint64_t steps_done_ = 0;
  // By the names of jobs, which stay where they are while a cycle runs.
  boost::unordered_flat_map<std::string_view, Used> used_;
};

}  // namespace basalt::scheduler
