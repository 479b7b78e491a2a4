#include "kube/types/resource_list.h"

#include <algorithm>

namespace basalt::kube {

std::vector<ResourceList::Entry>::iterator ResourceList::LowerBound(std::string_view name) {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const Entry& entry) { return entry.name >= name; });
}

const Quantity* ResourceList::Find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.name == name) return &entry.quantity;
  }
  return nullptr;
}

void ResourceList::Set(std::string_view name, Quantity quantity) {
  if (entries_.empty() || entries_.back().name < name) {
    entries_.push_back({std::string(name), quantity});
    return;
  }
  const auto at = LowerBound(name);
  if (at->name == name) {
    at->quantity = quantity;
  } else {
    entries_.insert(at, {std::string(name), quantity});
  }
}

void ResourceList::Erase(std::string_view name) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });
}

void ResourceList::Add(const ResourceList& other) {
  for (const Entry& entry : other) {
    const auto at = LowerBound(entry.name);
    if (at != entries_.end() && at->name == entry.name) {
      at->quantity += entry.quantity;
    } else {
      entries_.insert(at, entry);
    }
  }
}

void ResourceList::RaiseTo(const ResourceList& other) {
  for (const Entry& entry : other) {
    const auto at = LowerBound(entry.name);
    if (at == entries_.end() || at->name != entry.name) {
      entries_.insert(at, entry);
    } else if (at->quantity < entry.quantity) {
      at->quantity = entry.quantity;
    }
  }
}

}  // namespace basalt::kube
