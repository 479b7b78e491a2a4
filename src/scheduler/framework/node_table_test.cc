#include "scheduler/framework/node_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/framework/session.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::TestCluster;

// A filter that refuses one node and counts how often it is asked, and a score that is the same
// everywhere and of which no bounds are known, so that nodes are looked up in a table.
struct OneRefused {
  DependsOn depends_on = DependsOn::kCluster;
  bool tells_changes = true;
  bool for_good = false;
  std::string node;
  std::vector<NodeId> changed;  // of which the answer is another, since `changes` grew
  std::uint64_t changes = 0;
  int asked = 0;
};

class RefusesOne final : public Plugin, public NodeFilter, public NodeScorer {
 public:
  explicit RefusesOne(OneRefused& rule) : rule_(rule) {}
  void FilterParts(const Task&, std::vector<Part>* parts) const override {
    parts->push_back({rule_.depends_on, 0});
  }
  Verdict Filter(const Task&, const Node& node, int) const override {
    ++rule_.asked;
    if (node.name != rule_.node) return Verdict::Ok();
    return rule_.for_good ? Verdict::Unresolvable("refused") : Verdict::Unschedulable("refused");
  }
  Changes FindChanges(const Task&, int, std::vector<std::uint64_t>* seen,
                      std::vector<NodeId>* nodes) const override {
    if (!rule_.tells_changes) return Changes::kUnknown;
    const bool first = seen->empty();
    if (!first && seen->front() != rule_.changes) {
      nodes->insert(nodes->end(), rule_.changed.begin(), rule_.changed.end());
    }
    seen->assign(1, rule_.changes);
    return first ? Changes::kAny : Changes::kListed;
  }
  DependsOn ScoreDependsOn(const Task&) const override { return DependsOn::kNode; }
  void ScoreNodes(const Task&, std::span<const NodeId>, std::span<double>) const override {}

 private:
  OneRefused& rule_;
};

class NodeTableTest : public testing::Test {
 protected:
  // Nodes n00, n01 and so on, of one core each.
  void Start(int nodes, const OneRefused& rule = {}) {
    for (int i = 0; i < nodes; ++i) given_.Add(MakeNode(fmt::format("n{:02}", i), {{"cpu", "1"}}));
    given_.Add(MakePod("p", "", {{"cpu", "1"}})).Add(MakePod("other", "", {{"cpu", "1"}}));
    rule_ = rule;
    plugins_ = testutil::MakePlugins(testutil::OneTier({"one"}),
                                     PluginRegistry{{{"one", [this]() -> std::unique_ptr<Plugin> {
                                                        return std::make_unique<RefusesOne>(rule_);
                                                      }}}});
    session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  }
  std::string Best(Room room = Room::kChecked) {
    rule_.asked = 0;
    const auto found = session_->finder().Best(given_.task("p"), room);
    return found ? given_.cluster.node(found->node).name : "none";
  }
  // The node that is refused is another from now on.
  void Refuse(const std::string& node, std::initializer_list<const char*> changed) {
    rule_.node = node;
    rule_.changed.clear();
    for (const char* name : changed) rule_.changed.push_back(given_.node(name).id);
    ++rule_.changes;
  }
  FitFailure Explain() { return session_->finder().Explain(given_.task("p"), Room::kChecked); }

  TestCluster given_;
  OneRefused rule_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(NodeTableTest, AFilterThatTellsWhatChangedIsAskedAboutThatAlone) {
  Start(32);
  EXPECT_EQ(Best(), "n00");
  EXPECT_EQ(rule_.asked, 32);
  EXPECT_EQ(Best(), "n00");
  EXPECT_EQ(rule_.asked, 0);
  Refuse("n00", {"n00"});
  EXPECT_EQ(Best(), "n01");
  EXPECT_EQ(rule_.asked, 1);
  Refuse("n01", {"n00", "n01"});
  EXPECT_EQ(Best(), "n00");
  EXPECT_EQ(rule_.asked, 2);
}

TEST_F(NodeTableTest, AFilterThatCannotTellIsAskedAboutEveryNodeOnceEachTime) {
  Start(32, {.tells_changes = false});
  Refuse("n01", {});
  EXPECT_EQ(Best(), "n00");
  EXPECT_EQ(rule_.asked, 32);
  Refuse("n00", {});
  EXPECT_EQ(Best(), "n01");
  EXPECT_EQ(rule_.asked, 32);
}

TEST_F(NodeTableTest, ANodeThatIsRefusedForWhatIsElsewhereStaysSoWhenItChanges) {
  Start(2, {.node = "n00"});
  EXPECT_EQ(Best(Room::kIgnored), "n01");
  given_.cluster.Move(given_.task("other").id,
                      {.status = TaskStatus::kAllocated, .node = given_.node("n00").id});
  EXPECT_EQ(Best(Room::kIgnored), "n01");
}

TEST_F(NodeTableTest, ANodeThatHasChangedIsLookedAtOnceAndOthersAreNot) {
  Start(2, {.depends_on = DependsOn::kNode});
  EXPECT_EQ(Best(Room::kIgnored), "n00");
  EXPECT_EQ(rule_.asked, 2);
  const model::TaskId other = given_.task("other").id;
  given_.cluster.Move(other, {.status = TaskStatus::kAllocated, .node = given_.node("n00").id});
  given_.cluster.Move(other, {});
  ASSERT_EQ(given_.cluster.node_log().size(), 2u);
  EXPECT_EQ(Best(Room::kIgnored), "n00");
  EXPECT_EQ(rule_.asked, 1);
}

TEST_F(NodeTableTest, ALogOfChangesThatWasCutHidesNone) {
  Start(4);
  EXPECT_EQ(Best(), "n00");
  given_.cluster.Move(given_.task("other").id,
                      {.status = TaskStatus::kAllocated, .node = given_.node("n00").id});
  given_.cluster.CutNodeLog();
  EXPECT_EQ(Best(), "n01");
}

TEST_F(NodeTableTest, WhatAFilterThatCannotTellSaidBeforeIsNotHeldAgainstANode) {
  Start(2, {.tells_changes = false, .for_good = true, .node = "n00"});
  EXPECT_EQ(Best(Room::kIgnored), "n01");
  EXPECT_EQ(Best(), "n01");
  Refuse("", {});
  EXPECT_EQ(session_->finder().ForPreemption(given_.task("p")).size(), 2u);
  EXPECT_TRUE(Explain().nodes_by_reason.empty());
}

TEST_F(NodeTableTest, AFilterThatCannotTellIsAskedForAReasonTooThoughNobodyHasLookedForANode) {
  Start(1, {.tells_changes = false, .node = "n00"});
  using Reasons = std::vector<std::pair<std::string, int>>;
  EXPECT_EQ(Explain().nodes_by_reason, (Reasons{{"refused", 1}}));
}

// Of so many classes that are in use at a time the one goes that was not asked for longest.
TEST_F(NodeTableTest, OnlySoManyAreKept) {
  Start(1, {.depends_on = DependsOn::kNode});
  const auto asked = [&](int pod) {
    rule_.asked = 0;
    session_->finder().Best(given_.task(std::to_string(pod)), Room::kChecked);
    return rule_.asked;
  };
  for (int i = 0; i < 257; ++i) {
    given_.Add(MakePod(std::to_string(i), "", {{"cpu", fmt::format("{}m", i + 1)}}));
  }
  for (int i = 0; i < 257; ++i) EXPECT_EQ(asked(i), 1) << i;
  EXPECT_EQ(asked(1), 0);
  EXPECT_EQ(asked(0), 1) << "it was forgotten";
}

}  // namespace
}  // namespace basalt::scheduler
