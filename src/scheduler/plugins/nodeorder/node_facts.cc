#include "scheduler/plugins/nodeorder/node_facts.h"

#include <algorithm>
#include <cmath>

namespace basalt::scheduler::plugins {
namespace {

// Kubernetes' name for an image: a tag is part of it.
std::string ImageName(const std::string& image) {
  const std::size_t last_part = image.rfind('/') + 1;  // without a slash all of it
  const bool has_tag = image.find(':', last_part) != image.npos;
  return has_tag ? image : image + ":latest";
}

template <class Fn>
void ForEachContainer(const kube::Pod& pod, Fn fn) {
  for (const auto* list : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const kube::Container& container : *list) fn(container);
  }
}

bool HasSoftTaint(const kube::Node& node) {
  return std::ranges::any_of(node.spec.taints, [](const kube::Taint& taint) {
    return taint.effect == kube::TaintEffect::kPreferNoSchedule;
  });
}

void Insert(std::vector<std::uint32_t>& sorted, std::uint32_t id) {
  const auto place = std::ranges::lower_bound(sorted, id);
  if (place == sorted.end() || *place != id) sorted.insert(place, id);
}

void Remove(std::vector<std::uint32_t>& sorted, std::uint32_t id) {
  const auto place = std::ranges::lower_bound(sorted, id);
  if (place != sorted.end() && *place == id) sorted.erase(place);
}

}  // namespace

void NodeFacts::Update(const model::Cluster& cluster) {
  if (objects_generation_ == cluster.node_objects_generation()) return;
  objects_generation_ = cluster.node_objects_generation();
  nodes_ = cluster.nodes().size();
  seen_.resize(std::max<std::size_t>(seen_.size(), cluster.node_slots().bound()));
  for (std::uint32_t id = 0; id < seen_.size(); ++id) {
    const model::Node* node = cluster.node_slots().Find(model::NodeId{id});
    std::shared_ptr<const kube::Node>& seen = seen_[id];
    if (seen.get() == (node ? node->object.get() : nullptr)) continue;
    // A heartbeat changes neither.
    const bool same = seen && node && node->exists() &&
                      seen->status.images == node->object->status.images &&
                      HasSoftTaint(*seen) == HasSoftTaint(*node->object);
    if (!same && seen) Discount(*seen, id);
    seen = node ? node->object : nullptr;
    if (!same && seen) Count(*seen, id);
  }
}

void NodeFacts::Count(const kube::Node& node, std::uint32_t id) {
  if (HasSoftTaint(node)) Insert(soft_tainted_, id);
  for (const kube::ContainerImage& known : node.status.images) {
    for (const std::string& name : known.names) {
      Image& image = images_[name];
      image.size = known.size_bytes;
      Insert(image.nodes, id);
    }
  }
}

void NodeFacts::Discount(const kube::Node& node, std::uint32_t id) {
  if (HasSoftTaint(node)) Remove(soft_tainted_, id);
  for (const kube::ContainerImage& known : node.status.images) {
    for (const std::string& name : known.names) {
      const auto it = images_.find(name);
      if (it == images_.end()) continue;
      Remove(it->second.nodes, id);
      if (it->second.nodes.empty()) images_.erase(it);
    }
  }
}

bool NodeFacts::KnowsImagesOf(const kube::Pod& pod) const {
  if (images_.empty()) return false;
  bool known = false;
  ForEachContainer(pod, [&](const kube::Container& container) {
    known = known || images_.contains(ImageName(container.image));
  });
  return known;
}

void NodeFacts::AddImageScores(const kube::Pod& pod, double weight,
                               std::span<const model::NodeId> nodes,
                               std::span<double> scores) const {
  constexpr double kMiB = 1024 * 1024;
  constexpr double kLeast = 23 * kMiB;
  constexpr double kMostPerContainer = 1000 * kMiB;
  double containers = 0;
  struct Part {
    const Image* image;
    double size;  // what it counts
  };
  std::vector<Part> parts;
  ForEachContainer(pod, [&](const kube::Container& container) {
    ++containers;
    const auto it = images_.find(ImageName(container.image));
    if (it == images_.end()) return;
    const Image& image = it->second;
    parts.push_back({&image, std::trunc(static_cast<double>(image.size) *
                                        static_cast<double>(image.nodes.size()) /
                                        static_cast<double>(nodes_))});
  });
  const double most = kMostPerContainer * containers;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double sum = 0;
    for (const Part& part : parts) {
      if (std::ranges::binary_search(part.image->nodes, nodes[i].value)) sum += part.size;
    }
    sum = std::clamp(sum, kLeast, most);
    scores[i] += weight * std::trunc(100 * (sum - kLeast) / (most - kLeast));
  }
}

}  // namespace basalt::scheduler::plugins
