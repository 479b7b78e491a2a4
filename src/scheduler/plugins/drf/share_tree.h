#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/amounts.h"
#include "model/job.h"

namespace basalt::scheduler::plugins {

// Hierarchical dominant resource fairness: queues by their paths ("root/sci/dev") with weights, and
// under each its jobs. A node's share is made of its children's, with those that still want more
// scaled down to the smallest of them, so that a child that cannot use its part does not make its
// siblings look greedy. Built anew when something changes. Owned by the plugin, on the cluster's
// thread.
class ShareTree {
 public:
  explicit ShareTree(const model::Amounts& total) : total_(total) {}

  // Paths and weights are those of the queue's annotations.
  void AddJob(std::string_view path, std::string_view weights, std::string key,
              const model::Amounts& allocated, const model::Amounts& request);
  // After the last job.
  void Compute();
  // Negative: the queue at path `a` is worse off than the one at `b`.
  double Compare(std::string_view a, std::string_view b) const;

 private:
  struct TreeNode {
    double weight = 1;
    bool is_job = false;
    bool saturated = false;
    double share = 0;
    model::Amounts allocated;
    model::Amounts request;
    std::map<std::string, std::unique_ptr<TreeNode>, std::less<>> children;
  };
  void Compute(TreeNode& node, model::DimensionSet demanding);

  model::Amounts total_;
  model::Amounts total_allocated_;
  TreeNode root_;
};

}  // namespace basalt::scheduler::plugins
