#include "model/node_labels.h"

namespace basalt::model {

void NodeLabels::Change(const kube::StringMap& labels, int by) {
  for (const auto label : labels) {
    const auto key = keys_.try_emplace(std::string(label.key)).first;
    key->second.nodes += by;
    const auto value = key->second.values.try_emplace(std::string(label.value)).first;
    value->second += by;
    if (value->second == 0) key->second.values.erase(value);
    if (key->second.nodes == 0) keys_.erase(key);
  }
}

int NodeLabels::NodesWith(std::string_view key) const {
  const auto it = keys_.find(std::string(key));
  return it == keys_.end() ? 0 : it->second.nodes;
}

int NodeLabels::NodesWith(std::string_view key, std::string_view value) const {
  const auto it = keys_.find(std::string(key));
  if (it == keys_.end()) return 0;
  const auto found = it->second.values.find(std::string(value));
  return found == it->second.values.end() ? 0 : found->second;
}

}  // namespace basalt::model
