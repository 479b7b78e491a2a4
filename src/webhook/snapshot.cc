#include "webhook/snapshot.h"

#include <utility>

#include "model/annotations.h"

namespace basalt::webhook {

void Snapshot::PutQueue(std::shared_ptr<const kube::Queue> queue) {
  DropQueue(queue->meta.name);
  children_[std::string(ParentOf(*queue))].insert(queue->meta.name);
  queues_[queue->meta.name] = std::move(queue);
}

void Snapshot::DropQueue(std::string_view name) {
  const auto found = queues_.find(name);
  if (found == queues_.end()) return;
  const auto siblings = children_.find(ParentOf(*found->second));
  siblings->second.erase(found->first);
  if (siblings->second.empty()) children_.erase(siblings);
  queues_.erase(found);
}

void Snapshot::PutNamespace(const kube::Namespace& ns) {
  namespace_queues_[ns.meta.name] =
      std::string(ns.meta.annotations.Get(model::annotations::kQueueName));
}

void Snapshot::DropNamespace(std::string_view name) {
  if (const auto found = namespace_queues_.find(name); found != namespace_queues_.end()) {
    namespace_queues_.erase(found);
  }
}

void Snapshot::PutGroup(const kube::PodGroup& group) {
  const std::string key = group.meta.Key();
  DropGroup(key);
  if (group.phase == kube::PodGroupPhase::kCompleted) return;
  const std::string queue = group.queue.empty() ? std::string(kDefaultQueue) : group.queue;
  ++groups_[queue];
  group_queues_[key] = queue;
}

void Snapshot::DropGroup(std::string_view key) {
  const auto found = group_queues_.find(key);
  if (found == group_queues_.end()) return;
  const auto count = groups_.find(found->second);
  if (--count->second == 0) groups_.erase(count);
  group_queues_.erase(found);
}

const kube::Queue* Snapshot::FindQueue(std::string_view name) const {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : found->second.get();
}

std::vector<const kube::Queue*> Snapshot::Children(std::string_view parent) const {
  std::vector<const kube::Queue*> children;
  const auto found = children_.find(parent);
  if (found == children_.end()) return children;
  for (const std::string& name : found->second) children.push_back(FindQueue(name));
  return children;
}

std::size_t Snapshot::Groups(std::string_view queue) const {
  const auto found = groups_.find(queue);
  return found == groups_.end() ? 0 : found->second;
}

std::string_view Snapshot::QueueOfNamespace(std::string_view ns) const {
  const auto found = namespace_queues_.find(ns);
  return found == namespace_queues_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace basalt::webhook
