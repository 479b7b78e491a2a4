#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace basalt::apiserver {

// Kubernetes quotes refused values in its messages as its internal types print as JSON: every field
// under its Go name, absent ones as null, in the order of declaration. This is that form of a wire
// value, for the types whose values users get to see that way: "PodSpec", "PodTemplateSpec",
// "PersistentVolumeClaimSpec", "PodDisruptionBudgetSpec", "Taint", ….
boost::json::value InternalForm(const boost::json::value& wire, std::string_view type);

// The unified diff of two values' internal forms, with three lines of context, as it follows the
// refusal of an update.
std::string InternalDiff(const boost::json::value& before, const boost::json::value& after,
                         std::string_view type);

}  // namespace basalt::apiserver
