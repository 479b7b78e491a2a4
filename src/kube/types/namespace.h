#pragma once

#include <string>
#include <vector>

#include "kube/types/meta.h"

namespace basalt::kube {

struct Namespace {
  ObjectMeta meta;
  std::vector<std::string> finalizers;  // of its spec
  bool terminating = false;             // status.phase
  bool operator==(const Namespace&) const = default;
};

}  // namespace basalt::kube
