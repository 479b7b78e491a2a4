#pragma once

#include <string>
#include <vector>

#include "kube/types/meta.h"
#include "kube/types/resource_list.h"

namespace basalt::kube {

struct ResourceQuota {
  // Of scopeSelector: "PriorityClass In (high)".
  struct ScopeRequirement {
    std::string scope_name;
    std::string op;  // In, NotIn, Exists, DoesNotExist
    std::vector<std::string> values;
    bool operator==(const ScopeRequirement&) const = default;
  };

  ObjectMeta meta;
  ResourceList hard;  // spec.hard
  std::vector<std::string> scopes;
  std::vector<ScopeRequirement> scope_selector;
  ResourceList status_hard;
  ResourceList status_used;
  bool operator==(const ResourceQuota&) const = default;
};

}  // namespace basalt::kube
