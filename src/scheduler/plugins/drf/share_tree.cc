#include "scheduler/plugins/drf/share_tree.h"

#include <algorithm>
#include <charconv>

namespace basalt::scheduler::plugins {

using model::Amounts;

namespace {

std::vector<std::string_view> SplitPath(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == path.npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

double ParseWeight(std::string_view text) {
  double weight = 1;
  std::from_chars(text.data(), text.data() + text.size(), weight);
  return std::max(weight, 1.0);
}

// Some resource of it is used up: all that the job wants, or all that there is.
bool IsSaturated(const Amounts& allocated, const Amounts& request, model::DimensionSet demanding) {
  bool saturated = false;
  model::ForEachDimension(allocated.NonZero(), [&](int d) {
    if (request[d] == 0) return;
    saturated = saturated || allocated[d] >= request[d] || !(demanding & model::Bit(d));
  });
  return saturated;
}

}  // namespace

void ShareTree::AddJob(std::string_view path, std::string_view weights, std::string key,
                       const Amounts& allocated, const Amounts& request) {
  const auto names = SplitPath(path);
  const auto weight_texts = SplitPath(weights);
  TreeNode* at = &root_;
  for (std::size_t i = 1; i < names.size(); ++i) {
    auto it = at->children.find(names[i]);
    if (it == at->children.end()) {
      it = at->children.emplace(names[i], std::make_unique<TreeNode>()).first;
      if (i < weight_texts.size()) it->second->weight = ParseWeight(weight_texts[i]);
    }
    at = it->second.get();
  }
  auto job = std::make_unique<TreeNode>();
  job->is_job = true;
  job->allocated = allocated;
  job->request = request;
  job->share = DominantShare(allocated, total_);
  at->children[std::move(key)] = std::move(job);
  total_allocated_.Add(allocated);
}

void ShareTree::Compute() {
  model::DimensionSet demanding = 0;
  model::ForEachDimension(total_.NonZero(), [&](int d) {
    if (total_allocated_[d] < total_[d]) demanding |= model::Bit(d);
  });
  Compute(root_, demanding);
}

void ShareTree::Compute(TreeNode& node, model::DimensionSet demanding) {
  if (node.is_job) {
    node.saturated = IsSaturated(node.allocated, node.request, demanding);
    return;
  }
  double smallest = 1;
  for (auto& [name, child] : node.children) {
    Compute(*child, demanding);
    if (child->share != 0 && !child->saturated) {
      smallest = std::min(smallest, DominantShare(child->allocated, total_));
    }
  }
  node.allocated = {};
  node.saturated = true;
  for (const auto& [name, child] : node.children) {
    node.saturated = node.saturated && child->saturated;
    if (child->share == 0) continue;
    Amounts part = child->allocated;
    if (!child->saturated) part.Scale(smallest / child->share);
    node.allocated.Add(part);
  }
  node.share = DominantShare(node.allocated, total_);
}

double ShareTree::Compare(std::string_view a, std::string_view b) const {
  const auto path_a = SplitPath(a), path_b = SplitPath(b);
  const TreeNode* left = &root_;
  const TreeNode* right = &root_;
  const std::size_t depth = std::min(path_a.size(), path_b.size());
  for (std::size_t next = 1;; ++next) {
    // Those that want nothing more come last.
    if (left->saturated != right->saturated) return left->saturated ? 1 : -1;
    const double difference = left->share / left->weight - right->share / right->weight;
    if (difference != 0) return difference;
    if (next == depth) return 0;
    const auto next_left = left->children.find(path_a[next]);
    const auto next_right = right->children.find(path_b[next]);
    if (next_left == left->children.end() || next_right == right->children.end()) return 0;
    left = next_left->second.get();
    right = next_right->second.get();
  }
}

}  // namespace basalt::scheduler::plugins
