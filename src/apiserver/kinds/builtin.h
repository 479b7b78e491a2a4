#pragma once

#include <vector>

#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// Every kind that the server serves without a CRD, with its rules. core/v1 and events.k8s.io/v1
// Events are both listed; rest/ may serve them from one store (kinds/event.h converts).
std::vector<KindInfo> BuiltinKinds();

// The objects that exist from the start: the namespaces default, kube-system, kube-public and
// kube-node-lease, and the two system priority classes. Complete with apiVersion, kind and name.
std::vector<json::object> InitialObjects();

}  // namespace basalt::apiserver
