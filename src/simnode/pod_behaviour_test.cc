#include "simnode/pod_behaviour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::simnode {
namespace {

TEST(PodBehaviourTest, FindsTheSleepInACommand) {
  struct Case {
    kube::Container container;
    std::optional<Duration> want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {{.command = {"sleep", "30"}, .args = {}}, 30s},
           {{.command = {"/bin/sleep"}, .args = {"1.5"}}, 1500ms},
           {{.command = {"sleep"}, .args = {"2m"}}, 120s},
           {{.command = {"sleep", "1m", "5"}, .args = {}}, 65s},
           {{.command = {}, .args = {"sleep", "7"}}, 7s},
           {{.command = {"sh", "-c", "sleep 9"}, .args = {}}, 9s},
           {{.command = {"/bin/bash", "-c"}, .args = {" exec  sleep 9 "}}, 9s},
           {{.command = {"sh", "-c"}, .args = {"sleep 5; echo x"}}, std::nullopt},
           {{.command = {"sleep", "infinity"}, .args = {}}, std::nullopt},
           {{.command = {"sleep"}, .args = {}}, std::nullopt},
           {{.command = {"nginx"}, .args = {}}, std::nullopt},
           {{.command = {}, .args = {}}, std::nullopt},
       }) {
    EXPECT_EQ(SleepOf(c.container), c.want)
        << testing::PrintToString(c.container.command) << testing::PrintToString(c.container.args);
  }
}

kube::Container Command(std::vector<std::string> words) { return {.command = std::move(words)}; }

PodBehaviour Read(const kube::StringMap& annotations, std::vector<kube::Container> init,
                  std::vector<kube::Container> containers) {
  kube::PodSpec spec;
  spec.init_containers = std::move(init);
  spec.containers = std::move(containers);
  return ReadBehaviour(annotations, spec);
}

TEST(PodBehaviourTest, AnnotationsWinOverCommands) {
  const PodBehaviour got = Read({{"basalt.sh/start-delay", "2s"},
                                 {"basalt.sh/run-duration", "1m"},
                                 {"basalt.sh/exit-code", "3"},
                                 {"basalt.sh/termination", "5s"}},
                                {}, {Command({"sleep", "9"})});
  EXPECT_EQ(got.start_delay, 2s);
  EXPECT_EQ(got.run_duration, 1min);
  EXPECT_EQ(got.exit_code, 3);
  EXPECT_EQ(got.termination, 5s);
  EXPECT_TRUE(got.problems.empty());
}

TEST(PodBehaviourTest, RunsAsLongAsItsLongestSleepAndForEverWithoutOne) {
  const kube::Container five = Command({"sleep", "5"}), nine = Command({"sleep", "9"}),
                        server = Command({"nginx"});
  kube::Container sidecar = nine;
  sidecar.restart_always = true;
  EXPECT_EQ(Read({}, {}, {five, nine}).run_duration, 9s);
  EXPECT_EQ(Read({}, {}, {five, server}).run_duration, std::nullopt);
  EXPECT_EQ(Read({}, {five, nine, server, sidecar}, {server}).start_delay, 14s);
}

TEST(PodBehaviourTest, SaysWhichAnnotationIsWrongAndUsesTheDefault) {
  const PodBehaviour got = Read({{"basalt.sh/start-delay", "soon"},
                                 {"basalt.sh/run-duration", "-1s"},
                                 {"basalt.sh/exit-code", "256"},
                                 {"basalt.sh/termination", "5"}},
                                {}, {Command({"sleep", "9"})});
  EXPECT_EQ(got.start_delay, 0s);
  EXPECT_EQ(got.run_duration, 9s);
  EXPECT_EQ(got.exit_code, 0);
  EXPECT_EQ(got.termination, std::nullopt);
  ASSERT_EQ(got.problems.size(), 4u);
  EXPECT_THAT(got.problems[0], testing::HasSubstr("basalt.sh/start-delay: \"soon\""));
}

}  // namespace
}  // namespace basalt::simnode
