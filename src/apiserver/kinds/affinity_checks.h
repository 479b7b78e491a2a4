#pragma once

#include <string>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

// The parts of a pod spec that say where the pod may run.
namespace basalt::apiserver {

void ValidateAffinity(const json::object& affinity, const std::string& path, FieldErrors& errors);
void ValidateTolerations(const json::array& tolerations, const std::string& path,
                         FieldErrors& errors);
void ValidateTopologySpread(const json::array& constraints, const std::string& path,
                            FieldErrors& errors);
void ValidateSchedulingGates(const json::array& gates, const std::string& path,
                             FieldErrors& errors);
void ValidateNodeSelector(const json::object& selector, const std::string& path,
                          FieldErrors& errors);

}  // namespace basalt::apiserver
