#pragma once

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// POST namespaces/NS/bindings: the old way to bind a pod. The call's kind is pods.
void HandleBindingCollection(const CallPtr& call);

}  // namespace basalt::apiserver
