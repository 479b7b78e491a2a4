// deps: basalt_testing_scheduling
// A scheduler that dies at each of its writes, before the write leaves or after it, with its answer
// unheard, while reservations are held, taken, deleted and come to their end. Whatever happens,
// everybody gets what is reserved for them, once, and nothing is left behind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>

#include "base/random.h"
#include "testing/seeds.h"
#include "tests/reservations/reservation_cluster.h"

namespace basalt::systemtest {
namespace {

namespace resources = kube::resources;
using testutil::ForEachSeed;
using testutil::TextAt;

testutil::FaultPlan SlowServer(std::uint64_t seed) {
  Random random(seed * 7919);
  testutil::FaultPlan plan;
  plan.most_latency = std::chrono::milliseconds(random.Below(30));
  plan.lose_response = random.Chance(0.3) ? 0.05 : 0;
  return plan;
}

std::string VersionOf(ReservationCluster& c, const char* name) {
  return TextAt(c.cluster().Get(resources::kReservations, "default", name),
                "metadata.resourceVersion");
}

// Returns how many writes the last scheduler sent.
std::uint64_t RunWork(std::uint64_t seed, std::optional<testutil::Death> death) {
  Random random(seed);
  ReservationCluster c("", seed, SlowServer(seed));
  for (const char* node : {"n1", "n2", "n3"}) c.AddNode(node, "2");
  c.Start(death);
  c.Run(1s);
  c.cluster().Create(c.Reservation("taken", 2));
  c.cluster().Create(c.Reservation("ends", 1).Set("spec.ttl", "20s"));
  c.cluster().Create(c.Reservation("deleted", 3));
  c.Run(std::chrono::milliseconds(random.Below(3000)));
  for (const char* pod : {"a", "b"}) {
    c.cluster().Create(c.PodOf("taken", pod).Annotation("volcano.sh/reservation-name", "taken"));
  }
  for (const char* pod : {"x", "y", "z"}) c.cluster().Create(c.Pod(pod));
  c.Run(std::chrono::milliseconds(random.Below(3000)));
  c.Delete("deleted");
  c.Run(10s);
  c.cluster().network().set_plan({});
  c.Run(20s);
  const std::uint64_t writes = c.writes();
  for (const char* pod : {"a", "b", "x", "y", "z"}) EXPECT_NE(c.NodeOf(pod), "") << pod;
  EXPECT_EQ(c.PhaseOf("taken"), "Succeeded");
  EXPECT_EQ(c.PhaseOf("ends"), "Failed");
  EXPECT_EQ(c.Check(), "");
  // And then all is quiet, for the next scheduler too.
  const std::string taken = VersionOf(c, "taken"), ends = VersionOf(c, "ends");
  c.Start();
  c.Run(20s);
  EXPECT_EQ(VersionOf(c, "taken"), taken);
  EXPECT_EQ(VersionOf(c, "ends"), ends);
  EXPECT_EQ(c.Check(), "");
  return writes;
}

TEST(ReservationKillTest, AtEachWriteNothingIsLostDoubledOrLeftBehind) {
  const std::uint64_t writes = RunWork(1, {});
  ASSERT_GT(writes, 10u);
  ASSERT_FALSE(testing::Test::HasFailure());
  ForEachSeed(500, [&](std::uint64_t seed) {
    RunWork(seed, testutil::Death{.write = 1 + (seed / 2) % (writes + 5), .after = seed % 2 == 0});
  });
  std::cout << fmt::format("an undisturbed scheduler makes {} writes\n", writes);
}

}  // namespace
}  // namespace basalt::systemtest
