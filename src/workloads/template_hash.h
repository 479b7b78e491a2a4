#pragma once

#include <cstdint>
#include <string>

#include "kube/types/pod.h"

namespace basalt::workloads {

inline constexpr const char* kTemplateHashLabel = "pod-template-hash";

// The template as one canonical text, whatever the order of its keys, without the label that the
// Deployment controller itself adds: two templates are the same if these are.
std::string CanonicalTemplate(const kube::PodTemplate& pod_template);

// The value of pod-template-hash for a canonical template. `collisions` makes another where the
// first is taken by a set with a different template.
std::string TemplateHash(const std::string& canonical, std::int32_t collisions);

}  // namespace basalt::workloads
