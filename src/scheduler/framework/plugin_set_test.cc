#include "scheduler/framework/plugin_set.h"

#include <gtest/gtest.h>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

class Picky final : public Plugin {
 public:
  Result<void> Configure(const PluginConfig&) override {
    return Fail(ErrorCode::kInvalidArgument, "no such argument");
  }
};

TEST(PluginSetTest, WhatIsWrongIsNamedWithItsLineWhereThatIsKnown) {
  const PluginRegistry registry{{{"picky", [] { return std::make_unique<Picky>(); }}}};
  struct Row {
    const char* plugin;
    int line;
    const char* message;
  };
  for (const Row& row :
       {Row{"nope", 0, "plugin nope: unknown"}, Row{"nope", 3, "line 3: plugin nope: unknown"},
        Row{"picky", 1, "line 1: plugin picky: no such argument"}}) {
    Config config = testutil::OneTier({row.plugin});
    config.tiers[0].plugins[0].line = row.line;
    const auto set = PluginSet::Make(std::move(config), registry);
    ASSERT_FALSE(set.has_value());
    EXPECT_EQ(set.error().message, row.message);
  }
}

class Reader final : public Plugin {
 public:
  explicit Reader(std::vector<std::string> keys) : keys_(std::move(keys)) {}
  std::vector<std::string> ReadsFromPod() const override { return keys_; }

 private:
  std::vector<std::string> keys_;
};

TEST(PluginSetTest, WhatPluginsReadFromPodsIsKnownOnceAndInOrder) {
  const PluginRegistry registry{
      {{"one",
        []() -> std::unique_ptr<Plugin> {
          return std::make_unique<Reader>(std::vector<std::string>{"c", "a"});
        }},
       {"two", []() -> std::unique_ptr<Plugin> {
          return std::make_unique<Reader>(std::vector<std::string>{"b", "a"});
        }}}};
  const auto set = testutil::MakePlugins(testutil::OneTier({"one", "two"}), registry);
  EXPECT_EQ(set->pod_keys(), (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace basalt::scheduler
