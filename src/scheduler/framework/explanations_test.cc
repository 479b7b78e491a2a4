#include "scheduler/framework/explanations.h"

#include <gtest/gtest.h>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::kTestNow;

TEST(ExplanationsTest, AreKeptForEachQueueUntilThereAreTooMany) {
  testutil::TestCluster given;
  given.Add(testutil::MakePod("p", "", {{"cpu", "1"}}));
  Explanations known;
  const auto question = [&](std::uint32_t queue) {
    return Explanations::Question{.task_class = given.task("p").task_class, .queue = queue};
  };
  const auto keep = [&](std::uint32_t queue) {
    known.Keep(question(queue), {.other = std::to_string(queue)}, kTestNow, std::nullopt);
  };
  for (std::uint32_t queue = 0; queue < 4096; ++queue) keep(queue);
  for (const std::uint32_t queue : {0u, 1u, 4095u}) {
    const FitFailure* found = known.Find(question(queue), kTestNow);
    ASSERT_NE(found, nullptr) << queue;
    EXPECT_EQ(found->other, std::to_string(queue));
  }
  keep(4096);
  EXPECT_EQ(known.Find(question(0), kTestNow), nullptr) << "all are forgotten";
  EXPECT_NE(known.Find(question(4096), kTestNow), nullptr) << "but the last";
}

}  // namespace
}  // namespace basalt::scheduler
