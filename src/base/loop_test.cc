#include "base/loop.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "testing/sim_loop.h"

namespace basalt {
namespace {

TEST(Timer, RunsItsTaskOnce) {
  testutil::SimLoop loop;
  Timer timer(loop);
  int runs = 0;
  timer.Start(10s, [&] { ++runs; });
  loop.RunFor(9s);
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(timer.running());
  loop.RunFor(100s);
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(timer.running());
}

TEST(Timer, StartedAgainForgetsWhatItWasToRun) {
  testutil::SimLoop loop;
  Timer timer(loop);
  std::string ran;
  timer.Start(1s, [&] { ran += "first"; });
  timer.Start(2s, [&] { ran += "second"; });
  loop.RunFor(10s);
  EXPECT_EQ(ran, "second");
}

TEST(Timer, RunsNothingOnceStoppedOrGone) {
  testutil::SimLoop loop;
  bool ran = false;
  Timer stopped(loop);
  stopped.Start(1s, [&] { ran = true; });
  stopped.Stop();
  std::optional<Timer> gone(std::in_place, loop);
  gone->Start(1s, [&] { ran = true; });
  gone.reset();
  loop.RunFor(10s);
  EXPECT_FALSE(ran);
}

TEST(Timer, MayBeRestartedOrDestroyedByItsOwnTask) {
  testutil::SimLoop loop;
  int runs = 0;
  std::optional<Timer> timer(std::in_place, loop);
  std::function<void()> again = [&] {
    if (++runs < 3) {
      timer->Start(1s, again);
    } else {
      timer.reset();
    }
  };
  timer->Start(1s, again);
  loop.RunFor(10s);
  EXPECT_EQ(runs, 3);
  EXPECT_FALSE(timer);
}

TEST(Scope, DropsCallbacksOfAnOwnerThatIsGone) {
  int calls = 0;
  std::optional<Scope> scope(std::in_place);
  auto callback = scope->Guard([&](int by) { calls += by; });
  callback(1);
  EXPECT_EQ(calls, 1);
  scope.reset();
  callback(1);
  EXPECT_EQ(calls, 1);
}

TEST(Scope, ResetDropsTheOldCallbacksAndNotTheNew) {
  std::string calls;
  Scope scope;
  auto old = scope.Guard([&] { calls += "old"; });
  scope.Reset();
  auto fresh = scope.Guard([&] { calls += "fresh"; });
  old();
  fresh();
  EXPECT_EQ(calls, "fresh");
}

}  // namespace
}  // namespace basalt
