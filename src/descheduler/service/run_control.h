#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "descheduler/plan/plan.h"

namespace basalt::descheduler {

// What a caller of the HTTP API may ask of a run; what is empty is as the policy has it.
struct RunRequest {
  std::optional<bool> dry_run;
  std::string resource_type;
  std::string node_selector;
  std::string profile;
};

// The runs of a descheduler, as its HTTP API sees them. Outlives the ApiHandler; loop thread only.
class RunControl {
 public:
  virtual ~RunControl() = default;

  virtual bool leads() const = 0;
  virtual bool IsDry(const RunRequest& request) const = 0;
  // The id of the run that is under way; "": none is.
  virtual std::string under_way() const = 0;
  // Makes the plan, and unless it is a dry run begins to carry it out. Errors name what is wrong
  // with the request (kInvalidArgument), or why nothing can be done now. Not while one is under
  // way, but for dry runs.
  virtual Result<Plan> Begin(const RunRequest& request) = 0;
  // As it stands; nothing: there is no plan of that name.
  virtual std::optional<Plan> Find(std::string_view id) const = 0;
  // The newest first.
  virtual std::vector<Plan> All() const = 0;
};

}  // namespace basalt::descheduler
