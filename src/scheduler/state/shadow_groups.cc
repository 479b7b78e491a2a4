#include "scheduler/state/shadow_groups.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>

#include "kube/types/pod_resources.h"
#include "model/annotations.h"

namespace basalt::scheduler {
namespace {

// What the scheduler itself writes on pods differs from pod to pod, and means nothing to a group.
bool IsOurs(std::string_view key) {
  return key == model::annotations::kBoundQueue || key == model::annotations::kEvictions;
}

bool SameButForOurs(const kube::StringMap& a, const kube::StringMap& b) {
  if (a == b) return true;
  std::size_t i = 0, k = 0;
  while (true) {
    while (i < a.size() && IsOurs(a[i].key)) ++i;
    while (k < b.size() && IsOurs(b[k].key)) ++k;
    if (i == a.size() || k == b.size()) return i == a.size() && k == b.size();
    if (!(a[i++] == b[k++])) return false;
  }
}

void Mix(std::size_t& hash, const kube::StringMap& map) {
  for (const auto [key, value] : map) {
    if (IsOurs(key)) continue;
    boost::hash_combine(hash, key);
    boost::hash_combine(hash, value);
  }
}

// Requests are left out: pods that differ in nothing else are few.
std::size_t HashOf(const kube::Pod& pod, std::string_view queue) {
  std::size_t hash = 0;
  boost::hash_combine(hash, std::string_view(pod.meta.ns));
  boost::hash_combine(hash, std::string_view(pod.spec.priority_class_name));
  boost::hash_combine(hash, queue);
  Mix(hash, pod.meta.annotations);
  Mix(hash, pod.meta.labels);
  return hash;
}

bool IsLookOf(const kube::PodGroup& group, const kube::Pod& pod, std::string_view queue,
              const kube::ResourceList& requests) {
  return group.meta.ns == pod.meta.ns && group.queue == queue &&
         group.priority_class_name == pod.spec.priority_class_name &&
         SameButForOurs(group.meta.annotations, pod.meta.annotations) &&
         group.meta.labels == pod.meta.labels && group.min_resources == requests;
}

}  // namespace

std::shared_ptr<const kube::PodGroup> ShadowGroups::LookOf(const kube::Pod& pod,
                                                           std::string_view queue) {
  kube::ResourceList requests = kube::PodRequests(pod);
  requests.Set("pods", kube::Quantity::Of(1));
  const std::size_t hash = HashOf(pod, queue);
  const auto [begin, end] = known_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    std::shared_ptr<const kube::PodGroup> known = it->second.lock();
    if (known && IsLookOf(*known, pod, queue, requests)) return known;
  }

  auto group = std::make_shared<kube::PodGroup>();
  group->meta.ns = pod.meta.ns;
  group->meta.annotations = pod.meta.annotations;
  for (const std::string_view ours :
       {model::annotations::kBoundQueue, model::annotations::kEvictions}) {
    if (group->meta.annotations.Contains(ours)) group->meta.annotations.Erase(ours);
  }
  group->meta.labels = pod.meta.labels;
  group->min_member = 1;
  group->min_resources = std::move(requests);
  group->queue = queue;
  group->priority_class_name = pod.spec.priority_class_name;
  if (known_.size() >= next_sweep_) Sweep();
  known_.emplace(hash, group);
  return group;
}

void ShadowGroups::Sweep() {
  erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
  next_sweep_ = std::max(kFirstSweep, 2 * known_.size());
}

bool LooksLike(const kube::Pod& a, const kube::Pod& b) {
  return SameButForOurs(a.meta.annotations, b.meta.annotations) && a.meta.labels == b.meta.labels &&
         a.spec.priority_class_name == b.spec.priority_class_name;
}

}  // namespace basalt::scheduler
