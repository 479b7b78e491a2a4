#pragma once

#include "base/metrics.h"
#include "kube/client/request_pacer.h"

namespace basalt::kube {

// Counts writes to the API server in basalt_api_writes_total{verb,resource,code}: for a Client's
// pacing.on_outcome. Reads are not counted. The code of a write without an answer is "error".
RequestHook CountWrites(metrics::Registry& registry);

}  // namespace basalt::kube
