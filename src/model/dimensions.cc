#include "model/dimensions.h"

#include <algorithm>

namespace basalt::model {

Dimensions::Dimensions() {
  for (const char* name : {"cpu", "memory", "pods"}) Intern(name);
}

std::optional<int> Dimensions::Intern(std::string_view name) {
  if (std::optional<int> known = Find(name)) return known;
  if (size() == kMaxDimensions) return std::nullopt;
  names_.emplace_back(name);
  index_.emplace(name, size() - 1);
  return size() - 1;
}

std::optional<int> Dimensions::Find(std::string_view name) const {
  const auto it = index_.find(std::string(name));
  if (it == index_.end()) return std::nullopt;
  return it->second;
}

std::vector<std::string> Dimensions::Names(DimensionSet dimensions) const {
  std::vector<std::string> names;
  for (int d = 0; d < size(); ++d) {
    if (dimensions & Bit(d)) names.push_back(names_[d]);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace basalt::model
