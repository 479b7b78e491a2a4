#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"
#include "kube/types/quantity.h"

namespace basalt::apiserver {

// requests and limits of a container (or of a claim template, without limits on names).
void ValidateResourceRequirements(const json::object& resources, const json::object& pod_spec,
                                  const std::string& path, FieldErrors& errors);
// Not negative, and whole where the resource has no halves.
void ValidateResourceQuantity(std::string_view name, const json::value& quantity,
                              const std::string& path, FieldErrors& errors);

// One that Kubernetes itself knows: "cpu", "pods", "requests.memory", "hugepages-2Mi".
bool IsStandardResource(std::string_view name);
// "Guaranteed", "Burstable" or "BestEffort".
std::string_view QosClass(const json::object& pod_spec);

// The amount under `name`, if there is one.
std::optional<kube::Quantity> FindQuantity(const json::object* amounts, std::string_view name);

}  // namespace basalt::apiserver
