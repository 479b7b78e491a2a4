#include "testing/sim_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace basalt::testutil {
namespace {

using testing::ElementsAre;

TEST(SimLoopTest, RunsByTimeAndThenInTheOrderOfAsking) {
  SimLoop loop;
  std::vector<std::string> ran;
  const auto note = [&](std::string name) { return [&ran, name] { ran.push_back(name); }; };
  loop.Schedule(2s, note("late"));
  loop.Schedule(0s, note("timer now"));
  loop.Post(note("posted"));
  loop.Schedule(1s, note("first of two"));
  loop.Schedule(1s, note("second of two"));
  loop.Schedule(0s, note("second timer now"));
  loop.RunFor(1min);
  EXPECT_THAT(ran, ElementsAre("timer now", "posted", "second timer now", "first of two",
                               "second of two", "late"));
  EXPECT_EQ(loop.elapsed(), 1min);
}

TEST(SimLoopTest, StartsAtAFixedDateAndJumpsToTheNextTimer) {
  SimLoop loop;
  EXPECT_EQ(loop.Now(), Time(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)));
  Time seen;
  loop.Schedule(90min, [&] { seen = loop.Now(); });
  EXPECT_TRUE(loop.Step());
  EXPECT_EQ(seen, SimLoop::kStart + 90min);
  EXPECT_FALSE(loop.Step());
}

TEST(SimLoopTest, CancelledTimersDoNotRun) {
  SimLoop loop;
  int ran = 0;
  const TimerId id = loop.Schedule(1s, [&] { ++ran; });
  loop.Cancel(id);
  loop.Cancel(id);
  loop.Cancel(12345);
  TimerId second = 0;
  loop.Schedule(1s, [&] { loop.Cancel(second); });
  second = loop.Schedule(1s, [&] { ++ran; });
  loop.RunFor(1min);
  EXPECT_EQ(ran, 0);
  EXPECT_TRUE(loop.empty());
}

TEST(SimLoopTest, RunUntilIdleLeavesTheClockAndTheFutureAlone) {
  SimLoop loop;
  int ran = 0;
  loop.Post([&] { loop.Post([&] { ++ran; }); });
  loop.Schedule(1ns, [&] { ran += 100; });
  loop.RunUntilIdle();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(loop.elapsed(), 0s);
}

TEST(SimLoopTest, RunUntilStopsAtTheConditionOrAtTheLimit) {
  SimLoop loop;
  int count = 0;
  Timer tick(loop);
  std::function<void()> again = [&] {
    ++count;
    tick.Start(1s, [&] { again(); });
  };
  again();
  EXPECT_TRUE(loop.RunUntil([&] { return count == 5; }, 1h));
  EXPECT_EQ(loop.elapsed(), 4s);
  EXPECT_FALSE(loop.RunUntil([&] { return count < 0; }, 10s));
  EXPECT_EQ(loop.elapsed(), 14s);
  EXPECT_EQ(count, 15);
}

TEST(SimLoopTest, ATaskMayOwnATimerOfTheLoopThatGoesFirst) {
  struct Owner {
    explicit Owner(Loop& loop) : timer(loop) {
      timer.Start(1h, [] {});
    }
    Timer timer;
  };
  SimLoop loop;
  loop.Schedule(1h, [owner = std::make_unique<Owner>(loop)] {});
  loop.Post([owner = std::make_unique<Owner>(loop)] {});
}

TEST(SimLoopTest, AnHourOfAThousandPeriodicTimersIsQuick) {
  SimLoop loop;
  std::uint64_t ticks = 0;
  std::vector<std::unique_ptr<Timer>> timers;
  std::function<void(Timer&)> tick = [&](Timer& timer) {
    ++ticks;
    timer.Start(10s, [&] { tick(timer); });
  };
  for (int i = 0; i < 1000; ++i) tick(*timers.emplace_back(std::make_unique<Timer>(loop)));
  const auto begin = std::chrono::steady_clock::now();
  loop.RunFor(1h);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);  // 0.1 s without a sanitizer
  EXPECT_EQ(ticks, 361'000u);
}

}  // namespace
}  // namespace basalt::testutil
