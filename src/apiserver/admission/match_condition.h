#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "apiserver/admission/admission.h"

namespace basalt::apiserver {

// A matchCondition's expression: the part of CEL that such conditions use. Names `object`,
// `oldObject` and `request` (operation, namespace, name, dryRun, userInfo.username, subResource);
// fields by `.name` and `["name"]`, `has()`, `in`, `==`, `!=`, `!`, `&&`, `||`, parentheses,
// strings, integers, booleans, null and lists of these. As in CEL a field that is not there is an
// error, which && and || pass over where the other side decides. Immutable.
class MatchCondition {
 public:
  // Nothing: the expression uses more of CEL than this knows.
  static std::optional<MatchCondition> Parse(std::string_view expression);

  enum class Outcome { kTrue, kFalse, kError };
  Outcome Evaluate(const AdmissionRequest& request) const;

  struct Node;

 private:
  explicit MatchCondition(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace basalt::apiserver
