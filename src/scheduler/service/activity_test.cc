#include "scheduler/service/activity.h"

#include <gtest/gtest.h>

namespace basalt::scheduler {
namespace {

constexpr Time kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

TEST(ActivityTest, TellsOfTheLastCycleAndTheLastThatDecided) {
  Activity activity;
  EXPECT_FALSE(activity.ToJson(kStart).contains("lastCycle"));
  activity.BeganToLead(kStart);
  activity.CycleEnded({.cycle = 7, .binds = 2, .total = 3ms}, kStart + 1s);
  activity.CycleEnded({.cycle = 8, .total = 1ms}, kStart + 2s);
  const boost::json::object said = activity.ToJson(kStart + 3s);
  EXPECT_EQ(said.at("leadsSince"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(said.at("lastCycle").at("number"), 8);
  EXPECT_EQ(said.at("lastCycle").at("milliseconds"), 1.0);
  EXPECT_EQ(said.at("lastDecision").at("binds"), 2);
}

TEST(ActivityTest, EvictionsAreThoseOfTheLastHour) {
  Activity activity;
  activity.Evicted(kStart);
  activity.Evicted(kStart + 10s);
  activity.Evicted(kStart + 30min);
  EXPECT_EQ(activity.ToJson(kStart + 59min).at("evictionsLastHour"), 3);
  EXPECT_EQ(activity.ToJson(kStart + 61min).at("evictionsLastHour"), 1);
  activity.Evicted(kStart + 5h);
  EXPECT_EQ(activity.ToJson(kStart + 5h).at("evictionsLastHour"), 1);
}

}  // namespace
}  // namespace basalt::scheduler
