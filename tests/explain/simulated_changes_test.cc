// deps: basalt_testing_settling basalt_scheduler_simulate
// Each change that an explanation names, made so in a simulation: the pod runs there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "scheduler/simulate/simulation.h"
#include "testing/seeds.h"
#include "tests/explain/waiting_world.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
using scheduler::simulate::Request;

void Check(std::uint64_t seed, int& changes) {
  WaitingWorld world(seed);
  world.Settle();
  scheduler::Scheduler& scheduler = world.cluster().scheduler();
  for (const std::string& key : world.Waiting()) {
    const std::string change = scheduler.MakeExplainer()->Pod("ns", key.substr(3))->change;
    if (change.empty()) continue;
    Request request{.until_quiet = true, .horizon = 75s};
    WaitingWorld again(seed);  // it remembers what was asked of it
    again.Settle();
    ASSERT_EQ(again.Ask(change, key, request), "") << key;
    ++changes;
    const std::uint64_t hash = scheduler.state().cluster().Hash();
    const auto answer =
        scheduler::simulate::Simulate(*scheduler.TakeImage(), request, [] { return true; });
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_EQ(scheduler.state().cluster().Hash(), hash);
    EXPECT_TRUE(RunsIn(*answer, key)) << key << " does not run after: " << change << "\n"
                                      << json::serialize(*answer);
  }
}

TEST(SimulatedChangesTest, WhatAnExplanationNamesMadeSoLetsThePodRun) {
  int changes = 0;
  ForEachSeed(50, [&](std::uint64_t seed) { Check(seed, changes); });
  fmt::print("figures: {} changes made so\n", changes);
}

}  // namespace
}  // namespace basalt::testutil
