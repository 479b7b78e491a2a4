#include "scheduler/plugins/predicates/volume_use.h"

#include <algorithm>

#include "scheduler/plugins/predicates/volume_claims.h"

namespace basalt::scheduler::plugins {

void VolumeUse::Open(const model::Cluster& cluster) {
  const model::Objects& objects = cluster.objects();
  std::vector<std::uint64_t> generations{
      objects.volume_claims.generation(), objects.volumes.generation(),
      objects.storage_classes.generation(), objects.csi_nodes.generation()};
  if (cluster_ == &cluster && generations == generations_) return;
  cluster_ = &cluster;
  generations_ = std::move(generations);
  numbers_.clear();
  classes_.clear();
  nodes_.clear();
}

std::uint32_t VolumeUse::NumberOf(const std::string& text) {
  return numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

const VolumeUse::Uses& VolumeUse::UsesOf(const model::Task& task) {
  OfClass& known = classes_[task.task_class->id];
  if (known.example == task.task_class->example) return known.uses;
  known.example = task.task_class->example;
  known.uses.clear();
  for (const auto& [name, ephemeral, claim] : ClaimsOf(*cluster_, task)) {
    if (!claim) continue;
    if (const auto* volume = cluster_->objects().volumes.Find(claim->volume_name)) {
      if (volume->csi_driver.empty()) continue;
      known.uses.push_back({NumberOf("driver " + volume->csi_driver),
                            NumberOf("volume " + volume->csi_volume_handle)});
    } else if (const kube::StorageClass* storage_class = ClassOf(*cluster_, *claim)) {
      known.uses.push_back({NumberOf("driver " + storage_class->provisioner),
                            NumberOf("claim " + claim->meta.Key())});
    }
  }
  std::ranges::sort(known.uses);
  known.uses.erase(std::ranges::unique(known.uses).begin(), known.uses.end());
  return known.uses;
}

VolumeUse::Uses VolumeUse::UsesOn(const model::Node& node, const model::Task* without) {
  Uses uses;
  for (const model::Task& task : cluster_->TasksOf(node.tasks)) {
    if (&task == without || !task.task_class->has_volumes) continue;
    const Uses& of_task = UsesOf(task);
    uses.insert(uses.end(), of_task.begin(), of_task.end());
  }
  std::ranges::sort(uses);
  uses.erase(std::ranges::unique(uses).begin(), uses.end());
  return uses;
}

VolumeUse::OfNode& VolumeUse::InfoOf(const model::Node& node) {
  if (node.id.index() >= nodes_.size()) nodes_.resize(node.id.index() + 1);
  OfNode& info = nodes_[node.id.index()];
  const bool same_node = info.name == node.name;
  if (same_node && info.generation == node.generation) return info;
  if (!same_node) {
    info.name = node.name;
    info.limits.clear();
    if (const kube::CsiNode* csi_node = cluster_->objects().csi_nodes.Find(node.name)) {
      for (const kube::CsiNode::Driver& driver : csi_node->drivers) {
        if (!driver.allocatable_count) continue;
        info.limits.push_back({NumberOf("driver " + driver.name),
                               static_cast<std::size_t>(std::max(0, *driver.allocatable_count))});
      }
    }
  }
  info.generation = node.generation;
  info.uses = info.limits.empty() ? Uses{} : UsesOn(node, nullptr);
  return info;
}

Verdict VolumeUse::Check(const model::Task& task, const model::Node& node) {
  const OfNode& info = InfoOf(node);
  if (info.limits.empty()) return Verdict::Ok();
  const bool stands_there = task.node() == node.id;
  const Uses others = stands_there ? UsesOn(node, &task) : Uses{};
  const Uses& there = stands_there ? others : info.uses;
  const Uses& asked = UsesOf(task);
  for (const Limit& limit : info.limits) {
    const auto of_driver = [&](const Use& use) { return use.driver == limit.driver; };
    const auto more = std::ranges::count_if(asked, [&](const Use& use) {
      return of_driver(use) && !std::ranges::binary_search(there, use);
    });
    if (more == 0) continue;
    const auto together = std::ranges::count_if(there, of_driver) + more;
    if (static_cast<std::size_t>(together) > limit.most) {
      return Verdict::Unschedulable("node(s) exceed max volume count");
    }
  }
  return Verdict::Ok();
}

}  // namespace basalt::scheduler::plugins
