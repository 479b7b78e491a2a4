#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "webhook/review.h"

namespace basalt::webhook {

// The rules for `policies` of a Job or of one of its tasks (contract C12.4); `field` names the
// list.
void CheckJobPolicies(const boost::json::object& owner, const std::string& field, Review& review);

}  // namespace basalt::webhook
