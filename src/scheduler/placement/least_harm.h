#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "model/task.h"

namespace basalt::scheduler {

// How much victims matter, in this order: the highest priority among them, the sum of their
// priorities, how many they are, and since when the first of those with the highest priority runs
// (the younger goes).
using Harm = std::tuple<std::int64_t, std::int64_t, std::size_t, Time::duration>;

// `victims` are not none, the most valuable first.
Harm HarmOf(const std::vector<const model::Task*>& victims, Time now);

std::int64_t PodPriority(const model::Task& task);

}  // namespace basalt::scheduler
