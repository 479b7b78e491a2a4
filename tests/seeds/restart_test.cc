// deps: basalt_testing_scheduling basalt_testing_settling
// Schedulers that die in the middle of anything, on virtual time. Pods run for a while and end: all
// of them fit one after the other, so in the end all have run, whatever happened.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testing/scheduling/chaos.h"
#include "testing/seeds.h"
#include "testing/settling/random_set.h"
#include "tests/seeds/work.h"

namespace basalt::testutil {
namespace {

void RunChaos(ChaosOptions options) {
  ChaosCluster chaos(std::move(options));
  AddWork(chaos);
  chaos.loop().RunFor(20s);
  chaos.Calm();
  EXPECT_TRUE(chaos.RunUntilDone(5min)) << chaos.Unfinished();
  // Timers of lost answers and leases, and a round of the drift comparer.
  chaos.loop().RunFor(6min);
  EXPECT_EQ(chaos.CheckSettled(), "");
}

ChaosOptions Randomly(std::uint64_t seed) {
  Random random(seed * 31337);
  ChaosOptions options{
      .seed = seed,
      .config = random.Chance(0.5) ? std::string(scheduler::DefaultConfigYaml())
                                   : EvictingConfig(random.Chance(0.5) ? "capacity" : "proportion"),
      .schedulers = random.Chance(0.4) ? 2 : 1};
  options.faults = RandomFaults(random);
  if (random.Chance(0.5)) {
    options.mean_life = std::chrono::seconds(1 + random.Below(8));
  } else {
    options.most_writes_of_a_life = 1 + random.Below(40);
  }
  return options;
}

TEST(RestartTest, InTheMiddleOfAnythingNothingIsLostOrDoubled) {
  ForEachSeed(500, [](std::uint64_t seed) { RunChaos(Randomly(seed)); });
}

// The scheduler dies with its first write, its second and so on, before or after it has gone out,
// while gangs push each other out and wait for promised room.
TEST(RestartTest, AtEachWriteNoPromiseIsLostOrLeftBehind) {
  ForEachSeed(500, [](std::uint64_t seed) {
    Random random(seed * 7);
    ChaosOptions options{.seed = seed / 2 + 1,
                         .config = EvictingConfig(seed % 3 == 0 ? "proportion" : "capacity"),
                         .first_death = Death{.write = 1 + seed % 100, .after = seed % 2 == 0}};
    options.faults.most_latency = std::chrono::milliseconds(random.Below(20));
    options.faults.lose_response = random.Chance(0.5) ? 0.05 : 0;
    ChaosCluster chaos(std::move(options));
    AddEndlessWork(chaos);
    chaos.loop().RunFor(20s);
    chaos.Calm();
    chaos.loop().RunFor(1min);
    EXPECT_EQ(chaos.CheckSettled(), "") << "after " << chaos.deaths() << " deaths";
    chaos.RestartAll();
    chaos.loop().RunFor(30s);
    EXPECT_EQ(chaos.CheckSettled(), "") << "after one more restart";
  });
}

}  // namespace
}  // namespace basalt::testutil
