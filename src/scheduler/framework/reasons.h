#pragma once

#include <set>
#include <string>
#include <string_view>

#include "kube/types/reasons.h"

namespace basalt::scheduler {

// Texts that verdicts may point to, each kept once. Owned by the PluginSet, on the sessions'
// thread.
class Reasons {
 public:
  std::string_view Keep(std::string text) { return *texts_.insert(std::move(text)).first; }

 private:
  std::set<std::string> texts_;
};

}  // namespace basalt::scheduler
