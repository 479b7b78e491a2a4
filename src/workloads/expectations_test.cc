#include "workloads/expectations.h"

#include <gtest/gtest.h>

namespace basalt::workloads {
namespace {

TEST(ExpectationsTest, AreMetOnceEverythingIsSeen) {
  Expectations expectations;
  EXPECT_TRUE(expectations.Met("a", 0s));
  expectations.Creating("a", "x", 0s);
  expectations.Deleting("a", "x", 0s);
  EXPECT_TRUE(expectations.Met("b", 0s));
  EXPECT_TRUE(expectations.IsCreating("a", "x"));
  expectations.Created("a", "x");
  expectations.Created("a", "unrelated");
  EXPECT_FALSE(expectations.IsCreating("a", "x"));
  EXPECT_FALSE(expectations.Met("a", 1s));
  EXPECT_EQ(expectations.LapsesIn("a", 1s), 59s);
  expectations.Deleted("a", "x");
  EXPECT_TRUE(expectations.Met("a", 1s));
}

TEST(ExpectationsTest, LapseWhenTheyAreNeverMet) {
  Expectations expectations(30s);
  expectations.Creating("a", "x", 0s);
  expectations.Creating("a", "y", 10s);
  EXPECT_FALSE(expectations.Met("a", 35s));
  EXPECT_TRUE(expectations.Met("a", 40s));
}

}  // namespace
}  // namespace basalt::workloads
