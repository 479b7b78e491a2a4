#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "kube/types/namespace.h"
#include "kube/types/pdb.h"
#include "kube/types/priority_class.h"
#include "kube/types/resource_quota.h"
#include "kube/types/storage.h"

namespace basalt::model {

// Objects of one kind by key ("ns/name", or "name"), walked in the order of the keys. Owned by the
// Cluster (Objects), on its thread.
template <class T>
class ObjectMap {
 public:
  using Map = std::map<std::string, std::shared_ptr<const T>, std::less<>>;

  const T* Find(std::string_view key) const {
    const auto it = objects_.find(key);
    return it == objects_.end() ? nullptr : it->second.get();
  }
  void Set(std::shared_ptr<const T> object) {
    objects_.insert_or_assign(object->meta.Key(), std::move(object));
    ++generation_;
  }
  void Erase(std::string_view key) {
    const auto it = objects_.find(key);
    if (it == objects_.end()) return;
    objects_.erase(it);
    ++generation_;
  }
  typename Map::const_iterator begin() const { return objects_.begin(); }
  typename Map::const_iterator end() const { return objects_.end(); }
  std::size_t size() const { return objects_.size(); }
  bool empty() const { return objects_.empty(); }
  // Grows with every change.
  std::uint64_t generation() const { return generation_; }

 private:
  Map objects_;
  std::uint64_t generation_ = 0;
};

// What policies look up beside nodes, queues, jobs and tasks.
struct Objects {
  ObjectMap<kube::Namespace> namespaces;
  ObjectMap<kube::PriorityClass> priority_classes;
  ObjectMap<kube::ResourceQuota> resource_quotas;
  ObjectMap<kube::PodDisruptionBudget> disruption_budgets;
  ObjectMap<kube::PersistentVolumeClaim> volume_claims;
  ObjectMap<kube::PersistentVolume> volumes;
  ObjectMap<kube::StorageClass> storage_classes;
  ObjectMap<kube::CsiNode> csi_nodes;

  // The map of that kind.
  template <class T>
  ObjectMap<T>& Of() {
    ObjectMap<T>* found = nullptr;
    const auto look = [&]<class K>(ObjectMap<K>& map) {
      if constexpr (std::is_same_v<K, T>) found = &map;
    };
    auto& [a, b, c, d, e, f, g, h] = *this;
    (look(a), look(b), look(c), look(d), look(e), look(f), look(g), look(h));
    return *found;
  }
};

}  // namespace basalt::model
