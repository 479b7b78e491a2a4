#include "scheduler/framework/task_rules.h"

#include <functional>

#include "scheduler/framework/aggregators.h"

namespace basalt::scheduler {

namespace {

template <class Fn>
void ForEachFilterPart(const PluginSet& plugins, const Task& task, Fn fn) {
  thread_local std::vector<NodeFilter::Part> parts;  // scratch
  TellAll(plugins.hooks<NodeFilter>(), [&](const NodeFilter& filter) {
    parts.clear();
    filter.FilterParts(task, &parts);
    for (const NodeFilter::Part& part : parts) fn(&filter, part);
  });
}

void FindBatchScorers(const PluginSet& plugins, const Task& task,
                      std::vector<const BatchScorer*>* scorers) {
  scorers->clear();
  TellAll(plugins.hooks<BatchScorer>(), [&](const BatchScorer& scorer) {
    if (scorer.Concerns(task)) scorers->push_back(&scorer);
  });
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
  TellAll(plugins.hooks<NodeScorer>(), [&](const NodeScorer& scorer) {
    if (scorer.ScoreDependsOn(task) != DependsOn::kNothing) scorers.push_back(&scorer);
  });
  FindBatchScorers(plugins, task, &batch_scorers);
}

bool TaskRules::FindClusterRules(const PluginSet& plugins, const Task& task) {
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

std::size_t VerdictCache::Hash::operator()(const Verdict& verdict) const {
  return std::hash<std::string_view>()(verdict.reason) * 31 + verdict.shortfall.queue.value * 4 +
         static_cast<std::size_t>(verdict.code);
}

VerdictCache::Number VerdictCache::Keep(const Verdict& verdict) {
  if (verdict.ok()) return kFits;
  if (last_ != kFits && verdicts_[last_ - 2] == verdict) return last_;
  if (const auto it = numbers_.find(verdict); it != numbers_.end()) return last_ = it->second;
  // Beyond what a number can count the last one stands for the rest.
  const bool room = verdicts_.size() + 2 < kNotAsked;
  if (room) verdicts_.push_back(verdict);
  last_ = static_cast<Number>(verdicts_.size() + 1);
  if (room) numbers_.emplace(verdict, last_);
  return last_;
}

std::shared_ptr<VerdictCache::Statics> VerdictCache::StaticsOf(const Task& task,
                                                               std::uint64_t queue,
                                                               std::size_t nodes) {
  const std::uint64_t key =
      (static_cast<std::uint64_t>(task.task_class->static_class) << 32) | queue;
  if (statics_.size() >= kMostStatics && !statics_.contains(key)) statics_.clear();
  std::shared_ptr<Statics>& statics = statics_[key];
  if (statics == nullptr) statics = std::make_shared<Statics>(nodes, kNotAsked);
  return statics;
}

VerdictCache::Number VerdictCache::NodeVerdict(Statics& statics, const TaskRules& rules,
                                               const Task& task, const Node& node) {
  const Number number = rules.of_static.empty() ? kFits : StaticVerdict(statics, rules, task, node);
  return number == kFits ? Keep(FirstRefusal(rules.of_node, task, node)) : number;
}

}  // namespace basalt::scheduler
