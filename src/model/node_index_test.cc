#include "model/node_index.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/model/test_cluster.h"

namespace basalt::model {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::TestCluster;

double AmountOf(const NodeLedger& ledger, NodeAmount amount, int d, NodeId node) {
  switch (amount) {
    case NodeAmount::kAllocatable: return ledger.Allocatable(node)[d];
    case NodeAmount::kUsed: return ledger.Used(node)[d];
    case NodeAmount::kPromised: return ledger.Promised(node)[d];
    case NodeAmount::kIdle: return ledger.idle(d, node);
    case NodeAmount::kFuture: return ledger.future(d, node);
  }
  return 0;
}

class NodeIndexTest : public testing::Test {
 protected:
  // Every node is in one leaf, and the boxes are as tight as their nodes are.
  void ExpectRight(const std::string& when) {
    const NodeIndex& index = given_.cluster.FreshNodeIndex();
    ASSERT_EQ(index.Check(), "") << when;
    ASSERT_EQ(index.empty(), given_.cluster.nodes().empty()) << when;
    std::multiset<std::uint32_t> seen;
    if (!index.empty()) Look(index, index.root(), &seen);
    std::multiset<std::uint32_t> all;
    for (const NodeId node : given_.cluster.nodes()) all.insert(node.value);
    ASSERT_EQ(seen, all) << when;
  }
  // The nodes below the block.
  std::vector<NodeId> Look(const NodeIndex& index, NodeIndex::BlockId block,
                           std::multiset<std::uint32_t>* seen) {
    std::vector<NodeId> nodes;
    EXPECT_LE(index.Members(block).size(), 16u);
    EXPECT_GE(index.Members(block).size(), 1u);
    for (const std::uint32_t member : index.Members(block)) {
      if (index.IsLeaf(block)) {
        seen->insert(member);
        nodes.push_back(NodeId{member});
      } else {
        const std::vector<NodeId> below = Look(index, member, seen);
        nodes.insert(nodes.end(), below.begin(), below.end());
      }
    }
    const NodeBox box = index.Box(block);
    const NodeLedger& ledger = given_.cluster.ledger();
    for (int d = 0; d < index.dimensions(); ++d) {
      for (const NodeAmount amount :
           {NodeAmount::kAllocatable, NodeAmount::kUsed, NodeAmount::kPromised, NodeAmount::kIdle,
            NodeAmount::kFuture}) {
        std::vector<double> amounts;
        for (const NodeId node : nodes) amounts.push_back(AmountOf(ledger, amount, d, node));
        EXPECT_EQ(box.Least(amount, d), std::ranges::min(amounts));
        EXPECT_EQ(box.Most(amount, d), std::ranges::max(amounts));
      }
    }
    std::uint32_t first = ~0u;
    for (const NodeId node : nodes) first = std::min(first, index.Place(node));
    EXPECT_EQ(box.first_place(), first);
    return nodes;
  }
  void AddNode(int i, Random& random) {
    given_.Add(MakeNode("n" + std::to_string(i),
                        {{"cpu", random.Chance(0.5) ? "8" : "64"}, {"memory", "32Gi"}}));
  }
  void AddPods(int count) {
    for (int i = 0; i < count; ++i) {
      given_.Add(MakePod("p" + std::to_string(i), "", {{"cpu", i % 2 ? "1" : "500m"}}));
      pods_.push_back(given_.task("p" + std::to_string(i)).id);
    }
  }
  void MoveOne(Random& random) {
    const Task& task = given_.cluster.task(pods_[random.Below(pods_.size())]);
    if (task.status() != TaskStatus::kPending) return given_.cluster.Move(task.id, {});
    const std::vector<NodeId>& nodes = given_.cluster.nodes();
    given_.cluster.Move(
        task.id, {.status = random.Chance(0.6) ? TaskStatus::kAllocated : TaskStatus::kPipelined,
                  .node = nodes[random.Below(nodes.size())]});
  }

  TestCluster given_;
  std::vector<TaskId> pods_;
};

TEST_F(NodeIndexTest, WithoutNodesItIsEmpty) { ExpectRight("at first"); }

TEST_F(NodeIndexTest, NodesAreInBlocksOfAtMostSixteenThatAreAsTightAsTheirNodes) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    AddNode(i, random);
    if (i < 20 || i % 37 == 0) ExpectRight("with " + std::to_string(i + 1));
    if (HasFailure()) return;
  }
}

TEST_F(NodeIndexTest, FollowsWhatNodesHoldChangeByChange) {
  Random random(11);
  for (int i = 0; i < 120; ++i) AddNode(i, random);
  AddPods(200);
  for (int step = 0; step < 400; ++step) {
    for (std::uint64_t moves = 1 + random.Below(4); moves > 0; --moves) MoveOne(random);
    ExpectRight("step " + std::to_string(step));
    if (HasFailure()) return;
  }
}

TEST_F(NodeIndexTest, ManyNodesThatBecomeAlikeSplitTheirBlock) {
  Random random(13);
  for (int i = 0; i < 60; ++i) given_.Add(MakeNode("n" + std::to_string(i), {{"cpu", "100"}}));
  AddPods(60);
  // Half of them change in the same way, one after the other.
  for (int i = 0; i < 30; ++i) {
    given_.cluster.Move(pods_[i], {.status = TaskStatus::kAllocated,
                                   .node = given_.node("n" + std::to_string(2 * i)).id});
    ExpectRight("change " + std::to_string(i));
    if (HasFailure()) return;
  }
}

TEST_F(NodeIndexTest, FollowsNodesThatComeGoAndChangeTheirSize) {
  Random random(17);
  for (int i = 0; i < 40; ++i) AddNode(i, random);
  AddPods(50);
  for (int step = 0; step < 60; ++step) {
    MoveOne(random);
    const int node = static_cast<int>(random.Below(60));
    if (random.Chance(0.3) && given_.cluster.FindNode("n" + std::to_string(node))) {
      given_.cluster.RemoveNode("n" + std::to_string(node));
    } else {
      AddNode(node, random);
    }
    ExpectRight("step " + std::to_string(step));
    if (HasFailure()) return;
  }
  given_.Add(MakeNode("gpus", {{"cpu", "8"}, {"nvidia.com/gpu", "4"}}));
  ExpectRight("with a resource more");
}

// Blocks are of use only where their nodes are alike: then a whole block can be left out.
TEST_F(NodeIndexTest, NodesThatAreAlikeShareABlock) {
  for (int i = 0; i < 88; ++i) {
    given_.Add(MakeNode("n" + std::to_string(i),
                        {{"cpu", i % 2 ? "8" : "64"}, {"memory", i % 4 < 2 ? "1Gi" : "9Gi"}}));
  }
  const NodeIndex& index = given_.cluster.FreshNodeIndex();
  const auto look = [&](const auto& self, NodeIndex::BlockId block) -> void {
    if (!index.IsLeaf(block)) {
      for (const std::uint32_t member : index.Members(block)) self(self, member);
      return;
    }
    EXPECT_EQ(index.Members(block).size(), 11u);
    for (const int d : {kCpu, kMemory}) {
      EXPECT_EQ(index.Box(block).Least(NodeAmount::kAllocatable, d),
                index.Box(block).Most(NodeAmount::kAllocatable, d));
    }
  };
  look(look, index.root());
}

TEST_F(NodeIndexTest, BlocksThatEmptyAreUsedAgainWhereOthersAreSplit) {
  // Leaves of eleven, each of its own size; then all go where the first stand, one after the other.
  const auto size = [](int leaf) { return std::to_string(10 + leaf); };
  const auto name = [](int i) { return fmt::format("n{:03}", i); };
  for (int i = 0; i < 352; ++i) given_.Add(MakeNode(name(i), {{"cpu", size(i / 11)}}));
  ExpectRight("at first");
  for (int i = 351; i > 255; --i) {
    given_.Add(MakeNode(name(i), {{"cpu", size(0)}}));
    ExpectRight("change of " + name(i));
    if (HasFailure()) return;
  }
}

TEST_F(NodeIndexTest, ANodeThatChangesGoesToThoseThatItIsLikeNow) {
  for (int i = 0; i < 88; ++i) {
    given_.Add(MakeNode("n" + std::to_string(i), {{"cpu", i % 2 ? "8" : "64"}}));
  }
  ExpectRight("at first");
  for (const char* name : {"n1", "n3", "n5"}) given_.Add(MakeNode(name, {{"cpu", "64"}}));
  const NodeIndex& index = given_.cluster.FreshNodeIndex();
  const auto look = [&](const auto& self, NodeIndex::BlockId block) -> void {
    if (index.IsLeaf(block)) {
      EXPECT_EQ(index.Box(block).Least(NodeAmount::kAllocatable, kCpu),
                index.Box(block).Most(NodeAmount::kAllocatable, kCpu));
      return;
    }
    for (const std::uint32_t member : index.Members(block)) self(self, member);
  };
  look(look, index.root());
}

}  // namespace
}  // namespace basalt::model
