#include "scheduler/framework/node_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

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

// What a score that prefers what is idle was asked.
struct IdleScoreLog {
  double per_core = 1;
  bool bounds_parts = true;  // false: only of all nodes together
  std::size_t boxes = 0;     // of which it gave bounds
  std::size_t scored = 0;
  int calls = 0;
};

class IdleScore final : public Plugin, public NodeScorer, public SessionObserver {
 public:
  explicit IdleScore(IdleScoreLog& log) : log_(log) {}
  void Open(const SessionView& view) override { view_ = &view; }
  DependsOn ScoreDependsOn(const Task&) const override { return DependsOn::kNode; }
  void ScoreNodes(const Task&, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    ++log_.calls;
    log_.scored += nodes.size();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] += log_.per_core * view_->cluster().ledger().idle(model::kCpu, nodes[i]);
    }
  }
  bool BoundScores(const Task&, std::span<const model::NodeBox> boxes,
                   std::span<double> bounds) const override {
    if (boxes.size() > 1 && !log_.bounds_parts) return false;
    log_.boxes += boxes.size();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      bounds[i] += log_.per_core * boxes[i].Most(model::NodeAmount::kIdle, model::kCpu);
    }
    return true;
  }

 private:
  IdleScoreLog& log_;
  const SessionView* view_ = nullptr;
};

class NodeSearchTest : public testing::Test {
 protected:
  void Start() {
    plugins_ = testutil::MakePlugins(testutil::OneTier({"idle"}),
                                     PluginRegistry{{{"idle", [this]() -> std::unique_ptr<Plugin> {
                                                        return std::make_unique<IdleScore>(log_);
                                                      }}}});
    session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  }
  // Nodes of 1 to 1000 cores, and as many Gi, at random; the one of the most cores.
  std::string AddNodes(int count, std::uint64_t seed) {
    Random random(seed);
    std::pair<std::uint64_t, std::string> largest;
    for (int i = 100; i < 100 + count; ++i) {
      const std::uint64_t cores = 1 + random.Below(1000);
      const std::string name = "n" + std::to_string(i);
      const std::string memory = std::to_string(1 + random.Below(1000)) + "Gi";
      given_.Add(MakeNode(name, {{"cpu", std::to_string(cores)}, {"memory", memory}}));
      if (cores > largest.first) largest = {cores, name};
    }
    return largest.second;
  }
  std::string Best(std::string_view pod) {
    const auto found = session_->finder().Best(given_.task(pod), Room::kChecked);
    return found ? given_.cluster.node(found->node).name : "none";
  }

  TestCluster given_;
  IdleScoreLog log_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

class NodeSearchSeedsTest : public NodeSearchTest, public testing::WithParamInterface<int> {};

TEST_P(NodeSearchSeedsTest, FindsTheBestOfManyNodesLookingAtFew) {
  const std::string largest = AddNodes(400, static_cast<std::uint64_t>(GetParam()));
  given_.Add(MakePod("p", "", {{"cpu", "1"}}));
  Start();
  EXPECT_EQ(Best("p"), largest);
  EXPECT_LE(log_.scored, 32u);  // of two blocks
}

INSTANTIATE_TEST_SUITE_P(Seeds, NodeSearchSeedsTest, testing::Range(1, 17));

TEST_F(NodeSearchTest, WhatTheLastSearchLeftOverIsNotLookedAt) {
  AddNodes(60, 1);
  given_.Add(MakePod("p", "", {{"cpu", "1"}}));
  Start();
  const std::string largest = Best("p");
  const std::size_t looked_at = log_.scored;
  log_.per_core = 0.001;
  EXPECT_EQ(Best("p"), largest);
  EXPECT_EQ(log_.scored, 2 * looked_at);
}

TEST_F(NodeSearchTest, WhereTheBoundsEndEveryNodeIsLookedAt) {
  log_.bounds_parts = false;
  const std::string largest = AddNodes(60, 1);
  given_.Add(MakePod("p", "", {{"cpu", "1"}}));
  Start();
  EXPECT_EQ(Best("p"), largest);
}

// What stands on the one node, of two cores, and of how many blocks a pod of one core asks bounds.
struct Standing {
  const char* name;
  const char* resource;
  const char* amount;
  bool leaves;
  std::size_t boxes;
};

TEST_F(NodeSearchTest, OnlyBlocksThatMayHaveRoomAreLookedInto) {
  const std::vector<Standing> rows = {
      {"nothing", "cpu", "0", false, 1},
      {"it is full", "cpu", "2", false, 0},
      {"it will be empty", "cpu", "2", true, 1},  // not for now, but for later
      {"more memory is used than it has", "memory", "2Gi", false, 0},
  };
  for (const Standing& row : rows) {
    TestCluster given;
    given.Add(MakeNode("n1", {{"cpu", "2"}, {"memory", "1Gi"}}));
    kube::Pod pod = testutil::MakeRunningPod("runs", "", {{row.resource, row.amount}}, "n1");
    if (row.leaves) pod.meta.deletion_timestamp = testutil::kTestNow;
    given.Add(std::move(pod)).Add(MakePod("p", "", {{"cpu", "1"}}));
    log_ = {};
    Start();
    session_.emplace(given.cluster, *plugins_, testutil::kTestNow);
    EXPECT_EQ(session_->finder().Best(given.task("p"), Room::kChecked).has_value(), row.boxes > 0)
        << row.name;
    EXPECT_EQ(log_.boxes, row.boxes) << row.name;
    session_.reset();
  }
}

TEST_F(NodeSearchTest, OfAResourceThatNoNodeHasNothingFitsAndMoreDoesNot) {
  kube::Queue queue = MakeQueue("q");
  queue.capability = testutil::Resources({{"example.com/gpu", "8"}});
  given_.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "2"}}));
  given_.Add(MakePod("nothing", "", {{"cpu", "1"}, {"example.com/gpu", "0"}}));
  given_.Add(MakePod("more", "", {{"cpu", "1"}, {"example.com/gpu", "1"}}));
  Start();
  EXPECT_EQ(Best("more"), "none");
  EXPECT_EQ(log_.calls, 0) << "no node was scored for that";
  EXPECT_EQ(Best("nothing"), "n1");
}

}  // namespace
}  // namespace basalt::scheduler
