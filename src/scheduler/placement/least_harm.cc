#include "scheduler/placement/least_harm.h"

#include <algorithm>
#include <limits>

namespace basalt::scheduler {

using model::Task;

std::int64_t PodPriority(const Task& task) { return task.pod->spec.priority.value_or(0); }

Harm HarmOf(const std::vector<const Task*>& victims, Time now) {
  // Every victim counts, also one whose priority is negative.
  constexpr std::int64_t kAboveAll = std::numeric_limits<std::int32_t>::max() + std::int64_t{1};
  std::int64_t sum = 0;
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  Time earliest = now;
  for (const Task* victim : victims) {
    const std::int64_t priority = PodPriority(*victim);
    const Time start = victim->pod->status.start_time.value_or(now);
    sum += priority + kAboveAll;
    if (priority >= highest) earliest = priority > highest ? start : std::min(earliest, start);
    highest = std::max(highest, priority);
  }
  return {PodPriority(*victims.front()), sum, victims.size(), -earliest.time_since_epoch()};
}

}  // namespace basalt::scheduler
