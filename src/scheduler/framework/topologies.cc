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

}  // namespace basalt::scheduler
