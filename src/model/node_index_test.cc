#include "model/node_index.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
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
using testutil::MakeRunningPod;
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
  // All blocks, the larger ones before those in them.
  static std::vector<NodeIndex::BlockId> Blocks(const NodeIndex& index) {
    std::vector<NodeIndex::BlockId> blocks = {index.root()};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (index.IsLeaf(blocks[i])) continue;
      const auto members = index.Members(blocks[i]);
      blocks.insert(blocks.end(), members.begin(), members.end());
    }
    return blocks;
  }
  // In each leaf all nodes have as many CPUs.
  bool LeavesAreOfOneSize() {
    const NodeIndex& index = given_.cluster.FreshNodeIndex();
    return std::ranges::all_of(Blocks(index), [&](NodeIndex::BlockId block) {
      const NodeBox box = index.Box(block);
      return !index.IsLeaf(block) ||
             box.Least(NodeAmount::kAllocatable, kCpu) == box.Most(NodeAmount::kAllocatable, kCpu);
    });
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
  for (const NodeIndex::BlockId block : Blocks(index)) {
    if (!index.IsLeaf(block)) continue;
    EXPECT_EQ(index.Members(block).size(), 11u);
    for (const int d : {kCpu, kMemory}) {
      EXPECT_EQ(index.Box(block).Least(NodeAmount::kAllocatable, d),
                index.Box(block).Most(NodeAmount::kAllocatable, d));
    }
  }
}

TEST_F(NodeIndexTest, HowManyPodsANodeTakesIsTheLeastOfWhatNodesAreAlikeIn) {
  for (int i = 0; i < 22; ++i) {
    given_.Add(MakeNode("n" + std::to_string(i),
                        {{"cpu", i % 2 ? "8" : "64"}, {"pods", i % 4 < 2 ? "10" : "110"}}));
  }
  EXPECT_TRUE(LeavesAreOfOneSize());
}

TEST_F(NodeIndexTest, BlocksHaveRoomForChangesAtFirst) {
  Random random(19);
  for (int i = 0; i < 150; ++i) {
    AddNode(i, random);
    const NodeIndex& index = given_.cluster.FreshNodeIndex();
    for (const NodeIndex::BlockId block : Blocks(index)) {
      EXPECT_LE(index.Members(block).size(), 11u) << i;
    }
  }
}

TEST_F(NodeIndexTest, ABlockOfSeventeenIsSplitInTwoOfNodesThatAreAlike) {
  const auto name = [](int i) { return fmt::format("n{:02}", i); };
  for (int i = 0; i < 22; ++i) {
    given_.Add(MakeNode(name(i), {{"cpu", i < 11 ? "10" : i % 2 ? "60" : "64"}}));
  }
  const auto change = [&](int i, const char* cpus) {
    given_.Add(MakeNode(name(i), {{"cpu", cpus}}));
    ExpectRight("change of " + name(i));
    const NodeIndex& index = given_.cluster.FreshNodeIndex();
    return index.Members(index.root()).size();
  };
  ExpectRight("at first");
  int next = 0;
  for (const char* cpus : {"64", "60", "64", "60", "64"}) EXPECT_EQ(change(next++, cpus), 2u);
  EXPECT_EQ(change(next++, "64"), 3u);
  EXPECT_TRUE(LeavesAreOfOneSize());
  while (next < 10) EXPECT_EQ(change(next++, "60"), 3u);
  EXPECT_EQ(change(next++, "60"), 2u) << "nobody is left in the first";
  given_.Add(MakeNode("new", {{"cpu", "10"}}));
  ExpectRight("built anew");
}

TEST_F(NodeIndexTest, TheLargestBlockIsSplitToo) {
  // Leaves of eleven and of six nodes, each of its own size.
  const std::vector<int> sizes = {11, 11, 11, 6, 6, 11, 6, 6, 11, 6, 6};
  std::vector<std::vector<std::string>> leaves;
  const auto cpus = [](std::size_t leaf) { return std::to_string(10 + leaf); };
  int nodes = 0;
  for (const int size : sizes) {
    std::vector<std::string>& leaf = leaves.emplace_back();
    for (int i = 0; i < size; ++i) {
      leaf.push_back(fmt::format("n{:02}", nodes++));
      given_.Add(MakeNode(leaf.back(), {{"cpu", cpus(leaves.size() - 1)}}));
    }
  }
  const NodeIndex& index = given_.cluster.FreshNodeIndex();
  const auto top = [&] { return index.Members(index.root()).size(); };
  ASSERT_EQ(top(), 11u);
  ASSERT_TRUE(LeavesAreOfOneSize());
  const auto move = [&](const std::string& node, std::size_t leaf) {
    given_.Add(MakeNode(node, {{"cpu", cpus(leaf)}}));
    ExpectRight("move of " + node);
  };
  // All but one of each six go to those of eleven, six to each.
  std::vector<std::string> moved;
  for (const std::size_t leaf : {3, 4, 6, 7, 9, 10}) {
    moved.insert(moved.end(), leaves[leaf].begin(), leaves[leaf].end() - 1);
  }
  auto next = moved.begin();
  for (const std::size_t leaf : {0, 1, 2, 5, 8}) {
    for (int i = 0; i < 6; ++i) move(*next++, leaf);
  }
  EXPECT_EQ(top(), 16u);
  // One of the two that the first has become gets too large again.
  for (const std::size_t leaf : {1, 2, 5, 8}) {
    for (const int i : {0, 1}) move(leaves[leaf][i], 0);
  }
  EXPECT_EQ(top(), 2u);
}

TEST_F(NodeIndexTest, ANodeThatOnlyPodsNameIsNotAmongThem) {
  given_.Add(MakeNode("n", {{"cpu", "8"}}));
  ExpectRight("at first");
  given_.Add(MakeRunningPod("a", "", {{"cpu", "1"}}, "gone"));
  ExpectRight("named once");
  given_.Add(MakeNode("m", {{"cpu", "8"}}));
  ExpectRight("built anew");
  given_.Add(MakeRunningPod("b", "", {{"cpu", "1"}}, "gone"));
  ExpectRight("named again");
}

TEST_F(NodeIndexTest, WhatIsWrongWithItIsSaid) {
  Random random(23);
  for (int i = 0; i < 150; ++i) AddNode(i, random);
  const NodeIndex& index = given_.cluster.FreshNodeIndex();
  const auto said_with = [&](const auto& place, auto wrong) {
    auto& own = const_cast<decltype(wrong)&>(place);  // NOLINT: that is what this test is about
    const auto right = std::exchange(own, wrong);
    const std::string said = index.Check();
    own = right;
    return said;
  };
  const auto first = [&](NodeIndex::BlockId block) { return index.Members(block).front(); };
  const std::uint32_t above = first(index.root()), leaf = first(above), node = first(leaf);
  const std::uint32_t other_leaf = first(index.Members(index.root()).back());
  ASSERT_TRUE(index.IsLeaf(leaf) && index.IsLeaf(other_leaf));
  using testing::HasSubstr;
  EXPECT_THAT(said_with(index.Members(leaf).front(), first(other_leaf)),
              HasSubstr(fmt::format("node {} is lost\n", first(other_leaf))));
  EXPECT_THAT(said_with(index.Members(above).front(), other_leaf),
              HasSubstr(fmt::format("block {} is lost\n", other_leaf)));
  EXPECT_THAT(said_with(*index.Box(leaf).most(), -1.0),
              HasSubstr(fmt::format("node {} is outside of block {}\n", node, leaf)));
  EXPECT_THAT(said_with(*index.Box(above).most(), -1.0),
              HasSubstr(fmt::format("block {} is outside of block {}\n", leaf, above)));
  EXPECT_EQ(index.Check(), "");
  AddNode(150, random);
  EXPECT_EQ(index.Check(), "it has 150 nodes\n") << "nobody has told it of the last";
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
  EXPECT_LT(std::ranges::max(Blocks(given_.cluster.FreshNodeIndex())), 42u);
}

TEST_F(NodeIndexTest, ANodeThatChangesGoesToThoseThatItIsLikeNow) {
  for (int i = 0; i < 88; ++i) {
    given_.Add(MakeNode("n" + std::to_string(i), {{"cpu", i % 2 ? "8" : "64"}}));
  }
  ExpectRight("at first");
  for (const char* name : {"n1", "n3", "n5"}) given_.Add(MakeNode(name, {{"cpu", "64"}}));
  EXPECT_TRUE(LeavesAreOfOneSize());
}

}  // namespace
}  // namespace basalt::model
