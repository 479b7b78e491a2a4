#include "scheduler/framework/topologies.h"

#include <algorithm>

namespace basalt::scheduler {

Topology::Topology(const model::Cluster& cluster, std::string_view key,
                   const std::function<bool(const model::Node&)>& counts) {
  domain_of_node_.assign(cluster.node_slots().bound(), kNoDomain);
  boost::unordered_flat_map<std::string_view, std::int32_t> numbers;
  for (const model::NodeId id : cluster.nodes()) {
    const model::Node& node = cluster.node(id);
    const auto value = node.object->meta.labels.Find(key);
    if (!value || (counts && !counts(node))) continue;
    const auto [it, added] = numbers.try_emplace(*value, domains());
    if (added) nodes_.emplace_back();
    domain_of_node_[id.index()] = it->second;
    nodes_[it->second].push_back(id);
  }
}

void Topologies::Open(const model::Cluster& cluster) {
  const bool other_cluster = cluster_ != &cluster;
  cluster_ = &cluster;
  if (!other_cluster && objects_generation_ == cluster.node_objects_generation()) return;
  objects_generation_ = cluster.node_objects_generation();
  seen_.resize(std::max<std::size_t>(seen_.size(), cluster.node_slots().bound()));
  bool changed = other_cluster;
  for (std::uint32_t id = 0; id < seen_.size(); ++id) {
    const model::Node* node = cluster.node_slots().Find(model::NodeId{id});
    std::shared_ptr<const kube::Node>& seen = seen_[id];
    if (seen.get() == (node ? node->object.get() : nullptr)) continue;
    // A heartbeat changes no label. Another node may have got the id of one that went.
    changed = changed || !seen || !node || !node->exists() ||
              seen->meta.name != node->object->meta.name ||
              !(seen->meta.labels == node->object->meta.labels);
    seen = node ? node->object : nullptr;
  }
  if (!changed) return;
  for (Entry& entry : entries_) entry.topology.reset();
}

Topologies::Number Topologies::NumberOf(std::string_view key) {
  const auto [it, added] =
      numbers_.try_emplace(std::string(key), static_cast<Number>(entries_.size()));
  if (added) entries_.push_back({.key = std::string(key), .topology = nullptr});
  return it->second;
}

const Topology& Topologies::operator[](Number number) {
  Entry& entry = entries_[number];
  if (!entry.topology) entry.topology = std::make_unique<Topology>(*cluster_, entry.key);
  return *entry.topology;
}

void DomainCounts::ChangeDomain(std::int32_t domain, std::int64_t by) {
  if (domain == Topology::kNoDomain || by == 0) return;
  std::int64_t before = 0;
  if (!dense_.empty()) {
    before = dense_[domain];
    dense_[domain] += by;
  } else {
    const auto [it, added] = sparse_.try_emplace(domain, 0);
    before = it->second;
    it->second += by;
    if (it->second == 0) sparse_.erase(it);
    if (sparse_.size() > 16 && sparse_.size() * 8 > static_cast<std::size_t>(domains())) {
      dense_.assign(static_cast<std::size_t>(domains()), 0);
      for (const auto& [d, count] : sparse_) dense_[d] = count;
      sparse_ = {};
    }
  }
  const std::int64_t after = before + by;
  nonzero_ += (after != 0) - (before != 0);
  total_ += by;
  if (keep_ == Keep::kLeast) MoveLeast(before, after);
  if (steps_.size() >= kMostSteps) {
    steps_start_ += steps_.size();
    steps_.clear();
  }
  steps_.push_back({domain, before});
}

void DomainCounts::MoveLeast(std::int64_t before, std::int64_t after) {
  if (before > 0) {
    const auto it = domains_by_count_.find(before);
    if (--it->second == 0) domains_by_count_.erase(it);
  }
  if (after > 0) ++domains_by_count_[after];
  if (nonzero_ < domains()) {
    least_ = 0;
  } else if (after < least_ || domains_by_count_.size() == 1) {
    least_ = after;
  } else {
    // Tasks come and go one at a time: the next is never far.
    while (!domains_by_count_.contains(least_)) ++least_;
  }
}

std::optional<std::span<const DomainCounts::Step>> DomainCounts::StepsSince(
    std::uint64_t position) const {
  if (position < steps_start_ || position > steps_end()) return std::nullopt;
  return std::span(steps_).subspan(position - steps_start_);
}

}  // namespace basalt::scheduler
