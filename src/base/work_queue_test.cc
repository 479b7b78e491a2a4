#include "base/work_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/sim_loop.h"

namespace basalt {
namespace {

using testing::ElementsAre;

// A queue whose worker notes each key and keeps its `done` until the test calls it.
struct Fixture {
  explicit Fixture(WorkQueue::Options options = {})
      : queue(loop, options, [this](const std::string& key, WorkQueue::Done done) {
          started.push_back(key);
          running.push_back(std::move(done));
        }) {}

  void FinishOldest(bool ok) {
    WorkQueue::Done done = std::move(running.front());
    running.erase(running.begin());
    done(ok);
    loop.RunUntilIdle();
  }

  testutil::SimLoop loop;
  std::vector<std::string> started;
  std::vector<WorkQueue::Done> running;
  WorkQueue queue;
};

TEST(WorkQueue, TakesEachKeyOnceInTheOrderOfArrival) {
  Fixture f;
  f.queue.Add("b");
  f.queue.Add("a");
  f.queue.Add("b");
  EXPECT_TRUE(f.started.empty());  // never from within Add
  f.loop.RunUntilIdle();
  EXPECT_THAT(f.started, ElementsAre("b", "a"));
}

TEST(WorkQueue, WorksOnNoMoreThanItMayAtOnce) {
  Fixture f({.parallel = 2});
  for (const char* key : {"a", "b", "c"}) f.queue.Add(key);
  f.loop.RunUntilIdle();
  EXPECT_THAT(f.started, ElementsAre("a", "b"));
  EXPECT_EQ(f.queue.depth(), 1u);
  f.FinishOldest(true);
  EXPECT_THAT(f.started, ElementsAre("a", "b", "c"));
}

TEST(WorkQueue, LooksAgainAtAKeyAddedWhileInWork) {
  Fixture f;
  f.queue.Add("a");
  f.loop.RunUntilIdle();
  f.queue.Add("a");
  f.queue.Add("a");
  f.loop.RunUntilIdle();
  EXPECT_THAT(f.started, ElementsAre("a"));  // not twice at once
  f.FinishOldest(true);
  EXPECT_THAT(f.started, ElementsAre("a", "a"));
  f.FinishOldest(true);
  EXPECT_TRUE(f.queue.idle());
}

TEST(WorkQueue, RetriesAfterABackOffThatGrowsToItsLimit) {
  Fixture f({.first_retry = 100ms, .most_retry = 400ms});
  f.queue.Add("a");
  f.loop.RunUntilIdle();
  Duration shortest[] = {50ms, 100ms, 200ms, 200ms, 200ms};
  for (const Duration least : shortest) {
    const std::size_t before = f.started.size();
    const Duration failed_at = f.loop.elapsed();
    f.FinishOldest(false);
    EXPECT_EQ(f.started.size(), before);
    EXPECT_FALSE(f.queue.idle());
    ASSERT_TRUE(f.loop.RunUntil([&] { return f.started.size() > before; }, 1s));
    EXPECT_GE(f.loop.elapsed() - failed_at, least);
    EXPECT_LE(f.loop.elapsed() - failed_at, 2 * least);
  }
}

TEST(WorkQueue, ForgetsFailuresOnceAKeySucceeds) {
  Fixture f({.first_retry = 100ms});
  f.queue.Add("a");
  f.loop.RunUntilIdle();
  for (int i = 0; i < 6; ++i) {
    f.FinishOldest(false);
    f.loop.RunFor(10s);
  }
  f.FinishOldest(true);
  f.queue.Add("a");
  f.loop.RunUntilIdle();
  f.FinishOldest(false);
  f.loop.RunFor(100ms);
  EXPECT_EQ(f.running.size(), 1u);  // the first step again
}

TEST(WorkQueue, AddsAfterADelay) {
  Fixture f;
  f.queue.AddAfter("a", 5s);
  EXPECT_FALSE(f.queue.idle());
  f.loop.RunFor(5s - 1ns);
  EXPECT_TRUE(f.started.empty());
  f.loop.RunFor(1ns);
  EXPECT_THAT(f.started, ElementsAre("a"));
}

TEST(WorkQueue, MayGoWhileWorkIsUnderWay) {
  testutil::SimLoop loop;
  WorkQueue::Done late;
  {
    WorkQueue queue(loop, {},
                    [&](const std::string&, WorkQueue::Done done) { late = std::move(done); });
    queue.Add("a");
    queue.AddAfter("b", 1s);
    loop.RunUntilIdle();
  }
  late(false);
  loop.RunFor(10s);
  EXPECT_TRUE(loop.empty());
}

}  // namespace
}  // namespace basalt
