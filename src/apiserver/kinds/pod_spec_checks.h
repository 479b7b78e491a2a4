#pragma once

#include <string>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// A pod's spec, or a template's.
void ValidatePodSpec(const json::object& spec, const std::string& path, FieldErrors& errors);

// spec.template of a workload: the metadata that pods get, and their spec.
void ValidatePodTemplate(const json::object& pod_template, const std::string& path,
                         FieldErrors& errors);

}  // namespace basalt::apiserver
