#include "scheduler/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::scheduler {
namespace {

const KnownNames kKnown{{"enqueue", "reserve", "allocate", "backfill", "preempt", "reclaim"},
                        {"priority", "gang", "conformance", "drf", "predicates", "proportion",
                         "nodeorder", "capacity", "overcommit", "binpack", "reservation"}};

TEST(ConfigTest, TheDefaultLoads) {
  const auto config = LoadConfig(DefaultConfigYaml(), kKnown);
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_THAT(config->actions, testing::ElementsAre("enqueue", "reserve", "allocate", "backfill"));
  ASSERT_EQ(config->tiers.size(), 2u);
  EXPECT_EQ(config->tiers[1].plugins[5].name, "binpack");
  EXPECT_TRUE(config->HasAction("backfill"));
}

TEST(ConfigTest, WhatIsNotSetIsOnButForHierarchyAndClusterOrder) {
  const auto config = LoadConfig(R"(actions: "allocate"
tiers:
- plugins:
  - name: gang
    enableJobOrder: false
    arguments:
      number: 3
      text: "4"
      list: [a, 1.5]
configurations:
- name: allocate
  arguments:
    predicateErrorCacheEnable: false
)",
                                 kKnown);
  ASSERT_TRUE(config.has_value()) << config.error().message;
  const PluginConfig& gang = config->tiers[0].plugins[0];
  EXPECT_FALSE(gang.IsOn(Switch::kJobOrder));
  EXPECT_TRUE(gang.IsOn(Switch::kJobReady));
  EXPECT_FALSE(gang.switches[static_cast<int>(Switch::kHierarchy)].has_value());
  EXPECT_FALSE(gang.switches[static_cast<int>(Switch::kClusterOrder)].has_value());
  int number = 0, text = 0;
  EXPECT_TRUE(gang.arguments.Get("number", &number).has_value());
  EXPECT_TRUE(gang.arguments.Get("text", &text).has_value());
  EXPECT_EQ(number, 3);
  EXPECT_EQ(text, 4);
  EXPECT_FALSE(gang.arguments.Get("list", &text).has_value());
  bool cache = true;
  EXPECT_TRUE(config->ArgumentsOf("allocate").Get("predicateErrorCacheEnable", &cache));
  EXPECT_FALSE(cache);
  EXPECT_TRUE(config->ArgumentsOf("preempt").empty());
}

TEST(ConfigTest, MistakesAreNamedWithTheirLineAndTheNearestName) {
  struct Case {
    const char* yaml;
    const char* want;
  };
  for (const Case& c : {
           Case{"actions: \"alocate\"",
                "line 1: unknown action \"alocate\", did you mean \"allocate\"?"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n  - name: priorty\n",
                "line 4: unknown plugin \"priorty\", did you mean \"priority\"?"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n  - name: gang\n    enableJobOrdr: "
                "true\n",
                "line 5: unknown key \"enableJobOrdr\" in a plugin, did you mean "
                "\"enableJobOrder\"?"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n  - name: gang\n    enableJobOrder: "
                "maybe\n",
                "line 5: enableJobOrder must be true or false"},
           Case{"actions: \"allocate\"\nconfigurations:\n- name: alocate\n",
                "line 3: configuration of an unknown action \"alocate\", did you mean "
                "\"allocate\"?"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n  - name: drf\n    enableHierarchy: "
                "true\n"
                "  - name: proportion\n",
                "line 3: proportion and drf with hierarchy enabled conflicts"},
           Case{"actions: [", "line 1: "},
           Case{"", "line 1: the file must be a map"},
       }) {
    const auto config = LoadConfig(c.yaml, kKnown);
    ASSERT_FALSE(config.has_value()) << c.yaml;
    EXPECT_THAT(config.error().message, testing::HasSubstr(c.want));
  }
}

TEST(ArgumentsTest, UnknownArgumentsAreRefused) {
  const Arguments arguments({{"binpack.wieght", 1}});
  const auto checked = arguments.Read({{"binpack.weight"}}, {"binpack.resources"});
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().message,
            "unknown argument \"binpack.wieght\", did you mean \"binpack.weight\"?");
  EXPECT_TRUE(arguments.Read({}, {"binpack."}).has_value());
}

}  // namespace
}  // namespace basalt::scheduler
