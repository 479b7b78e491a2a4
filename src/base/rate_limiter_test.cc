#include "base/rate_limiter.h"

#include <gtest/gtest.h>

#include "base/backoff.h"

namespace basalt {
namespace {

TEST(RateLimiter, LetsABurstThroughAndThenSpacesOut) {
  RateLimiter limiter(10, 3);
  const Duration start = 100s;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limiter.Take(start), 0s);
  EXPECT_EQ(limiter.Take(start), 100ms);
  EXPECT_EQ(limiter.Take(start), 200ms);  // behind the one that waits already
  EXPECT_EQ(limiter.Take(start + 200ms), 100ms);
}

TEST(RateLimiter, SavesUpNoMoreThanABurst) {
  RateLimiter limiter(10, 2);
  EXPECT_TRUE(limiter.TryTake(0s));
  EXPECT_TRUE(limiter.TryTake(3600s));
  EXPECT_TRUE(limiter.TryTake(3600s));
  EXPECT_FALSE(limiter.TryTake(3600s));
  EXPECT_FALSE(limiter.TryTake(3600s + 99ms));
  EXPECT_TRUE(limiter.TryTake(3600s + 101ms));
}

TEST(RateLimiter, WithoutARateNeverWaits) {
  RateLimiter limiter(0, 0);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(limiter.Take(0s), 0s);
  EXPECT_TRUE(limiter.TryTake(0s));
}

TEST(Backoff, DoublesWithJitterUpToItsLimit) {
  Random random(1);
  Backoff backoff(100ms, 500ms);
  for (const Duration step : {100ms, 200ms, 400ms, 500ms, 500ms}) {
    const Duration delay = backoff.Next(random);
    EXPECT_GE(delay, step / 2);
    EXPECT_LE(delay, step);
  }
  backoff.Reset();
  EXPECT_LE(backoff.Next(random), 100ms);
}

TEST(Backoff, IsNotTheSameForEverybody) {
  Random one(1);
  Random other(2);
  EXPECT_NE(Backoff(1s, 1s).Next(one), Backoff(1s, 1s).Next(other));
}

}  // namespace
}  // namespace basalt
