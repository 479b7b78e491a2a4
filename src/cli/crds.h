#pragma once

#include <string_view>

namespace basalt::cli {

// The CRDs of deploy/crds/, as one stream of YAML documents, built into the program.
std::string_view CrdManifests();

}  // namespace basalt::cli
