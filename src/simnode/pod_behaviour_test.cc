#include "simnode/pod_behaviour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace basalt::simnode {
namespace {

TEST(PodBehaviourTest, ParsesGoDurations) {
  struct Case {
    const char* text;
    std::optional<Duration> want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"0", 0s},
           {"0s", 0s},
           {"90s", 90s},
           {"1m30s", 90s},
           {"1.5h", 90min},
           {"250ms", 250ms},
           {"0.3s", 300ms},
           {"10us", 10us},
           {".5s", 500ms},
           {"", std::nullopt},
           {"5", std::nullopt},
           {"-5s", std::nullopt},
           {"s", std::nullopt},
           {"1..2s", std::nullopt},
           {"5s ", std::nullopt},
           {"1e9s", std::nullopt},
           {"5x", std::nullopt},
           {"nan", std::nullopt},
           {"9999999999h", std::nullopt},
       }) {
    const auto got = ParseDuration(c.text);
    EXPECT_EQ(got ? std::optional(*got) : std::nullopt, c.want) << c.text;
  }
}

TEST(PodBehaviourTest, FindsTheSleepInACommand) {
  struct Case {
    ContainerCommand container;
    std::optional<Duration> want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {{{"sleep", "30"}, {}}, 30s},
           {{{"/bin/sleep"}, {"1.5"}}, 1500ms},
           {{{"sleep"}, {"2m"}}, 120s},
           {{{"sleep", "1m", "5"}, {}}, 65s},
           {{{}, {"sleep", "7"}}, 7s},
           {{{"sh", "-c", "sleep 9"}, {}}, 9s},
           {{{"/bin/bash", "-c"}, {" exec  sleep 9 "}}, 9s},
           {{{"sh", "-c"}, {"sleep 5; echo x"}}, std::nullopt},
           {{{"sleep", "infinity"}, {}}, std::nullopt},
           {{{"sleep"}, {}}, std::nullopt},
           {{{"nginx"}, {}}, std::nullopt},
           {{{}, {}}, std::nullopt},
       }) {
    EXPECT_EQ(SleepOf(c.container), c.want)
        << testing::PrintToString(c.container.command) << testing::PrintToString(c.container.args);
  }
}

PodBehaviour Read(const std::map<std::string, std::string, std::less<>>& annotations,
                  const std::vector<ContainerCommand>& init,
                  const std::vector<ContainerCommand>& containers) {
  return ReadBehaviour(
      [&](std::string_view name) -> const std::string* {
        const auto found = annotations.find(name);
        return found == annotations.end() ? nullptr : &found->second;
      },
      init, containers);
}

TEST(PodBehaviourTest, AnnotationsWinOverCommands) {
  const PodBehaviour got = Read({{"basalt.sh/start-delay", "2s"},
                                 {"basalt.sh/run-duration", "1m"},
                                 {"basalt.sh/exit-code", "3"},
                                 {"basalt.sh/termination", "5s"}},
                                {}, {{{"sleep", "9"}, {}}});
  EXPECT_EQ(got.start_delay, 2s);
  EXPECT_EQ(got.run_duration, 1min);
  EXPECT_EQ(got.exit_code, 3);
  EXPECT_EQ(got.termination, 5s);
  EXPECT_TRUE(got.problems.empty());
}

TEST(PodBehaviourTest, RunsAsLongAsItsLongestSleepAndForEverWithoutOne) {
  const ContainerCommand five{{"sleep", "5"}, {}}, nine{{"sleep", "9"}, {}}, server{{"nginx"}, {}};
  EXPECT_EQ(Read({}, {}, {five, nine}).run_duration, 9s);
  EXPECT_EQ(Read({}, {}, {five, server}).run_duration, std::nullopt);
  EXPECT_EQ(Read({}, {five, nine, server}, {server}).start_delay, 14s);
}

TEST(PodBehaviourTest, SaysWhichAnnotationIsWrongAndUsesTheDefault) {
  const PodBehaviour got = Read({{"basalt.sh/start-delay", "soon"},
                                 {"basalt.sh/run-duration", "-1s"},
                                 {"basalt.sh/exit-code", "256"},
                                 {"basalt.sh/termination", "5"}},
                                {}, {{{"sleep", "9"}, {}}});
  EXPECT_EQ(got.start_delay, 0s);
  EXPECT_EQ(got.run_duration, 9s);
  EXPECT_EQ(got.exit_code, 0);
  EXPECT_EQ(got.termination, std::nullopt);
  ASSERT_EQ(got.problems.size(), 4u);
  EXPECT_THAT(got.problems[0], testing::HasSubstr("basalt.sh/start-delay: \"soon\""));
}

}  // namespace
}  // namespace basalt::simnode
