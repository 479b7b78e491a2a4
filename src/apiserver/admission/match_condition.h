#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

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

  struct Value;
  using Expression = std::function<Value(const AdmissionRequest& request)>;

 private:
  explicit MatchCondition(Expression root)
      : root_(std::make_shared<const Expression>(std::move(root))) {}

  std::shared_ptr<const Expression> root_;  // shared by copies
};

}  // namespace basalt::apiserver
