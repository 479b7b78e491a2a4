#pragma once

#include <string>
#include <string_view>

#include "kube/types/vcjob.h"

namespace basalt::controllers {

// A JSON patch of the status subresource that makes `status` the job's; it holds for that version
// of the job alone.
std::string JobStatusPatch(const kube::VcJobStatus& status, std::string_view resource_version);

}  // namespace basalt::controllers
