#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

TEST(NodeGroupTest, AQueueWithoutRulesHasThoseOfItsNearestAncestorInATree) {
  testutil::TestCluster given;
  kube::Queue parent = testutil::MakeQueue("parent"), child = testutil::MakeQueue("child");
  parent.affinity.emplace().affinity.emplace().required = {"gpu"};
  parent.affinity->affinity->preferred = {"spare"};
  child.parent = "parent";
  given.Add(testutil::MakeQueue("root")).Add(std::move(parent)).Add(std::move(child));
  for (const char* group : {"gpu", "spare", "other"}) {
    kube::Node node = testutil::MakeNode(group, {{"cpu", "1"}});
    node.meta.labels.Set("volcano.sh/nodegroup-name", group);
    given.Add(std::move(node));
  }
  given.Add(testutil::MakeNode("none", {{"cpu", "1"}}));
  given.Add(testutil::MakeGroup("g", "child", 1));
  given.Add(testutil::MakePod("p", "g", {{"cpu", "1"}}));
  for (const bool hierarchy : {true, false}) {
    Config config = testutil::OneTier({"nodegroup"});
    config.tiers[0].plugins[0].Set(Switch::kHierarchy, hierarchy);
    const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    Session session(given.cluster, *plugins, testutil::kTestNow);
    const auto fits = [&](const char* node) {
      return session.Filter(given.task("p"), given.node(node)).ok();
    };
    EXPECT_EQ(fits("gpu"), hierarchy);
    EXPECT_EQ(fits("spare"), hierarchy);
    EXPECT_FALSE(fits("other"));
    EXPECT_FALSE(fits("none"));
    EXPECT_EQ(session.Score(given.task("p"), given.node("gpu")), hierarchy ? 100 : 0);
    EXPECT_EQ(session.Score(given.task("p"), given.node("spare")), hierarchy ? 50 : 0);
  }
}

TEST(NodeGroupTest, RulesThatAQueueHasNoMoreAreForgotten) {
  testutil::TestCluster given;
  kube::Queue team = testutil::MakeQueue("team"), queue = testutil::MakeQueue("q");
  team.affinity.emplace().affinity.emplace().required = {"gpu"};
  given.Add(testutil::MakeQueue("root")).Add(std::move(team));
  given.Add(testutil::MakeNode("n", {{"cpu", "1"}})).Add(testutil::MakeGroup("g", "q", 1));
  given.Add(testutil::MakePod("p", "g", {{"cpu", "1"}}));
  Config config = testutil::OneTier({"nodegroup"});
  config.tiers[0].plugins[0].Set(Switch::kHierarchy, true);
  config.tiers[0].plugins[0].arguments = Arguments({{"strict", false}});
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  for (const char* parent : {"team", "root"}) {
    queue.parent = parent;
    given.Add(queue);
    Session session(given.cluster, *plugins, testutil::kTestNow);
    EXPECT_EQ(session.Filter(given.task("p"), given.node("n")).ok(), queue.parent == "root");
  }
}

TEST(NodeGroupTest, NoNodeScoresMoreThanARequiredGroupThatIsPreferredToo) {
  testutil::TestCluster given;
  kube::Queue queue = testutil::MakeQueue("rules");
  queue.affinity.emplace().affinity.emplace().required = {"gpu"};
  given.Add(std::move(queue)).Add(testutil::MakeQueue("none"));
  for (const char* name : {"rules", "none"}) {
    given.Add(testutil::MakeGroup(name, name, 1)).Add(testutil::MakePod(name, name, {}));
  }
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"nodegroup"}), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  const NodeScorer* scorer = plugins->hooks<NodeScorer>().front().front();
  for (const auto& [task, want] : {std::pair{"rules", 150.0}, {"none", 0.0}}) {
    double bound = 0;
    EXPECT_TRUE(scorer->BoundScores(given.task(task), {}, std::span(&bound, 1))) << task;
    EXPECT_EQ(bound, want) << task;
  }
}

// ---- one queue's rules, group by group

struct GroupRow {
  const char* name;
  std::vector<std::string> required, preferred, never, rather_not;
  const char* group;  // of the node; "": it has none
  bool strict = true;
  const char* why;  // "": the node takes the task
  double score = 0;
};

class NodeGroupRulesTest : public testing::TestWithParam<GroupRow> {};

TEST_P(NodeGroupRulesTest, SayWhichNodesAQueuesTasksMayUse) {
  const GroupRow& row = GetParam();
  testutil::TestCluster given;
  kube::Queue queue = testutil::MakeQueue("q");
  if (!row.required.empty() || !row.preferred.empty()) {
    queue.affinity.emplace().affinity = {.required = row.required, .preferred = row.preferred};
  }
  if (!row.never.empty() || !row.rather_not.empty()) {
    if (!queue.affinity) queue.affinity.emplace();
    queue.affinity->anti_affinity = {.required = row.never, .preferred = row.rather_not};
  }
  given.Add(std::move(queue)).Add(testutil::MakeGroup("g", "q", 1));
  given.Add(testutil::MakePod("p", "g", {{"cpu", "1"}}));
  kube::Node node = testutil::MakeNode("n", {{"cpu", "1"}});
  if (*row.group) node.meta.labels.Set("volcano.sh/nodegroup-name", row.group);
  given.Add(std::move(node));
  Config config = testutil::OneTier({"nodegroup"});
  config.tiers[0].plugins[0].arguments = Arguments({{"strict", row.strict}});
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_EQ(session.Filter(given.task("p"), given.node("n")).reason, row.why);
  EXPECT_EQ(session.Score(given.task("p"), given.node("n")), row.score);
}

constexpr const char* kNoLabel = "node group label not found";
constexpr const char* kNoRules = "node group affinity not specified";
constexpr const char* kNotAllowed = "node does not satisfy the node group affinity";
INSTANTIATE_TEST_SUITE_P(
    NodeGroup, NodeGroupRulesTest,
    testing::ValuesIn<GroupRow>({
        {.name = "ARequiredGroup", .required = {"a"}, .group = "a", .why = "", .score = 100},
        {.name = "APreferredGroup", .preferred = {"a"}, .group = "a", .why = "", .score = 50},
        {.name = "OneThatIsBoth",
         .required = {"a"},
         .preferred = {"a"},
         .group = "a",
         .why = "",
         .score = 150},
        {.name = "AnotherGroup", .required = {"a"}, .group = "b", .why = kNotAllowed},
        {.name = "AGroupThatIsForbidden", .never = {"a"}, .group = "a", .why = kNotAllowed},
        {.name = "OneThatIsForbiddenThoughItIsRequired",
         .required = {"a"},
         .never = {"a"},
         .group = "a",
         .why = kNotAllowed,
         .score = 100},
        {.name = "OneThatTheQueueHadRatherAvoid",
         .rather_not = {"a"},
         .group = "a",
         .why = "",
         .score = -1},
        {.name = "AGroupOfWhichTheRulesSayNothing",
         .rather_not = {"a"},
         .group = "b",
         .why = kNotAllowed},
        {.name = "ANodeWithoutAGroupAndAQueueWithRules",
         .required = {"a"},
         .group = "",
         .why = kNoLabel},
        {.name = "ANodeWithoutAGroupAndAQueueWithRulesLoosely",
         .required = {"a"},
         .group = "",
         .strict = false,
         .why = kNoLabel},
        {.name = "NeitherStrictly", .group = "", .why = kNoLabel},
        {.name = "NeitherLoosely", .group = "", .strict = false, .why = ""},
        {.name = "AQueueWithoutRulesAndANodeWithAGroup",
         .group = "a",
         .strict = false,
         .why = kNoRules},
    }),
    [](const auto& row) { return std::string(row.param.name); });

TEST(NodeGroupTest, OfPreferredGroupsTheEarlierCountMoreWhereThatIsAskedFor) {
  testutil::TestCluster given;
  kube::Queue queue = testutil::MakeQueue("q");
  queue.affinity.emplace().affinity.emplace().preferred = {"a", "b"};
  given.Add(std::move(queue)).Add(testutil::MakeGroup("g", "q", 1));
  given.Add(testutil::MakePod("p", "g", {{"cpu", "1"}}));
  for (const char* group : {"a", "b"}) {
    kube::Node node = testutil::MakeNode(group, {{"cpu", "1"}});
    node.meta.labels.Set("volcano.sh/nodegroup-name", group);
    given.Add(std::move(node));
  }
  Config config = testutil::OneTier({"nodegroup"});
  config.tiers[0].plugins[0].arguments = Arguments({{"enablePreferredOrder", true}});
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_EQ(session.Score(given.task("p"), given.node("a")), 50);
  EXPECT_EQ(session.Score(given.task("p"), given.node("b")), 25);
}

TEST(NodeGroupTest, AQueueWhoseParentDoesNotExistHasNoRulesButItsOwn) {
  testutil::TestCluster given;
  kube::Queue queue = testutil::MakeQueue("q");
  queue.parent = "missing";
  given.Add(std::move(queue)).Add(testutil::MakeGroup("g", "q", 1));
  given.Add(testutil::MakePod("p", "g", {{"cpu", "1"}})).Add(testutil::MakeNode("n", {}));
  Config config = testutil::OneTier({"nodegroup"});
  config.tiers[0].plugins[0].Set(Switch::kHierarchy, true);
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_EQ(session.Filter(given.task("p"), given.node("n")).reason, kNoLabel);
}

}  // namespace
}  // namespace basalt::scheduler::plugins
