#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/ids.h"
#include "model/node_ledger.h"

namespace basalt::model {

class Cluster;

// An amount that a node has of each dimension.
enum class NodeAmount : std::uint8_t { kAllocatable, kUsed, kPromised, kIdle, kFuture };
inline constexpr int kNodeAmounts = 5;

// The least and the most that the nodes of a block have of each amount. A view into a NodeIndex.
class NodeBox {
 public:
  NodeBox() = default;
  NodeBox(const double* least, const double* most, int dimensions)
      : least_(least), most_(most), dimensions_(dimensions) {}

  double Least(NodeAmount amount, int d) const {
    return d < dimensions_ ? least_[Column(amount, d)] : 0;
  }
  double Most(NodeAmount amount, int d) const {
    return d < dimensions_ ? most_[Column(amount, d)] : 0;
  }
  // By column.
  const double* most() const { return most_; }
  // Of CPU and memory: what Kubernetes assumes beyond the requests.
  double LeastAssumed(int d) const { return least_[1 + d]; }
  double MostAssumed(int d) const { return most_[1 + d]; }
  // The first of them in the order of names.
  std::uint32_t first_place() const { return static_cast<std::uint32_t>(least_[0]); }

  static constexpr int kColumnsBefore = 3;  // place, assumed CPU, assumed memory
  static int Column(NodeAmount amount, int d) {
    return kColumnsBefore + d * kNodeAmounts + static_cast<int>(amount);
  }

 private:
  const double* least_ = nullptr;
  const double* most_ = nullptr;
  int dimensions_ = 0;
};

// The nodes that exist, in blocks of nodes that are alike in what they have and hold, blocks in
// larger blocks, up to one. Of each block it knows the least and the most of every amount, so that
// a search for the best node can leave out a block that cannot have it. Owned by the Cluster, on
// its thread.
//
// A node that changes moves to the block that it fits best; blocks that are too full are split at
// the middle (an R-tree). After a quarter as many changes as there are nodes all of it is built
// anew, which keeps the blocks tight. A change costs O(log nodes).
class NodeIndex {
 public:
  explicit NodeIndex(const Cluster& cluster) : cluster_(cluster) {}

  // What the node has or holds has changed.
  void Changed(NodeId node);
  // Takes all changes in. Everything below is about the state at that time.
  void Refresh();

  using BlockId = std::uint32_t;
  bool empty() const { return blocks_.empty(); }
  BlockId root() const { return root_; }
  // The members of a leaf are nodes, those of others are blocks.
  bool IsLeaf(BlockId block) const { return blocks_[block].leaf; }
  std::span<const std::uint32_t> Members(BlockId block) const {
    return {blocks_[block].members.data(), blocks_[block].size};
  }
  // In the order of names.
  std::uint32_t Place(NodeId node) const { return static_cast<std::uint32_t>(*Point(node.value)); }
  int dimensions() const { return dimensions_; }
  NodeBox Box(BlockId block) const { return {Least(block), Most(block), dimensions_}; }

  // What is wrong with it ("": nothing); for tests.
  std::string Check() const;

 private:
  static constexpr std::uint32_t kMostMembers = 16;
  static constexpr std::uint32_t kMembersAtFirst = 11;  // leaves room for changes
  static constexpr BlockId kNone = 0xffffffffu;

  struct Block {
    BlockId parent = kNone;
    std::uint32_t size = 0;
    bool leaf = true;
    std::array<std::uint32_t, kMostMembers + 1> members;
  };

  const double* Least(BlockId block) const { return boxes_.data() + 2 * columns_ * block; }
  const double* Most(BlockId block) const { return Least(block) + columns_; }
  double* Least(BlockId block) { return boxes_.data() + 2 * columns_ * block; }
  double* Most(BlockId block) { return Least(block) + columns_; }
  double* Point(std::uint32_t node) { return points_.data() + columns_ * node; }
  const double* Point(std::uint32_t node) const { return points_.data() + columns_ * node; }

  void Rebuild();
  void ReadPoint(std::uint32_t node);
  void MakeLeaves(std::span<std::uint32_t> nodes, std::vector<BlockId>* leaves);
  BlockId NewBlock(bool leaf);
  void AddMember(BlockId block, std::uint32_t member);
  void RemoveMember(BlockId block, std::uint32_t member);
  void Insert(std::uint32_t node);
  void Remove(std::uint32_t node);
  void Split(BlockId block);
  bool FitBox(BlockId block);  // to the members; false: it is as it was
  std::size_t WidestColumn(const double* least, const double* most) const;

  const Cluster& cluster_;
  int dimensions_ = 0;
  std::size_t columns_ = 0;  // a multiple of 4
  std::uint64_t node_set_generation_ = ~0ull;
  std::size_t changes_ = 0;  // since all was built

  std::vector<double> scale_;   // by column: how much a distance counts
  std::vector<double> points_;  // by node id, then column
  std::vector<BlockId> leaf_of_;
  std::vector<Block> blocks_;
  std::vector<double> boxes_;  // by block: least of each column, most of each column
  std::vector<BlockId> free_blocks_;
  BlockId root_ = kNone;

  std::vector<NodeId> changed_;
  std::vector<bool> is_changed_;  // by node id
  std::vector<double> scratch_;
};

}  // namespace basalt::model
