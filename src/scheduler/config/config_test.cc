#include "scheduler/config/config.h"

#include <fmt/format.h>
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
           Case{"actions: [allocate]", "actions must be a list of names with commas between"},
           Case{"tiers:\n- plugins:\n  - name: gang\n",
                "actions must be a list of names with commas between"},
           Case{"actions: \"allocate,\"", "line 1: unknown action \"\""},
           Case{"actions: \"allocate\"\ntier:\n- plugins:\n",
                "line 2: unknown key \"tier\" in the configuration, did you mean \"tiers\"?"},
           Case{"actions: \"allocate\"\ntiers: gang\n", "line 2: tiers must be a list"},
           Case{"actions: \"allocate\"\ntiers:\n- gang\n",
                "line 3: a tier must be a map with plugins"},
           Case{"actions: \"allocate\"\ntiers:\n- plugin:\n  - name: gang\n",
                "line 3: unknown key \"plugin\" in a tier, did you mean \"plugins\"?"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins: gang\n",
                "line 3: plugins must be a list"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n    name: gang\n",
                "line 4: plugins must be a list"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n  - gang\n",
                "line 4: a plugin must be a map with a name"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n  - enableJobOrder: true\n",
                "line 4: a plugin without a name"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n  - name: gang\n    enableJobOrder: "
                "[true]\n",
                "line 5: enableJobOrder must be true or false"},
           Case{"actions: \"allocate\"\ntiers:\n- plugins:\n  - name: gang\n    arguments: [1]\n",
                "line 5: arguments must be a map"},
           Case{"actions: \"allocate\"\nconfigurations: allocate\n",
                "line 2: configurations must be a list"},
           Case{"actions: \"allocate\"\nconfigurations:\n- allocate\n",
                "line 3: a configuration must be a map with a name"},
           Case{"actions: \"allocate\"\nconfigurations:\n- arguments:\n    a: 1\n",
                "line 3: configuration of an unknown action \"\""},
           Case{"actions: \"allocate\"\nconfigurations:\n- name: allocate\n  argument: 1\n",
                "line 4: unknown key \"argument\" in a configuration, did you mean "
                "\"arguments\"?"},
           Case{"actions: \"allocate\"\nconfigurations:\n- name: allocate\n  arguments: 1\n",
                "line 4: arguments must be a map"},
           Case{"actions: \"allocate\"\nmetrics: on\n", "line 2: metrics must be a map"},
           Case{"", "line 1: the file must be a map"},
       }) {
    const auto config = LoadConfig(c.yaml, kKnown);
    ASSERT_FALSE(config.has_value()) << c.yaml;
    EXPECT_THAT(config.error().message, testing::HasSubstr(c.want));
  }
}

TEST(ConfigTest, TwoThatDivideTheClusterInDifferentWaysMayStandInDifferentTiers) {
  const auto in_tiers = LoadConfig(R"(actions: "allocate"
tiers:
- plugins:
  - name: drf
    enableHierarchy: true
- plugins:
  - name: proportion
)",
                                   kKnown);
  EXPECT_TRUE(in_tiers.has_value()) << in_tiers.error().message;
  const auto flat = LoadConfig(
      "actions: allocate\ntiers:\n- plugins: [{name: drf}, {name: "
      "proportion}]\n",
      kKnown);
  EXPECT_TRUE(flat.has_value()) << "without the hierarchy they go together";
}

TEST(ConfigTest, NamesOfActionsMayHaveSpaceAroundThemAndKeepTheirOrder) {
  const auto config = LoadConfig("actions: \" reclaim ,allocate,\tbackfill\"\n", kKnown);
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_THAT(config->actions, testing::ElementsAre("reclaim", "allocate", "backfill"));
  EXPECT_TRUE(config->tiers.empty());
  EXPECT_FALSE(config->HasAction("preempt"));
}

TEST(ConfigTest, PartsThatAreEmptySayNothing) {
  const auto config = LoadConfig(R"(actions: "allocate"
tiers:
- plugins:
- plugins:
  - name: gang
    enableJobReady:
    arguments:
configurations:
metrics:
)",
                                 kKnown);
  ASSERT_TRUE(config.has_value()) << config.error().message;
  ASSERT_EQ(config->tiers.size(), 2u);
  EXPECT_TRUE(config->tiers[0].plugins.empty());
  EXPECT_TRUE(config->tiers[1].plugins[0].IsOn(Switch::kJobReady));
  EXPECT_TRUE(config->tiers[1].plugins[0].arguments.empty());
}

TEST(ConfigTest, OfTwoConfigurationsOfAnActionTheFirstCounts) {
  const auto config = LoadConfig(R"(actions: "allocate"
configurations:
- name: allocate
  arguments:
    a: 1
- name: allocate
  arguments:
    a: 2
metrics:
  type: prometheus
)",
                                 kKnown);
  ASSERT_TRUE(config.has_value()) << config.error().message;
  int a = 0;
  EXPECT_TRUE(config->ArgumentsOf("allocate").Get("a", &a));
  EXPECT_EQ(a, 1);
  EXPECT_EQ(config->WhereIs("allocate"), "line 3: allocate");
  EXPECT_EQ(config->WhereIs("preempt"), "preempt") << "it is not in the file";
}

TEST(ConfigTest, APluginKnowsItsLine) {
  const auto config =
      LoadConfig("actions: allocate\ntiers:\n- plugins:\n  - name: gang\n  - name: drf\n", kKnown);
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_EQ(config->tiers[0].plugins[0].line, 4);
  EXPECT_EQ(config->tiers[0].plugins[1].line, 5);
}

TEST(ConfigTest, SwitchesHaveVolcanosNames) {
  EXPECT_EQ(FindSwitch("enableJobOrder"), Switch::kJobOrder);
  EXPECT_EQ(FindSwitch("EnabledClusterOrder"), Switch::kClusterOrder);
  EXPECT_EQ(FindSwitch("enabledOverused"), Switch::kOverused);
  EXPECT_EQ(FindSwitch("enabledHyperNodeGradient"), Switch::kHyperNodeGradient);
  EXPECT_EQ(FindSwitch("enableOverused"), std::nullopt);
}

TEST(ConfigTest, TruthIsWrittenInManyWays) {
  for (const auto& [text, on] : {std::pair{"true", true},
                                 {"True", true},
                                 {"yes", true},
                                 {"on", true},
                                 {"y", true},
                                 {"false", false},
                                 {"FALSE", false},
                                 {"no", false},
                                 {"off", false},
                                 {"n", false}}) {
    const auto config = LoadConfig(
        fmt::format("actions: allocate\ntiers:\n- plugins:\n  - name: gang\n    enableHierarchy: "
                    "{}\n",
                    text),
        kKnown);
    ASSERT_TRUE(config.has_value()) << config.error().message;
    EXPECT_EQ(config->tiers[0].plugins[0].switches[static_cast<int>(Switch::kHierarchy)], on)
        << text;
  }
}

// ---- arguments: what a value in the file is to whoever asks for it as something

struct Value {
  const char* yaml;
  std::optional<int> whole;
  std::optional<double> number;
  std::optional<bool> truth;
  std::optional<std::string> text;
};

class ArgumentValueTest : public testing::TestWithParam<Value> {
 protected:
  template <class T>
  static std::optional<T> Read(const Arguments& arguments) {
    T value{};
    if (!arguments.Get("a", &value)) return std::nullopt;
    return value;
  }
};

TEST_P(ArgumentValueTest, IsOfTheTypesThatItCanBe) {
  const Value& want = GetParam();
  const auto config = LoadConfig(
      fmt::format("actions: allocate\nconfigurations:\n- name: allocate\n  arguments:\n    a: {}\n",
                  want.yaml),
      kKnown);
  ASSERT_TRUE(config.has_value()) << config.error().message;
  const Arguments& arguments = config->ArgumentsOf("allocate");
  ASSERT_TRUE(arguments.Has("a"));
  EXPECT_EQ(Read<int>(arguments), want.whole);
  EXPECT_EQ(Read<double>(arguments), want.number);
  EXPECT_EQ(Read<bool>(arguments), want.truth);
  EXPECT_EQ(Read<std::string>(arguments), want.text);
  EXPECT_TRUE(arguments.Get("a", std::monostate()).has_value()) << "it has no effect";
}

INSTANTIATE_TEST_SUITE_P(
    Config, ArgumentValueTest,
    testing::ValuesIn<Value>({
        {.yaml = "3", .whole = 3, .number = 3.0},
        {.yaml = "-3", .whole = -3, .number = -3.0},
        {.yaml = "+3", .whole = 3, .number = 3.0},
        {.yaml = "1.5", .number = 1.5},
        {.yaml = "\"10\"", .whole = 10, .number = 10.0, .text = "10"},
        {.yaml = "\"1.5\"", .number = 1.5, .text = "1.5"},
        {.yaml = "\"1\"", .whole = 1, .number = 1.0, .truth = true, .text = "1"},
        {.yaml = "\"0\"", .whole = 0, .number = 0.0, .truth = false, .text = "0"},
        {.yaml = "\"10m\"", .text = "10m"},
        {.yaml = "\"\"", .text = ""},
        {.yaml = "true", .truth = true},
        {.yaml = "no", .truth = false},
        {.yaml = "\"true\"", .truth = true, .text = "true"},
        {.yaml = "\"F\"", .truth = false, .text = "F"},
        {.yaml = "\"maybe\"", .text = "maybe"},
        {.yaml = "some text", .text = "some text"},
        {.yaml = "~"},
        {.yaml = "[1, 2]"},
        {.yaml = "{b: 1}"},
        {.yaml = "2147483647", .whole = 2147483647, .number = 2147483647.0},
        // More than a whole number can be here; it would be read as another.
        {.yaml = "4294967297", .number = 4294967297.0},
        {.yaml = "\"4294967297\"", .number = 4294967297.0, .text = "4294967297"},
    }));

TEST(ArgumentsTest, ValuesOfTheWrongTypeAreNamed) {
  const Arguments arguments({{"a", "many"}, {"list", boost::json::array{1}}});
  const auto why = [&](Arguments::Target target) {
    const auto got = arguments.Get("a", target);
    return got ? "" : got.error().message;
  };
  int whole = 7;
  double number = 7;
  bool truth = true;
  std::string text;
  EXPECT_EQ(why(&whole), "argument a: \"many\" is no whole number");
  EXPECT_EQ(why(&number), "argument a: \"many\" is no number");
  EXPECT_EQ(why(&truth), "argument a: \"many\" is no truth value");
  EXPECT_EQ(why(&text), "");
  EXPECT_EQ(arguments.Get("list", &text).error().message, "argument list: [1] is no string");
  EXPECT_EQ(whole, 7) << "what was there stays";
  EXPECT_TRUE(truth);
}

TEST(ArgumentsTest, WhatIsAbsentLeavesWhatWasThere) {
  int whole = 7;
  EXPECT_TRUE(Arguments().Get("a", &whole).has_value());
  EXPECT_EQ(whole, 7);
  EXPECT_TRUE(Arguments().Read({{"a", &whole}}).has_value());
  EXPECT_EQ(whole, 7);
}

TEST(ArgumentsTest, ReadGetsAllThatAreKnownAndStopsAtTheFirstMistake) {
  int one = 0, two = 0;
  EXPECT_TRUE(Arguments({{"one", 1}, {"two", "2"}}).Read({{"one", &one}, {"two", &two}}));
  EXPECT_EQ(one, 1);
  EXPECT_EQ(two, 2);
  const auto wrong = Arguments({{"one", "x"}}).Read({{"one", &one}});
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().message, "argument one: \"x\" is no whole number");
}

TEST(ArgumentsTest, AnArgumentThatIsLikeNoneIsRefusedWithoutAGuess) {
  const auto refused = Arguments({{"zzzzzzzzzz", 1}}).Read({{"weight"}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "unknown argument \"zzzzzzzzzz\"");
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
