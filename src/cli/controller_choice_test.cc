#include "cli/controller_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ControllerChoice, TakesAllSomeOrAllButSome) {
  EXPECT_EQ(ChooseControllers("*")->size(), 8u);
  EXPECT_THAT(*ChooseControllers("queue,job"), ElementsAre("job", "queue"));
  EXPECT_THAT(*ChooseControllers("*,-cronjob,-gc,-hypernode,-jobflow,-jobtemplate"),
              ElementsAre("job", "podgroup", "queue"));
  EXPECT_THAT(*ChooseControllers("queue-controller"), ElementsAre("queue"));
  EXPECT_THAT(*ChooseControllers("pg-controller,hyperNode-controller,sharding-controller"),
              ElementsAre("hypernode", "podgroup"));
  EXPECT_EQ(ChooseControllers("*,-sharding-controller,-colocation-config-controller")->size(), 8u);
  EXPECT_THAT(ChooseControllers("*,-tea").error().message, HasSubstr("-tea is none of cronjob"));
}

}  // namespace
}  // namespace basalt::cli
