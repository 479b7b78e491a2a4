#include "scheduler/framework/domain_counts.h"

#include <algorithm>

namespace basalt::scheduler {

using model::Holding;
using model::Task;

PodMatcher PodMatcher::Of(const kube::PodAffinityTerm& term, const kube::Pod& owner,
                          const model::Objects& objects) {
  PodMatcher matcher;
  matcher.selector_ = term.label_selector;
  matcher.namespaces_ = term.namespaces;
  if (term.namespace_selector) {
    matcher.all_namespaces_ = term.namespace_selector->empty();
    for (const auto& [name, ns] : objects.namespaces) {
      if (term.namespace_selector->Matches(ns->meta.labels)) matcher.namespaces_.push_back(name);
    }
  } else if (matcher.namespaces_.empty()) {
    matcher.namespaces_.push_back(owner.meta.ns);
  }
  return matcher;
}

PodMatcher PodMatcher::Of(const kube::TopologySpreadConstraint& constraint,
                          const kube::Pod& owner) {
  PodMatcher matcher;
  matcher.namespaces_.push_back(owner.meta.ns);
  matcher.selector_ = constraint.label_selector;
  if (matcher.selector_) {
    for (const std::string& key : constraint.match_label_keys) {
      const auto value = owner.meta.labels.Find(key);
      if (!value) continue;
      matcher.selector_->Add({.key = key,
                              .op = kube::LabelRequirement::Operator::kEquals,
                              .values = {std::string(*value)}});
    }
    if (matcher.selector_->empty()) matcher.selector_.reset();
  }
  return matcher;
}

bool PodMatcher::Matches(const kube::Pod& pod) const {
  if (!selector_) return false;
  if (!all_namespaces_ && std::ranges::find(namespaces_, pod.meta.ns) == namespaces_.end()) {
    return false;
  }
  return selector_->Matches(pod.meta.labels);
}

DomainCounts::DomainCounts(const model::Cluster& cluster, Rule rule) : rule_(std::move(rule)) {
  domain_of_node_.assign(cluster.node_slots().bound(), kNoDomain);
  boost::unordered_flat_map<std::string, std::int32_t> domains;
  for (const model::NodeId id : cluster.nodes()) {
    if (!rule_.nodes.empty() && !rule_.nodes[id.index()]) continue;
    const model::Node& node = cluster.node(id);
    const auto value = node.object->meta.labels.Find(rule_.topology_key);
    if (!value) continue;
    const auto [it, added] = domains.try_emplace(std::string(*value), domains.size());
    if (added) counts_.push_back(0);
    domain_of_node_[id.index()] = it->second;
    for (const model::TaskId task_id : node.tasks) {
      const Task& task = cluster.task(task_id);
      if (Counts(task, task.holding)) Change(id, +1);
    }
  }
}

std::int64_t DomainCounts::Least() const {
  return counts_.empty() ? 0 : *std::ranges::min_element(counts_);
}

bool DomainCounts::Matches(const Task& task) {
  const auto [it, added] = class_matches_.try_emplace(task.task_class->id, false);
  if (added) {
    it->second = std::ranges::all_of(
        rule_.all_of, [&](const PodMatcher& matcher) { return matcher.Matches(*task.pod); });
  }
  return it->second;
}

bool DomainCounts::Counts(const Task& task, const Holding& holding) {
  if (!model::OccupiesNode(holding)) return false;
  if (!rule_.count_leaving && holding.status == model::TaskStatus::kReleasing) return false;
  return Matches(task);
}

void DomainCounts::Change(model::NodeId node, int by) {
  const std::int32_t domain = domain_of_node_[node.index()];
  if (domain == kNoDomain) return;
  counts_[domain] += by;
  total_ += by;
}

void DomainCounts::TaskMoved(const Task& task, const Holding& from) {
  if (Counts(task, from)) Change(from.node, -1);
  if (Counts(task, task.holding)) Change(task.node(), +1);
}

}  // namespace basalt::scheduler
