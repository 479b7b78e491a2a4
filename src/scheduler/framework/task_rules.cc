#include "scheduler/framework/task_rules.h"

namespace basalt::scheduler {
namespace {

template <class Fn>
void ForEachFilterPart(const PluginSet& plugins, const Task& task, Fn fn) {
  thread_local std::vector<NodeFilter::Part> parts;  // scratch
  for (const auto& tier : plugins.hooks<NodeFilter>()) {
    for (const NodeFilter* filter : tier) {
      parts.clear();
      filter->FilterParts(task, &parts);
      for (const NodeFilter::Part& part : parts) fn(filter, part);
    }
  }
}

void FindBatchScorers(const PluginSet& plugins, const Task& task,
                      std::vector<const BatchScorer*>* scorers) {
  scorers->clear();
  for (const auto& tier : plugins.hooks<BatchScorer>()) {
    for (const BatchScorer* scorer : tier) {
      if (scorer->Concerns(task)) scorers->push_back(scorer);
    }
  }
}

}  // namespace

void TaskRules::Find(const PluginSet& plugins, const Task& task) {
  of_static.clear();
  of_node.clear();
  of_cluster.clear();
  ForEachFilterPart(plugins, task, [&](const NodeFilter* filter, const NodeFilter::Part& part) {
    if (part.depends_on == DependsOn::kNothing) return;
    auto& list = part.depends_on == DependsOn::kStatic ? of_static
                 : part.depends_on == DependsOn::kNode ? of_node
                                                       : of_cluster;
    list.push_back({filter, part.number});
  });
  scorers.clear();
  for (const auto& tier : plugins.hooks<NodeScorer>()) {
    for (const NodeScorer* scorer : tier) {
      if (scorer->ScoreDependsOn(task) != DependsOn::kNothing) scorers.push_back(scorer);
    }
  }
  FindBatchScorers(plugins, task, &batch_scorers);
}

bool TaskRules::FindThoseOfCluster(const PluginSet& plugins, const Task& task) {
  FindBatchScorers(plugins, task, &batch_scorers);
  thread_local std::vector<FilterCall> now;  // scratch
  now.clear();
  ForEachFilterPart(plugins, task, [&](const NodeFilter* filter, const NodeFilter::Part& part) {
    if (part.depends_on == DependsOn::kCluster) now.push_back({filter, part.number});
  });
  if (now == of_cluster) return false;
  of_cluster = now;
  return true;
}

}  // namespace basalt::scheduler
