#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::scheduler {

// What can be named in a configuration, and how it is made. Few entries, asked when a configuration
// is loaded.
template <class Factory>
struct Registry {
  struct Entry {
    std::string name;
    Factory make;
  };
  std::vector<Entry> entries;

  // nullptr: there is none of that name.
  const Factory* Find(std::string_view name) const {
    const auto it = std::ranges::find(entries, name, &Entry::name);
    return it == entries.end() ? nullptr : &it->make;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries) names.push_back(entry.name);
    return names;
  }
};

}  // namespace basalt::scheduler
