#pragma once

#include <cstdint>
#include <functional>

namespace basalt::testutil {

// Runs a randomised test for the seeds 1 to `count`, and stops at the first that fails, saying
// which. BASALT_SEED=n in the environment runs that one alone, BASALT_SEEDS=n the seeds 1 to n;
// with BASALT_KEEP_GOING=1 all run, whatever fails. Returns whether sums over all seeds mean
// something: at least `count` ran, and none failed.
bool ForEachSeed(int count, const std::function<void(std::uint64_t seed)>& test);
// Whether BASALT_SEED is set: somebody looks for what went wrong.
bool OneSeedOnly();

}  // namespace basalt::testutil
