#include "scheduler/framework/node_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "scheduler/framework/session.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::TestCluster;

// Which rules there are.
struct RuleSet {
  const char* name;
  bool of_object = false;   // a node's label refuses for good
  bool of_node = false;     // so does what is on it, for now
  bool of_cluster = false;  // and what is elsewhere
  bool tells_changes = false;
  bool scores = false;
  bool bounds = false;
  bool scores_together = false;
};

RuleSet rule_set;  // of the test that runs

constexpr int kOfObject = 1, kOfNode = 2, kOfCluster = 3;

class FinderRules final : public Plugin,
                          public NodeFilter,
                          public NodeScorer,
                          public BatchScorer,
                          public SessionObserver {
 public:
  void Open(const SessionView& view) override { view_ = &view; }
  void FilterParts(const Task&, std::vector<Part>* parts) const override {
    if (rule_set.of_object) parts->push_back({DependsOn::kStatic, kOfObject});
    if (rule_set.of_node) parts->push_back({DependsOn::kNode, kOfNode});
    if (rule_set.of_cluster) parts->push_back({DependsOn::kCluster, kOfCluster});
  }
  Verdict Filter(const Task&, const Node& node, int part) const override {
    switch (part) {
      case kOfObject:
        return node.object->meta.labels.Find("bad") ? Verdict::Unresolvable("bad") : Verdict::Ok();
      case kOfNode:
        return node.tasks.size() % 4 == 3 ? Verdict::Unschedulable("odd") : Verdict::Ok();
      default:
        if (node.object->meta.labels.Find("worse")) return Verdict::Unresolvable("worse");
        return (node.name.back() - '0' + Elsewhere() / 3) % 3 == 0
                   ? Verdict::Unschedulable("elsewhere")
                   : Verdict::Ok();
    }
  }
  Changes FindChanges(const Task&, int, std::vector<std::uint64_t>* seen,
                      std::vector<NodeId>*) const override {
    if (!rule_set.tells_changes) return Changes::kUnknown;
    const std::uint64_t now = Elsewhere() / 3;
    if (seen->size() == 1 && seen->front() == now) return Changes::kListed;
    seen->assign(1, now);
    return Changes::kAny;
  }
  DependsOn ScoreDependsOn(const Task&) const override {
    return rule_set.scores ? DependsOn::kNode : DependsOn::kNothing;
  }
  void ScoreNodes(const Task&, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    most_at_once = std::max(most_at_once, nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) scores[i] += ScoreOf(nodes[i]);
  }
  bool BoundScores(const Task&, std::span<const model::NodeBox> boxes,
                   std::span<double> bounds) const override {
    if (!rule_set.bounds) return false;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      bounds[i] += -std::floor(boxes[i].Least(model::NodeAmount::kIdle, model::kCpu) / 3000);
    }
    return true;
  }
  bool Concerns(const Task&) const override { return rule_set.scores_together; }
  void ScoreBatch(const Task&, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] += static_cast<double>((nodes[i].index() + nodes.size()) % 3);
    }
  }

  mutable std::size_t most_at_once = 0;  // nodes that were scored together

  double ScoreOf(NodeId node) const {
    return -std::floor(view_->cluster().ledger().idle(model::kCpu, node) / 3000);
  }

 private:
  // How many tasks have a node.
  std::uint64_t Elsewhere() const {
    std::uint64_t placed = 0;
    for (const NodeId id : view_->cluster().nodes())
      placed += view_->cluster().node(id).tasks.size();
    return placed;
  }
  const SessionView* view_ = nullptr;
};

FinderRules* made_rules = nullptr;  // the last

const PluginRegistry kFinderRules{{{"rules", []() -> std::unique_ptr<Plugin> {
                                      auto rules = std::make_unique<FinderRules>();
                                      made_rules = rules.get();
                                      return rules;
                                    }}}};

class NodeFinderByHandTest : public testing::TestWithParam<RuleSet> {
 protected:
  void Start(std::uint64_t seed, int nodes) {
    rule_set = GetParam();
    session_.reset();
    tasks_.clear();
    given_ = std::make_unique<TestCluster>();
    random_.emplace(seed);
    given_->Add(MakeQueue("q"));
    for (int i = 0; i < nodes; ++i) AddNode(i);
    for (int i = 0; i < 60; ++i) {
      given_->Add(i % 3 == 0   ? MakePod("p" + std::to_string(i), "", {{"cpu", "2"}})
                  : i % 3 == 1 ? MakePod("p" + std::to_string(i), "", {{"cpu", "500m"}})
                               : MakePod("p" + std::to_string(i), "", {{"memory", "1Gi"}}));
      tasks_.push_back(given_->task("p" + std::to_string(i)).id);
    }
    plugins_ = testutil::MakePlugins(testutil::OneTier({"rules"}), kFinderRules);
    session_.emplace(given_->cluster, *plugins_, testutil::kTestNow);
    rules_ = made_rules;
    ASSERT_NE(rules_, nullptr);
  }
  void AddNode(int i) {
    kube::Node node = MakeNode("n" + std::to_string(i),
                               {{"cpu", random_->Chance(0.5) ? "4" : "8"}, {"memory", "4Gi"}});
    if (random_->Chance(0.2)) node.meta.labels.Set("bad", "yes");
    if (random_->Chance(0.2)) node.meta.labels.Set("worse", "yes");
    given_->Add(std::move(node));
  }
  bool Refused(const Task& task, NodeId id, bool for_good = false) const {
    std::vector<NodeFilter::Part> parts;
    rules_->FilterParts(task, &parts);
    return std::ranges::any_of(parts, [&](const NodeFilter::Part& part) {
      const Verdict verdict = rules_->Filter(task, given_->cluster.node(id), part.number);
      return for_good ? verdict.code == Verdict::Code::kUnresolvable : !verdict.ok();
    });
  }
  std::vector<double> ScoresOf(const Task& task, const std::vector<NodeId>& nodes) const {
    std::vector<double> scores(nodes.size());
    if (rule_set.scores) rules_->ScoreNodes(task, nodes, scores);
    if (rule_set.scores_together && nodes.size() > 1) rules_->ScoreBatch(task, nodes, scores);
    return scores;
  }
  std::optional<NodeFinder::Found> BestByHand(const Task& task, NodeFinder::Room room) const {
    for (const bool now : {true, false}) {
      std::vector<NodeId> nodes;
      for (const NodeId id : given_->cluster.nodes()) {
        const bool idle = given_->cluster.ledger().FitsIdle(task.request(), id);
        const bool future = given_->cluster.ledger().FitsFuture(task.request(), id);
        const bool at_once = room == NodeFinder::Room::kIgnored || (idle && future);
        const bool fits = now ? at_once : !at_once && future;
        if (fits && !Refused(task, id)) nodes.push_back(id);
      }
      if (nodes.empty()) continue;
      const std::vector<double> scores = ScoresOf(task, nodes);
      const auto best = std::ranges::max_element(scores) - scores.begin();
      return NodeFinder::Found{.node = nodes[static_cast<std::size_t>(best)], .now = now};
    }
    return std::nullopt;
  }
  std::vector<NodeId> ForPreemptionByHand(const Task& task) const {
    std::vector<NodeId> nodes;
    for (const NodeId id : given_->cluster.nodes()) {
      if (!Refused(task, id, /*for_good=*/true)) nodes.push_back(id);
    }
    std::vector<double> scores(nodes.size());
    if (rule_set.scores) rules_->ScoreNodes(task, nodes, scores);
    if (rule_set.scores_together) rules_->ScoreBatch(task, nodes, scores);
    std::vector<std::size_t> order(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](auto a, auto b) { return scores[a] > scores[b]; });
    std::vector<NodeId> sorted;
    for (const std::size_t i : order) sorted.push_back(nodes[i]);
    return sorted;
  }
  // The reasons, the most frequent first.
  std::vector<std::pair<std::string, int>> ExplainByHand(const Task& task,
                                                         NodeFinder::Room room) const {
    std::vector<NodeFilter::Part> parts;
    rules_->FilterParts(task, &parts);
    std::map<std::string, int> counts;
    for (const NodeId id : given_->cluster.nodes()) {
      const auto lacks = given_->cluster.ledger().LackingInFuture(task.request(), id);
      if (room == NodeFinder::Room::kChecked && lacks != 0) {
        for (const std::string& name : given_->cluster.dimensions().Names(lacks)) {
          ++counts["Insufficient " + name];
        }
        continue;
      }
      for (const NodeFilter::Part& part : parts) {
        const Verdict verdict = rules_->Filter(task, given_->cluster.node(id), part.number);
        if (verdict.ok()) continue;
        ++counts[std::string(verdict.reason)];
        break;
      }
    }
    std::vector<std::pair<std::string, int>> reasons(counts.begin(), counts.end());
    std::ranges::stable_sort(reasons, [](auto& a, auto& b) { return a.second > b.second; });
    return reasons;
  }
  void Check(const Task& task, const std::string& when) {
    for (const auto room : {NodeFinder::Room::kChecked, NodeFinder::Room::kIgnored}) {
      const auto want = BestByHand(task, room);
      const auto got = session_->finder().Best(task, room);
      ASSERT_EQ(got.has_value(), want.has_value()) << when;
      ASSERT_EQ(session_->finder().Explain(task, room).nodes_by_reason, ExplainByHand(task, room))
          << when;
      if (!got) continue;
      ASSERT_EQ(given_->cluster.node(got->node).name, given_->cluster.node(want->node).name)
          << when;
      ASSERT_EQ(got->now, want->now) << when;
      const auto tried = session_->finder().Try(task, got->node, room);
      ASSERT_TRUE(tried.has_value()) << when;
      ASSERT_EQ(tried->now, got->now) << when;
    }
    ASSERT_EQ(session_->finder().ForPreemption(task), ForPreemptionByHand(task)) << when;
    for (const NodeId id : given_->cluster.nodes()) {
      const bool fits =
          given_->cluster.ledger().FitsFuture(task.request(), id) && !Refused(task, id);
      ASSERT_EQ(session_->finder().Try(task, id, NodeFinder::Room::kChecked).has_value(), fits)
          << when;
    }
    const FitFailure why = session_->finder().Explain(task, NodeFinder::Room::kChecked);
    ASSERT_EQ(why.nodes, static_cast<int>(given_->cluster.nodes().size()));
    ASSERT_EQ(why.no_node_suits,
              std::ranges::all_of(given_->cluster.nodes(),
                                  [&](NodeId id) {
                                    return rule_set.of_object &&
                                           given_->cluster.node(id).object->meta.labels.Find("bad");
                                  }))
        << when;
  }

  std::unique_ptr<TestCluster> given_;
  std::optional<Random> random_;
  std::vector<model::TaskId> tasks_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
  FinderRules* rules_ = nullptr;
};

// The answer is the same without; a cluster of thousands of nodes is not.
TEST_P(NodeFinderByHandTest, LooksAtAFewNodesWhereScoresHaveBounds) {
  if (!GetParam().scores) return;
  Start(1, 40);
  const auto looks_at_few = [&] {
    rules_->most_at_once = 0;
    session_->finder().Best(given_->cluster.task(tasks_[0]), NodeFinder::Room::kChecked);
    EXPECT_GT(rules_->most_at_once, 0u);
    return rules_->most_at_once < 20;
  };
  const bool searched = GetParam().bounds && !GetParam().scores_together;
  EXPECT_EQ(looks_at_few(), searched);
  if (!searched) return;
  for (int i = 1; i < 8; ++i) EXPECT_TRUE(looks_at_few()) << i;
  EXPECT_FALSE(looks_at_few()) << "asked for so often that a table pays";
  AddNode(40);
  EXPECT_TRUE(looks_at_few()) << "the nodes are others";
}

TEST_P(NodeFinderByHandTest, FindsWhatAskingEveryRuleAboutEveryNodeWouldFind) {
  for (const int nodes : {1, 5, 40}) {
    Start(static_cast<std::uint64_t>(nodes), nodes);
    Statement statement(*session_);
    for (int step = 0; step < 120; ++step) {
      const Task& task = given_->cluster.task(tasks_[random_->Below(tasks_.size())]);
      const std::string when = std::to_string(nodes) + " nodes, step " + std::to_string(step);
      if (task.status() == TaskStatus::kAllocated && random_->Chance(0.5)) {
        statement.Evict(task.id, "test");
        continue;
      }
      if (task.status() == TaskStatus::kPipelined) {
        statement.Unallocate(task.id);
        continue;
      }
      if (task.status() != TaskStatus::kPending) continue;
      Check(task, when);
      if (HasFatalFailure()) return;
      const auto best = session_->finder().Best(task, NodeFinder::Room::kChecked);
      if (!best) continue;
      if (best->now) {
        statement.Allocate(task.id, best->node);
      } else {
        statement.Pipeline(task.id, best->node, false);
      }
    }
    statement.Discard();
    // Nodes come and go, too.
    AddNode(nodes);
    if (nodes > 1) given_->cluster.RemoveNode("n0");
    Check(given_->cluster.task(tasks_[0]), "another set of nodes");
    if (HasFatalFailure()) return;
  }
}

// Whether what is elsewhere concerns a task may change with what is placed.
TEST_P(NodeFinderByHandTest, FollowsRulesThatComeAndGoWhileASessionLasts) {
  Start(3, 20);
  for (const bool elsewhere : {true, false, true}) {
    for (int i = 0; i < 20; ++i) Check(given_->cluster.task(tasks_[i % 3]), "before");
    rule_set.of_cluster = elsewhere;
    Check(given_->cluster.task(tasks_[0]), elsewhere ? "a rule more" : "a rule less");
    if (HasFatalFailure()) return;
  }
}

class NodeFinderFailureTest : public testing::Test {
 protected:
  // A pod that asks for what nobody offers, and one that does not.
  NodeFinderFailureTest() {
    rule_set = {.name = "", .of_object = true};
    given_.Add(MakePod("gpu", "", {{"cpu", "2"}, {"example.com/gpu", "1"}}));
    given_.Add(MakePod("plain", "", {{"cpu", "2"}}));
    plugins_ = testutil::MakePlugins(testutil::OneTier({"rules"}), kFinderRules);
    session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  }
  void AddNode(std::string name, std::string_view cpu, bool bad) {
    kube::Node node = MakeNode(std::move(name), {{"cpu", cpu}});
    if (bad) node.meta.labels.Set("bad", "yes");
    given_.Add(std::move(node));
  }

  TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(NodeFinderFailureTest, WhatNobodyOffersIsMissingOnEveryNodeThatNoRuleRefuses) {
  using Reasons = std::vector<std::pair<std::string, int>>;
  const auto reasons = [&] {
    return session_->finder().Explain(given_.task("gpu"), NodeFinder::Room::kChecked);
  };
  AddNode("bad", "4", true);
  EXPECT_EQ(reasons().nodes_by_reason, (Reasons{{"bad", 1}}));
  AddNode("good", "4", false);
  AddNode("small", "1", false);
  AddNode("smaller", "1", false);
  EXPECT_EQ(reasons().nodes_by_reason,
            (Reasons{{"Insufficient example.com/gpu", 3}, {"Insufficient cpu", 2}, {"bad", 1}}));
}

TEST_F(NodeFinderFailureTest, APodIsTriedOnANodeThatExistsAndForResourcesThatSomebodyOffers) {
  AddNode("n1", "4", false);
  given_.Add(testutil::MakeRunningPod("runs", "", {{"cpu", "1"}}, "n1"));
  const NodeId id = given_.node("n1").id;
  const auto fits = [&](std::string_view pod) {
    return session_->finder().Try(given_.task(pod), id, NodeFinder::Room::kIgnored).has_value();
  };
  EXPECT_TRUE(fits("plain"));
  EXPECT_FALSE(fits("gpu"));
  given_.cluster.RemoveNode("n1");  // its pod is still there
  EXPECT_FALSE(fits("plain"));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, NodeFinderByHandTest,
    testing::Values(
        RuleSet{.name = "None"}, RuleSet{.name = "OfObject", .of_object = true},
        RuleSet{.name = "OfNode", .of_node = true, .scores = true},
        RuleSet{
            .name = "OfBoth", .of_object = true, .of_node = true, .scores = true, .bounds = true},
        RuleSet{.name = "OfClusterAskedEachTime",
                .of_object = true,
                .of_cluster = true,
                .scores = true},
        RuleSet{.name = "OfClusterFollowed",
                .of_node = true,
                .of_cluster = true,
                .tells_changes = true,
                .scores = true},
        RuleSet{.name = "ScoredTogether", .of_node = true, .scores = true, .scores_together = true},
        RuleSet{.name = "All",
                .of_object = true,
                .of_node = true,
                .of_cluster = true,
                .tells_changes = true,
                .scores = true,
                .bounds = true,
                .scores_together = true}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace basalt::scheduler
