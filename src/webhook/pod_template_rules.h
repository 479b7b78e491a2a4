#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "webhook/review.h"

namespace basalt::webhook {

// What the API server's validation would refuse in a pod made from the template, so that a job says
// it when it is created and not when its first pod is. Privileged containers are let through: that
// is for the policies of the cluster. `field` is where the template stands.
void CheckPodTemplate(const boost::json::object& pod_template, const std::string& field,
                      Review& review);

// The quantity under `key` is a whole number above zero.
bool IsWholePositive(const boost::json::object& quantities, std::string_view key);

}  // namespace basalt::webhook
