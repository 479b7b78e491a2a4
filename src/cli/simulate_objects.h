#pragma once

#include <boost/json/array.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/manifests.h"

namespace basalt::cli {

// What the API server would have once the controllers have done their part: of a Job, a Deployment
// and the like its pods, and its PodGroup where it has one; everything else as it is. `ns`: of
// objects that name none. Made by the controllers' own code where there is some.
Result<boost::json::array> ObjectsToSimulate(const std::vector<Manifest>& manifests,
                                             const std::string& ns);

}  // namespace basalt::cli
