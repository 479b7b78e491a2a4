#include "cli/verb_rules.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace basalt::cli {
namespace {

TEST(VerbRulesTest, OnlyFlagsThatWereGivenAndAreForOtherVerbsAreMisplaced) {
  CLI::App app;
  std::string image, name;
  bool all = false;
  VerbRules rules;
  rules.Add(app.add_option("-i,--image", image), {"run"});
  rules.Add(app.add_flag("-A,--all", all), {"list", "view"});
  rules.Add(app.add_option("name", name), {"view"});
  EXPECT_EQ(rules.Misplaced("job", "delete"), "") << "nothing was given";

  app.parse("-i busybox -A x", false);
  EXPECT_EQ(rules.Misplaced("job", "run"), "--all is for job list and view");
  EXPECT_EQ(rules.Misplaced("job", "view"), "--image is for job run");
  EXPECT_EQ(rules.Misplaced("job", "list"), "--image is for job run") << "the first one";
  EXPECT_EQ(VerbRules().Misplaced("job", "run"), "");
}

TEST(VerbRulesTest, ArgumentsAndSeveralVerbsAreNamedAsPeopleDo) {
  CLI::App app;
  std::string id;
  bool watch = false;
  VerbRules rules;
  rules.Add(app.add_flag("--watch", watch), {"list", "get", "describe"});
  rules.Add(app.add_option("id", id), {"status"});
  app.parse("--watch p1", false);
  EXPECT_EQ(rules.Misplaced("jobflow", "create"), "--watch is for jobflow list, get and describe");
  EXPECT_EQ(rules.Misplaced("defrag", "list"), "ID is for defrag status");
}

TEST(VerbRulesTest, AFlagThatIsGivenItsDefaultIsGiven) {
  CLI::App app;
  int replicas = 1;
  VerbRules rules;
  rules.Add(app.add_option("--replicas", replicas)->capture_default_str(), {"run"});
  app.parse("--replicas 1", false);
  EXPECT_EQ(rules.Misplaced("job", "list"), "--replicas is for job run");
}

}  // namespace
}  // namespace basalt::cli
