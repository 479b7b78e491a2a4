#pragma once

#include "kube/types/json_fields.h"

namespace basalt::cli {

using kube::ArrayAt;
using kube::NumberAt;
using kube::ObjectAt;
using kube::TextAt;

}  // namespace basalt::cli
