#pragma once

#include <vector>

#include "scheduler/framework/plugin_set.h"

namespace basalt::scheduler {

// The filters and scorers that concern a task, by what their answers depend on. The same for tasks
// of one class and queue, but for what depends on the cluster.
struct TaskRules {
  struct FilterCall {
    const NodeFilter* filter;
    int part;
    bool operator==(const FilterCall&) const = default;
  };
  std::vector<FilterCall> of_static, of_node, of_cluster;
  std::vector<const NodeScorer*> scorers;
  std::vector<const BatchScorer*> batch_scorers;

  void Find(const PluginSet& plugins, const Task& task);
  // Only what may come and go within a session, with what is placed. false: `of_cluster` is as it
  // was.
  bool FindThoseOfCluster(const PluginSet& plugins, const Task& task);
};

}  // namespace basalt::scheduler
