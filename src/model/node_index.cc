#include "model/node_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/vector_loop.h"
#include "model/cluster.h"

namespace basalt::model {
namespace {

BASALT_VECTOR_LOOP void Widen(std::size_t columns, const double* __restrict other_least,
                              const double* __restrict other_most, double* __restrict least,
                              double* __restrict most) {
  for (std::size_t c = 0; c < columns; ++c) {
    least[c] = other_least[c] < least[c] ? other_least[c] : least[c];
    most[c] = other_most[c] > most[c] ? other_most[c] : most[c];
  }
}

// How much a box must grow to hold the point.
BASALT_VECTOR_LOOP void Growth(std::size_t columns, const double* __restrict point,
                               const double* __restrict least, const double* __restrict most,
                               const double* __restrict scale, double* __restrict sums) {
  sums[0] = sums[1] = sums[2] = sums[3] = 0;
  for (std::size_t c = 0; c < columns; c += 4) {
    for (std::size_t i = 0; i < 4; ++i) {
      const double below = least[c + i] - point[c + i], above = point[c + i] - most[c + i];
      const double far = below > above ? below : above;
      sums[i] += (far > 0 ? far : 0) * scale[c + i];
    }
  }
}

}  // namespace

void NodeIndex::Changed(NodeId node) {
  if (node.index() >= is_changed_.size()) is_changed_.resize(node.index() + 1);
  if (is_changed_[node.index()]) return;
  is_changed_[node.index()] = true;
  changed_.push_back(node);
}

void NodeIndex::Refresh() {
  if (node_set_generation_ != cluster_.node_set_generation() ||
      dimensions_ != cluster_.ledger().dimensions() ||
      4 * (changes_ + changed_.size()) > cluster_.nodes().size() + 64) {
    Rebuild();
  } else {
    for (const NodeId node : changed_) {
      if (node.index() >= leaf_of_.size() || leaf_of_[node.index()] == kNone) continue;
      Remove(node.value);
      ReadPoint(node.value);
      Insert(node.value);
      ++changes_;
    }
  }
  for (const NodeId node : changed_) is_changed_[node.index()] = false;
  changed_.clear();
}

// ---- all of it

void NodeIndex::ReadPoint(std::uint32_t node) {
  const NodeLedger& ledger = cluster_.ledger();
  double* point = Point(node);
  point[1] = ledger.assumed(kCpu)[node];
  point[2] = ledger.assumed(kMemory)[node];
  for (int d = 0; d < dimensions_; ++d) {
    double* amounts = point + NodeBox::kColumnsBefore + d * kNodeAmounts;
    amounts[0] = ledger.allocatable(d)[node];
    amounts[1] = ledger.used(d)[node];
    amounts[2] = ledger.promised(d)[node];
    amounts[3] = ledger.idle(d)[node];
    amounts[4] = ledger.future(d)[node];
  }
}

void NodeIndex::Rebuild() {
  const std::vector<NodeId>& nodes = cluster_.nodes();
  node_set_generation_ = cluster_.node_set_generation();
  dimensions_ = cluster_.ledger().dimensions();
  changes_ = 0;
  const auto used = static_cast<std::size_t>(NodeBox::kColumnsBefore + dimensions_ * kNodeAmounts);
  columns_ = (used + 3) / 4 * 4;
  const std::size_t slots = cluster_.node_slots().bound();
  points_.assign(slots * columns_, 0.0);
  leaf_of_.assign(slots, kNone);
  blocks_.clear();
  boxes_.clear();
  free_blocks_.clear();
  root_ = kNone;
  if (nodes.empty()) return;

  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  std::vector<double> largest(static_cast<std::size_t>(dimensions_), 1.0);
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    const std::uint32_t node = nodes[place].value;
    order.push_back(node);
    Point(node)[0] = static_cast<double>(place);
    ReadPoint(node);
    for (int d = 0; d < dimensions_; ++d) {
      largest[d] = std::max(largest[d], Point(node)[NodeBox::Column(NodeAmount::kAllocatable, d)]);
    }
  }
  // Distances are parts of the largest node. The number of pods decides where a task fits, but no
  // score; what is idle follows from the rest; the place only tells equal nodes apart.
  scale_.assign(columns_, 0.0);
  scale_[0] = 1e-9 / static_cast<double>(nodes.size());
  scale_[1] = 1 / largest[kCpu];
  scale_[2] = 1 / largest[kMemory];
  for (int d = 0; d < dimensions_; ++d) {
    for (const NodeAmount amount :
         {NodeAmount::kAllocatable, NodeAmount::kUsed, NodeAmount::kPromised}) {
      scale_[NodeBox::Column(amount, d)] = (d == kPods ? 0.01 : 1) / largest[d];
    }
  }

  std::vector<BlockId> level;
  MakeLeaves(order, &level);
  while (level.size() > 1) {
    std::vector<BlockId> above;
    // Neighbours in this order are alike.
    const std::size_t groups = (level.size() + kMembersAtFirst - 1) / kMembersAtFirst;
    for (std::size_t g = 0; g < groups; ++g) {
      const BlockId block = NewBlock(false);
      for (std::size_t i = g * level.size() / groups; i < (g + 1) * level.size() / groups; ++i) {
        AddMember(block, level[i]);
      }
      FitBox(block);
      above.push_back(block);
    }
    level = std::move(above);
  }
  root_ = level.front();
}

std::size_t NodeIndex::WidestColumn(const double* least, const double* most) const {
  std::size_t widest = 0;
  double width = -1;
  for (std::size_t c = 0; c < columns_; ++c) {
    const double w = (most[c] - least[c]) * scale_[c];
    if (w > width) {
      width = w;
      widest = c;
    }
  }
  return widest;
}

void NodeIndex::MakeLeaves(std::span<std::uint32_t> nodes, std::vector<BlockId>* leaves) {
  if (nodes.size() <= kMembersAtFirst) {
    const BlockId block = NewBlock(true);
    for (const std::uint32_t node : nodes) AddMember(block, node);
    FitBox(block);
    leaves->push_back(block);
    return;
  }
  scratch_.assign(2 * columns_, std::numeric_limits<double>::lowest());
  std::fill_n(scratch_.begin(), columns_, std::numeric_limits<double>::max());
  for (const std::uint32_t node : nodes) {
    Widen(columns_, Point(node), Point(node), scratch_.data(), scratch_.data() + columns_);
  }
  const std::size_t column = WidestColumn(scratch_.data(), scratch_.data() + columns_);
  const std::size_t middle = nodes.size() / 2;
  std::ranges::nth_element(
      nodes, nodes.begin() + static_cast<std::ptrdiff_t>(middle), {},
      [&](std::uint32_t node) { return std::pair(Point(node)[column], Point(node)[0]); });
  MakeLeaves(nodes.first(middle), leaves);
  MakeLeaves(nodes.subspan(middle), leaves);
}

// ---- blocks

NodeIndex::BlockId NodeIndex::NewBlock(bool leaf) {
  BlockId block;
  if (free_blocks_.empty()) {
    block = static_cast<BlockId>(blocks_.size());
    blocks_.emplace_back();
    boxes_.resize(boxes_.size() + 2 * columns_);
  } else {
    block = free_blocks_.back();
    free_blocks_.pop_back();
    blocks_[block] = {};
  }
  blocks_[block].leaf = leaf;
  return block;
}

void NodeIndex::AddMember(BlockId id, std::uint32_t member) {
  Block& block = blocks_[id];
  block.members[block.size++] = member;
  if (block.leaf) {
    leaf_of_[member] = id;
  } else {
    blocks_[member].parent = id;
  }
}

void NodeIndex::RemoveMember(BlockId id, std::uint32_t member) {
  Block& block = blocks_[id];
  const auto end = block.members.begin() + block.size;
  const auto it = std::find(block.members.begin(), end, member);
  BASALT_CHECK(it != end);
  *it = *(end - 1);
  --block.size;
}

bool NodeIndex::FitBox(BlockId id) {
  const Block& block = blocks_[id];
  scratch_.assign(2 * columns_, std::numeric_limits<double>::lowest());
  std::fill_n(scratch_.begin(), columns_, std::numeric_limits<double>::max());
  for (std::uint32_t i = 0; i < block.size; ++i) {
    const std::uint32_t member = block.members[i];
    const double* least = block.leaf ? Point(member) : Least(member);
    Widen(columns_, least, block.leaf ? least : least + columns_, scratch_.data(),
          scratch_.data() + columns_);
  }
  double* box = Least(id);
  if (std::equal(scratch_.begin(), scratch_.end(), box)) return false;
  std::ranges::copy(scratch_, box);
  return true;
}

void NodeIndex::Remove(std::uint32_t node) {
  BlockId block = leaf_of_[node];
  leaf_of_[node] = kNone;
  RemoveMember(block, node);
  while (blocks_[block].size == 0 && block != root_) {
    const BlockId parent = blocks_[block].parent;
    RemoveMember(parent, block);
    free_blocks_.push_back(block);
    block = parent;
  }
  while (block != kNone && FitBox(block)) block = blocks_[block].parent;
}

void NodeIndex::Insert(std::uint32_t node) {
  const double* point = Point(node);
  // The last node may have been the only one.
  if (blocks_[root_].size == 0) blocks_[root_].leaf = true;
  BlockId block = root_;
  while (true) {
    Widen(columns_, point, point, Least(block), Most(block));
    if (blocks_[block].leaf) break;
    BlockId nearest = kNone;
    double least_growth = std::numeric_limits<double>::infinity();
    for (const BlockId child : Members(block)) {
      double sums[4];
      Growth(columns_, point, Least(child), Most(child), scale_.data(), sums);
      const double growth = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      if (growth < least_growth) {
        least_growth = growth;
        nearest = child;
      }
    }
    block = nearest;
  }
  AddMember(block, node);
  if (blocks_[block].size > kMostMembers) Split(block);
}

void NodeIndex::Split(BlockId id) {
  const BlockId other = NewBlock(blocks_[id].leaf);
  Block& block = blocks_[id];
  const std::size_t column = WidestColumn(Least(id), Most(id));
  const auto key = [&](std::uint32_t member) {
    return block.leaf ? std::pair(Point(member)[column], Point(member)[0])
                      : std::pair(Least(member)[column] + Most(member)[column],
                                  static_cast<double>(member));
  };
  std::ranges::sort(std::span(block.members.data(), block.size), {}, key);
  const std::uint32_t all = block.size;
  block.size = all / 2;
  for (std::uint32_t i = block.size; i < all; ++i) AddMember(other, block.members[i]);
  FitBox(id);
  FitBox(other);
  if (id == root_) {
    root_ = NewBlock(false);
    AddMember(root_, id);
    AddMember(root_, other);
    FitBox(root_);
    return;
  }
  const BlockId parent = block.parent;
  AddMember(parent, other);
  if (blocks_[parent].size > kMostMembers) Split(parent);
}

std::string NodeIndex::Check() const {
  std::size_t found = 0;
  std::string wrong;
  const auto inside = [&](const double* least, const double* most, BlockId block) {
    for (std::size_t c = 0; c < columns_; ++c) {
      if (least[c] < Least(block)[c] || most[c] > Most(block)[c]) return false;
    }
    return true;
  };
  const auto visit = [&](const auto& self, BlockId block) -> void {
    for (const std::uint32_t member : Members(block)) {
      if (IsLeaf(block)) {
        ++found;
        if (leaf_of_[member] != block) wrong += fmt::format("node {} is lost\n", member);
        if (!inside(Point(member), Point(member), block)) {
          wrong += fmt::format("node {} is outside of block {}\n", member, block);
        }
      } else {
        if (blocks_[member].parent != block) wrong += fmt::format("block {} is lost\n", member);
        if (!inside(Least(member), Most(member), block)) {
          wrong += fmt::format("block {} is outside of block {}\n", member, block);
        }
        self(self, member);
      }
    }
  };
  if (root_ != kNone) visit(visit, root_);
  if (found != cluster_.nodes().size()) wrong += fmt::format("it has {} nodes\n", found);
  return wrong;
}

}  // namespace basalt::model
