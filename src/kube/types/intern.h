#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/types/boxed.h"
#include "kube/types/pod.h"
#include "kube/types/shared_list.h"

// Makes equal parts of pods the same memory: each was decoded on its own, but thousands of pods
// come from one template. A small table remembers the last part per hash; two parts that share a
// hash replace each other, which costs memory and nothing else. Any thread: each has a table of its
// own.
namespace basalt::kube::json {

// A hash of what tells templates apart; equal parts have equal hashes.
class PartHash {
 public:
  PartHash& Add(std::size_t value) {
    hash_ = (hash_ ^ value) * 0x9e3779b97f4a7c15u;
    hash_ ^= hash_ >> 29;
    return *this;
  }
  PartHash& Add(std::string_view text) { return Add(std::hash<std::string_view>()(text)); }
  PartHash& Add(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) Add(text);
    return Add(texts.size());
  }
  PartHash& Add(const ResourceList& resources) {
    for (const ResourceList::Entry& entry : resources) {
      Add(entry.name).Add(static_cast<std::size_t>(entry.quantity.MilliValue()));
    }
    return *this;
  }
  PartHash& Add(const std::optional<LabelSelector>& selector) {
    if (!selector) return Add(std::size_t{1});
    for (const LabelRequirement& requirement : selector->requirements()) {
      Add(requirement.key).Add(requirement.values);
    }
    return *this;
  }
  PartHash& Add(const Container& container) {
    return Add(container.name)
        .Add(container.image)
        .Add(container.command)
        .Add(container.args)
        .Add(container.resources.requests)
        .Add(container.resources.limits);
  }
  PartHash& Add(const Toleration& toleration) { return Add(toleration.key).Add(toleration.value); }
  PartHash& Add(const TopologySpreadConstraint& constraint) {
    return Add(constraint.topology_key).Add(constraint.label_selector);
  }
  PartHash& Add(const Volume& volume) { return Add(volume.name).Add(volume.source); }
  PartHash& Add(const NodeSelectorTerm& term) {
    for (const NodeSelectorRequirement& requirement : term.match_expressions) {
      Add(requirement.key).Add(requirement.values);
    }
    for (const NodeSelectorRequirement& requirement : term.match_fields) Add(requirement.values);
    return *this;
  }
  PartHash& Add(const PodAffinity& affinity) {
    for (const PodAffinityTerm& term : affinity.required) {
      Add(term.topology_key).Add(term.label_selector);
    }
    for (const WeightedPodAffinityTerm& weighted : affinity.preferred) {
      Add(weighted.term.topology_key).Add(weighted.term.label_selector);
    }
    return *this;
  }
  PartHash& Add(const Affinity& affinity) {
    if (affinity.node) {
      if (affinity.node->required) {
        for (const NodeSelectorTerm& term : affinity.node->required->terms) Add(term);
      }
      for (const PreferredNodeTerm& term : affinity.node->preferred) Add(term.preference);
    }
    return Add(affinity.pod).Add(affinity.pod_anti);
  }
  std::size_t value() const { return hash_; }

 private:
  std::size_t hash_ = 0;
};

// `part`, or an equal one that was seen before.
template <class Part>
Part Intern(Part part, const PartHash& hash) {
  thread_local std::array<Part, 512> seen;
  Part& slot = seen[hash.value() % seen.size()];
  if (!(slot == part)) slot = std::move(part);
  return slot;
}

template <class T>
SharedList<T> Intern(SharedList<T> list) {
  if (list.empty()) return list;
  PartHash hash;
  for (const T& item : list) hash.Add(item);
  return Intern(std::move(list), hash);
}

}  // namespace basalt::kube::json
