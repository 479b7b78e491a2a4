#pragma once

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// GET pods/NAME/log. Pods are simulated: no program runs and nothing is logged, and one line says
// so. The container is chosen as Kubernetes does.
void HandlePodLog(const CallPtr& call);

}  // namespace basalt::apiserver
