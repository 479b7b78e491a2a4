// deps: basalt_testing_scheduling basalt_descheduler_service
// A descheduler or a scheduler that dies at each of its writes, before the write leaves or after
// it, and an API server that goes away, while pods are moved. Whatever happens: nobody is evicted
// without a place that is held, nothing is left, no pod is lost.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>

#include "base/random.h"
#include "testing/seeds.h"
#include "tests/descheduler/descheduler_cluster.h"

namespace basalt::systemtest {
namespace {

namespace resources = kube::resources;
using testutil::Death;
using testutil::ForEachSeed;

struct Writes {
  std::uint64_t descheduler = 0, scheduler = 0;
  int deaths = 0, evictions = 0;
};

testutil::FaultPlan AFewLostAnswers(std::uint64_t seed) {
  Random random(seed * 7919);
  testutil::FaultPlan faults;
  faults.most_latency = std::chrono::milliseconds(random.Below(20));
  faults.lose_response = random.Chance(0.3) ? 0.05 : 0;
  return faults;
}

// Slow, and wrong now and then, in every way.
testutil::FaultPlan ABadServer(std::uint64_t seed) {
  Random random(seed * 104729);
  testutil::FaultPlan faults;
  faults.most_latency = std::chrono::milliseconds(100 + random.Below(1500));
  for (double* chance : {&faults.refuse, &faults.lose_response, &faults.too_many_requests,
                         &faults.internal_error, &faults.unavailable}) {
    *chance = random.Uniform() * 0.1;
  }
  faults.cut_watch = random.Uniform() * 0.05;
  return faults;
}

Writes RunWork(std::uint64_t seed, std::optional<Death> descheduler_death,
               std::optional<Death> scheduler_death, Duration outage = 0s,
               bool bad_server = false) {
  Random random(seed * 7907);
  DeschedulerCluster::Options options;
  options.seed = seed;
  options.faults = bad_server ? ABadServer(seed) : AFewLostAnswers(seed);
  options.descheduler_death = descheduler_death;
  options.scheduler_death = scheduler_death;
  DeschedulerCluster c(options);
  for (const char* node : {"n1", "n2", "n3", "n4"}) c.AddNode(node, "10");
  c.AddPods("base", "4", {"n3", "n4"});
  c.AddPods("web", "1", {"n1", "n1", "n2"});
  c.AddPods("api", "1", {"n1", "n2"});
  c.AddBudget("web", 2);
  c.watch().Guard("web", 2);
  c.Start();
  for (int i = 0; i < 120 && !c.service().leads(); ++i) c.Run(1s);
  c.Begin();
  if (outage > 0s) {
    c.Run(std::chrono::milliseconds(random.Below(8000)));
    c.cluster().network().Restart(outage);
  }
  c.Run(bad_server ? 3min : 1min);
  c.cluster().network().set_plan({});
  Writes writes{c.descheduler_writes(), c.scheduler_writes(), c.deaths(), 0};
  // migrateTimeout and ten seconds after the restart nothing is left.
  c.Run(60s);
  writes.evictions = c.watch().evictions();
  EXPECT_EQ(c.Leftovers(), "");
  EXPECT_EQ(c.watch().violations(), "");
  EXPECT_EQ(c.Running("web"), 3);
  EXPECT_EQ(c.Running("api"), 2);
  EXPECT_EQ(c.Running("base"), 2);
  return writes;
}

TEST(DeschedulerKillTest, AtEachWriteOfTheDeschedulerNothingIsLostOrLeft) {
  const Writes calm = RunWork(1, {}, {});
  ASSERT_GT(calm.descheduler, 10u);
  ASSERT_FALSE(testing::Test::HasFailure());
  int deaths = 0;
  ForEachSeed(160, [&](std::uint64_t seed) {
    const Death death{.write = 1 + (seed / 2) % (calm.descheduler + 3), .after = seed % 2 == 0};
    deaths += RunWork(seed, death, {}).deaths;
  });
  std::cout << fmt::format("{} writes, {} deaths of a descheduler\n", calm.descheduler, deaths);
}

TEST(DeschedulerKillTest, AtEachWriteOfTheSchedulerNothingIsLostOrLeft) {
  const Writes calm = RunWork(1, {}, {});
  int deaths = 0;
  ForEachSeed(100, [&](std::uint64_t seed) {
    const Death death{.write = 1 + (seed / 2) % (calm.scheduler + 3), .after = seed % 2 == 0};
    deaths += RunWork(seed, {}, death).deaths;
  });
  std::cout << fmt::format("{} writes, {} deaths of a scheduler\n", calm.scheduler, deaths);
}

TEST(DeschedulerKillTest, AnApiServerThatGoesAwayAtAnyTimeLeavesNothing) {
  ForEachSeed(40, [&](std::uint64_t seed) {
    Random random(seed);
    RunWork(seed, {}, {}, std::chrono::milliseconds(500 + random.Below(10000)));
  });
}

TEST(DeschedulerKillTest, AnApiServerThatAnswersSlowlyAndWronglyLeavesNothing) {
  int evictions = 0;
  ForEachSeed(60,
              [&](std::uint64_t seed) { evictions += RunWork(seed, {}, {}, 0s, true).evictions; });
  std::cout << fmt::format("{} evictions\n", evictions);
}

}  // namespace
}  // namespace basalt::systemtest
