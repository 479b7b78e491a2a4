#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kube/types/meta.h"
#include "kube/types/selector.h"

namespace basalt::kube {

// topology.volcano.sh/v1alpha1 HyperNode: nodes, or smaller hypernodes, behind one switch.
struct HyperNode {
  // Which nodes or hypernodes belong to it: one of the three is set.
  struct Member {
    enum class Type : std::uint8_t { kNode, kHyperNode };
    Type type = Type::kNode;
    std::optional<std::string> exact_match;
    std::optional<std::string> regex_match;
    std::optional<LabelSelector> label_match;
    bool operator==(const Member&) const = default;
  };

  ObjectMeta meta;
  std::int32_t tier = 0;
  std::string tier_name;
  std::vector<Member> members;
  std::vector<Condition> conditions;
  std::int64_t node_count = 0;
  bool operator==(const HyperNode&) const = default;
};

}  // namespace basalt::kube
