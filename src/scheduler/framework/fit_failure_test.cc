#include "scheduler/framework/fit_failure.h"

#include <gtest/gtest.h>

namespace basalt::scheduler {
namespace {

TEST(FitFailureTest, NeitherNumbersOfNodesNorNewNodesMakeAnotherReason) {
  const struct {
    const char* said;
    const char* now;
    bool holds;
  } kCases[] = {
      {"0/5 nodes are available: 5 Insufficient cpu.",
       "0/6 nodes are available: 6 Insufficient cpu.", true},
      {"0/12 nodes are available: 10 Insufficient cpu, 2 Too many pods.",
       "0/12 nodes are available: 3 Insufficient cpu, 9 Too many pods.", true},
      {"0/5 nodes are available: 5 Insufficient cpu.",
       "0/5 nodes are available: 5 Insufficient memory.", false},
      {"0/5 nodes are available: 5 Insufficient cpu.",
       "0/5 nodes are available: 4 Insufficient cpu, 1 Too many pods.", false},
      // A node has come that has a reason of its own, or takes one away.
      {"0/9 nodes are available: 9 Insufficient cpu.",
       "0/10 nodes are available: 9 Insufficient cpu, 1 node(s) were unschedulable.", true},
      {"0/9 nodes are available: 8 Insufficient cpu, 1 Too many pods.",
       "0/10 nodes are available: 9 Insufficient cpu, 1 node(s) were unschedulable.", false},
      {"0/10 nodes are available: 10 Insufficient cpu.",
       "0/9 nodes are available: 8 Insufficient cpu, 1 node(s) were unschedulable.", false},
      {"a: 0/5 nodes are available: 5 Insufficient cpu.",
       "b: 0/5 nodes are available: 5 Insufficient cpu.", false},
      {"a: 0/5 nodes are available: 5 Insufficient cpu.",
       "a: 0/7 nodes are available: 7 Insufficient cpu.", true},
      {"x Origin reason is gang-2: queue q has not enough cpu left",
       "x Origin reason is gang-3: queue q has not enough cpu left", true},
      {"x Origin reason is gang-2: queue q has not enough cpu left",
       "x Origin reason is gang-2: queue q has not enough memory left", false},
      {"0/4 nodes are available: 1 first, 2 second, 1 third.",
       "0/9 nodes are available: 2 third, 3 second, 4 first.", true},
      {"0/4 nodes are available: 1 first, 2 second, 1 third.",
       "0/4 nodes are available: 1 first, 2 second, 1 fourth.", false},
      {"0/4 nodes are available: 1 first, 2 second.", "0/4 nodes are available: 4 first.", false},
      {"0/4 pods and 0/4 nodes are available: 4 first.",
       "0/4 pods and 0/5 nodes are available: 5 first.", true},
      {"0/0/4 nodes are available: 4 first.", "0/0/5 nodes are available: 5 first.", true},
      {"0/4 nodes are available: 4 ab", "0/4 nodes are available: 4 ac", false},
      {"0/4 nodes are available: 4 ab", "0/9 nodes are available: 9 ab.", true},
      {"0/4 nodes are available: ", "0/5 nodes are available: ", true},
      {"0/4 nodes are available: ", "0/5 nodes are available: 5 ab.", true},
      {"0/5 nodes are available: 5 ab.", "0/4 nodes are available: ", false},
      {"Origin reason is ", "Origin reason is a", false},
      {"promised node n1", "promised node n2", false},
      {"queue q has not enough cpu left", "queue q has not enough cpu left", true},
  };
  for (const auto& c : kCases)
    EXPECT_EQ(StillHolds(c.said, c.now), c.holds) << c.said << "\n" << c.now;
}

TEST(FitFailureTest, AMessageTellsTheMostFrequentReasonsHoweverManyThereAre) {
  FitFailure failure{.nodes = 2000};
  for (int i = 0; i < 2000; ++i) {
    failure.nodes_by_reason.emplace_back(
        "node(s) had untolerated taint {k: " + std::to_string(i) + "}", 1);
  }
  EXPECT_LT(failure.Message().size(), 2000u);
  EXPECT_TRUE(failure.Message().ends_with(", and 1980 other reasons.")) << failure.Message();
}

TEST(FitFailureTest, AMessageIsTheReasonsWithTheirNumbersOrTheOneThatIsNoNodes) {
  EXPECT_EQ(
      (FitFailure{.nodes_by_reason = {{"Too many pods", 2}, {"Insufficient cpu", 1}}, .nodes = 3})
          .Message(),
      "0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods.");
  EXPECT_EQ(FitFailure{}.Message(), "there are no nodes");
  EXPECT_EQ((FitFailure{.nodes_by_reason = {{"x", 1}}, .nodes = 1, .other = "gated"}).Message(),
            "gated");
  FitFailure many{.nodes = 20};
  for (int i = 0; i < 20; ++i) many.nodes_by_reason.emplace_back("r" + std::to_string(i), 1);
  EXPECT_EQ(many.Message().find("other reasons"), std::string::npos) << "all twenty are told";
}

TEST(FitFailureTest, WhatIsRefusedWhateverTheNodeIsHelpedByNodesUnlessItIsNotSupported) {
  const FitFailure missing = FitFailure::Of(Verdict::Unschedulable("claim c is missing"));
  EXPECT_EQ(missing.Message(), "claim c is missing");
  EXPECT_TRUE(missing.nodes_would_help);
  const FitFailure unsupported = FitFailure::Of(Verdict::Unsupported("resource claims"));
  EXPECT_FALSE(unsupported.nodes_would_help);
  EXPECT_EQ(unsupported.held_by, reasons::kNotSupported);
}

}  // namespace
}  // namespace basalt::scheduler
