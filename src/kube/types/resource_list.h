#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/types/quantity.h"

namespace basalt::kube {

// Amounts by resource name ("cpu", "memory", "nvidia.com/gpu"), sorted by name. There are few. A
// plain value.
class ResourceList {
 public:
  struct Entry {
    std::string name;
    Quantity quantity;
    bool operator==(const Entry&) const = default;
  };
  using const_iterator = std::vector<Entry>::const_iterator;

  ResourceList() = default;
  ResourceList(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries) Set(entry.name, entry.quantity);
  }

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }

  // nullptr: not in the list, which differs from zero.
  const Quantity* Find(std::string_view name) const;
  Quantity Get(std::string_view name) const {
    const Quantity* found = Find(name);
    return found ? *found : Quantity();
  }
  void Set(std::string_view name, Quantity quantity);
  void Erase(std::string_view name);
  void Clear() { entries_.clear(); }
  void Reserve(std::size_t size) { entries_.reserve(size); }

  // Of each resource that `other` has: this much more; the larger of the two.
  void Add(const ResourceList& other);
  void RaiseTo(const ResourceList& other);

  bool operator==(const ResourceList&) const = default;

 private:
  // The first entry whose name is not less than `name`.
  std::vector<Entry>::iterator LowerBound(std::string_view name);

  std::vector<Entry> entries_;
};

}  // namespace basalt::kube
