#include "simnode/pod_behaviour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::simnode {
namespace {

kube::Container Named(std::string name, std::vector<std::string> command) {
  return {.name = std::move(name), .command = std::move(command)};
}

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
                                {}, {Named("a", {"sleep", "9"}), Named("b", {"nginx"})});
  EXPECT_EQ(got.start_delay, 2s);
  EXPECT_EQ(got.termination, 5s);
  const ContainerBehaviour want{.run_duration = 1min, .exit_code = 3};
  EXPECT_THAT(got.containers, testing::ElementsAre(want, want));
  EXPECT_TRUE(got.problems.empty());
}

TEST(PodBehaviourTest, AContainersOwnAnnotationWinsOverThePods) {
  const PodBehaviour got = Read({{"basalt.sh/run-duration", "1m"},
                                 {"basalt.sh/run-duration.b", "5s"},
                                 {"basalt.sh/exit-code.b", "4"},
                                 {"basalt.sh/exit-code.prepare", "6"}},
                                {Named("prepare", {"sleep", "3"})},
                                {Named("a", {"sh", "-c", "exit 2"}), Named("b", {})});
  EXPECT_THAT(got.init, testing::ElementsAre(ContainerBehaviour{3s, 6}));
  EXPECT_THAT(got.containers,
              testing::ElementsAre(ContainerBehaviour{1min, 2}, ContainerBehaviour{5s, 4}));
  EXPECT_TRUE(got.problems.empty());
}

TEST(PodBehaviourTest, CommandsSayTheRest) {
  kube::Container sidecar = Named("s", {"sleep", "9"});
  sidecar.restart_always = true;
  const PodBehaviour got =
      Read({}, {Named("i", {"sleep", "5"}), Named("j", {"wait-for-it"}), sidecar},
           {Named("a", {"sleep", "9"}), Named("b", {"nginx"}), Named("c", {"exit"})});
  EXPECT_THAT(got.init, testing::ElementsAre(ContainerBehaviour{5s}, ContainerBehaviour{0s},
                                             ContainerBehaviour{.sidecar = true}));
  EXPECT_THAT(got.containers,
              testing::ElementsAre(
                  ContainerBehaviour{9s}, ContainerBehaviour{},
                  ContainerBehaviour{.run_duration = 0s, .exit_code = 128, .cannot_start = true}));
}

TEST(PodBehaviourTest, SaysWhichAnnotationIsWrongAndUsesTheDefault) {
  const PodBehaviour got = Read({{"basalt.sh/start-delay", "soon"},
                                 {"basalt.sh/run-duration", "-1s"},
                                 {"basalt.sh/exit-code", "256"},
                                 {"basalt.sh/exit-code.nobody", "1"},
                                 {"basalt.sh/termination", "5"}},
                                {}, {Named("a", {"sleep", "9"})});
  EXPECT_EQ(got.start_delay, 0s);
  EXPECT_EQ(got.termination, std::nullopt);
  EXPECT_THAT(got.containers, testing::ElementsAre(ContainerBehaviour{9s}));
  EXPECT_THAT(got.problems,
              testing::UnorderedElementsAre(
                  testing::HasSubstr("basalt.sh/start-delay: \"soon\""),
                  testing::HasSubstr("basalt.sh/run-duration: \"-1s\""),
                  testing::HasSubstr("basalt.sh/exit-code: \"256\""),
                  testing::HasSubstr("basalt.sh/exit-code.nobody: \"1\": the pod has no container"),
                  testing::HasSubstr("basalt.sh/termination: \"5\"")));
}

}  // namespace
}  // namespace basalt::simnode
