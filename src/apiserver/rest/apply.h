#pragma once

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// PATCH with a configuration (application/apply-patch+yaml): server-side apply.
bool IsApply(const Call& call);
void HandleApply(const CallPtr& call);

}  // namespace basalt::apiserver
