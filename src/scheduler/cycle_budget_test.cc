#include "scheduler/cycle_budget.h"

#include <gtest/gtest.h>

namespace basalt::scheduler {
namespace {

class StoppedClock final : public Clock {
 public:
  Time Now() const override { return Time{} + monotonic; }
  Duration Monotonic() const override { return monotonic; }

  Duration monotonic{0};
};

// How long an action that takes `to_begin` looks at jobs of `each`.
Duration WorksFor(Duration to_begin, Duration each, std::size_t actions = 1) {
  StoppedClock clock;
  CycleBudget budget(clock, 500ms, CycleBudget::kNoLimit, actions);
  budget.BeginAction();
  clock.monotonic += to_begin;
  const Duration began = clock.monotonic;
  do {
    clock.monotonic += each;
  } while (budget.Step("ns"));
  return clock.monotonic - began;
}

TEST(CycleBudgetTest, ACycleEndsAfterAFifthOfItsBudget) { EXPECT_EQ(WorksFor(0ms, 1ms), 100ms); }

TEST(CycleBudgetTest, AnActionLeavesThoseThatFollowTheirPart) {
  EXPECT_EQ(WorksFor(0ms, 1ms, 4), 25ms);
}

TEST(CycleBudgetTest, WhoTakesLongToBeginWorksForAsLong) { EXPECT_EQ(WorksFor(200ms, 1ms), 202ms); }

TEST(CycleBudgetTest, NobodyWorksForLongerThanTheBudget) {
  EXPECT_EQ(WorksFor(450ms, 1ms), 50ms);
  EXPECT_EQ(WorksFor(600ms, 1ms), 1ms);
}

TEST(CycleBudgetTest, ATenantHasAQuarterOfASliceBeforeOthersGoFirst) {
  StoppedClock clock;
  CycleBudget budget(clock, 500ms, CycleBudget::kNoLimit, 1);
  budget.BeginAction();
  clock.monotonic += 24ms;
  EXPECT_TRUE(budget.Step("greedy"));
  EXPECT_TRUE(budget.HasShare("greedy"));
  clock.monotonic += 1ms;
  EXPECT_TRUE(budget.Step("greedy"));
  EXPECT_FALSE(budget.HasShare("greedy"));
  EXPECT_TRUE(budget.HasShare("modest"));
}

}  // namespace
}  // namespace basalt::scheduler
