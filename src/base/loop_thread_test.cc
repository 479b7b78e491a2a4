#include "base/loop_thread.h"

#include <gtest/gtest.h>

namespace basalt {
namespace {

TEST(LoopThreadTest, RunsTasksOnItsThreadAndWaitsForThem) {
  LoopThread thread;
  thread.Start();
  std::thread::id ran_on;
  thread.RunThere([&] { ran_on = std::this_thread::get_id(); });
  EXPECT_NE(ran_on, std::this_thread::get_id());
  EXPECT_NE(ran_on, std::thread::id());
}

TEST(LoopThreadTest, RunsTasksAtOnceWhereItDoesNotRun) {
  LoopThread thread;
  int runs = 0;
  thread.RunThere([&] { ++runs; });
  thread.Start();
  thread.Stop();
  thread.RunThere([&] { ++runs; });
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace basalt
