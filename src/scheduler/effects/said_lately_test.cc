#include "scheduler/effects/said_lately.h"

#include <gtest/gtest.h>

#include "testing/sim_loop.h"

namespace basalt::scheduler {
namespace {

TEST(SaidLatelyTest, NewsAreSaidAtOnceAndFiguresNowAndThen) {
  testutil::SimLoop loop;
  SaidLately said(loop, 60s, 10s);
  EXPECT_TRUE(said.MaySay("a", "Unschedulable", "0/3 nodes"));
  EXPECT_FALSE(said.MaySay("a", "Unschedulable", "0/3 nodes"));
  EXPECT_FALSE(said.MaySay("a", "Unschedulable", "0/4 nodes"));
  EXPECT_TRUE(said.MaySay("a", "Scheduled", ""));
  EXPECT_TRUE(said.MaySay("b", "Unschedulable", "0/3 nodes"));
  loop.RunFor(11s);
  EXPECT_TRUE(said.MaySay("b", "Unschedulable", "0/4 nodes"));
  EXPECT_FALSE(said.MaySay("b", "Unschedulable", "0/4 nodes"));
  loop.RunFor(61s);
  EXPECT_TRUE(said.MaySay("b", "Unschedulable", "0/4 nodes")) << "it may have got lost";
  said.Forget("b");
  EXPECT_TRUE(said.MaySay("b", "Unschedulable", "0/4 nodes"));
}

TEST(SaidLatelyTest, WhatIsLongPastIsForgotten) {
  testutil::SimLoop loop;
  SaidLately said(loop, 60s, 10s);
  for (int i = 0; i < 1000; ++i) said.MaySay(std::to_string(i), "", "");
  loop.RunFor(61s);
  for (int i = 1000; i < 2000; ++i) said.MaySay(std::to_string(i), "", "");
  EXPECT_LE(said.size(), 1024u);
}

}  // namespace
}  // namespace basalt::scheduler
