#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "kube/types/string_map.h"

namespace basalt::model {

// How many nodes carry a label. A rule that names a label which no node has need not be asked node
// by node. Owned by the Cluster, which keeps it as nodes come, change and go.
class NodeLabels {
 public:
  void Add(const kube::StringMap& labels) { Change(labels, 1); }
  void Remove(const kube::StringMap& labels) { Change(labels, -1); }

  int NodesWith(std::string_view key) const;
  int NodesWith(std::string_view key, std::string_view value) const;

 private:
  struct Key {
    int nodes = 0;
    boost::unordered_flat_map<std::string, int> values;
  };
  void Change(const kube::StringMap& labels, int by);

  boost::unordered_flat_map<std::string, Key> keys_;
};

}  // namespace basalt::model
