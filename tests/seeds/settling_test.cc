// deps: basalt_testing_settling
// Random sets of queues, priorities and gangs with preempt and reclaim on: each settles, and no
// eviction was in vain.
#include <gtest/gtest.h>

#include "testing/seeds.h"
#include "testing/settling/random_set.h"

namespace basalt::testutil {
namespace {

constexpr std::uint64_t kQuietCycles = 20;

// Runs until there was no eviction in the last 20 cycles, none of which is idle; a set that does
// not get there within a generous time does not settle.
bool Settles(FastCluster& cluster, Duration last_arrival) {
  cluster.loop().RunFor(last_arrival + 9s);
  for (int i = 0; i < 40; ++i) {
    const std::size_t evictions = cluster.evictions().size();
    // A cycle a second while anything waits: 25 of them.
    cluster.loop().RunFor(25s);
    const bool quiet = cluster.evictions().size() == evictions &&
                       (cluster.evictions().empty() ||
                        cluster.cycles() >= cluster.last_eviction_cycle() + kQuietCycles ||
                        cluster.scheduler().state().cluster().active_jobs().empty());
    if (quiet) return true;
  }
  return false;
}

// The scheduler dies one to three times while things still happen.
void Restart(FastCluster& cluster, std::uint64_t seed, Duration last_arrival) {
  Random random(seed * 104729);
  const int times = 1 + static_cast<int>(random.Below(3));
  for (int i = 0; i < times; ++i) {
    const Duration at = Duration(random.Below((last_arrival + 8s).count()));
    cluster.loop().Schedule(at, [&cluster] { cluster.RestartScheduler(); });
  }
}

void RunSet(std::uint64_t seed, const RandomSetOptions& options, bool restart = false) {
  FastClusterOptions made = RandomSetCluster(seed, options);
  // A third of the sets with cycles that end after a few jobs.
  if (seed % 3 == 0) made.scheduler.cycle_steps = 2 + seed % 7;
  FastCluster cluster(std::move(made));
  const Duration last = AddRandomSet(cluster, seed);
  if (options.reservations) AddReservations(cluster, seed);
  if (restart) Restart(cluster, seed, last);
  EXPECT_TRUE(Settles(cluster, last)) << cluster.evictions().size() << " evictions, no end";
  EXPECT_EQ(cluster.CheckSettled(), "") << cluster.trace();
}

TEST(SettlingTest, AGangThatFitsIsBoundWhole) {
  FastCluster cluster({.config = EvictingConfig("capacity")});
  AddRandomSet(cluster, 3);
  cluster.loop().RunFor(1min);
  EXPECT_GT(cluster.binds(), 0u);
  EXPECT_EQ(cluster.violations(), "");
}

// A quarter of the sets with a scheduler that dies in between and is started again.
TEST(SettlingTest, SetsWhoseVictimsAreGoneSettle) {
  ForEachSeed(5000, [](std::uint64_t seed) { RunSet(seed, {}, seed % 4 == 0); });
}

TEST(SettlingTest, SetsWhoseVictimsComeBackSettle) {
  ForEachSeed(5000, [](std::uint64_t seed) { RunSet(seed, {.recreate = true}, seed % 4 == 0); });
}

TEST(SettlingTest, SetsSettleWhereBindsAndEvictionsFailNowAndThen) {
  ForEachSeed(500, [](std::uint64_t seed) {
    RunSet(seed, {.recreate = seed % 2 == 0, .bind_failure = 0.1, .eviction_failure = 0.1});
  });
}

TEST(SettlingTest, SetsWithReservationsAmongThemSettle) {
  ForEachSeed(500, [](std::uint64_t seed) {
    RunSet(seed,
           {.recreate = seed % 2 == 0,
            .bind_failure = seed % 5 == 0 ? 0.1 : 0,
            .eviction_failure = seed % 5 == 0 ? 0.1 : 0,
            .reservations = true},
           seed % 4 == 0);
  });
}

}  // namespace
}  // namespace basalt::testutil
