#pragma once

#include "apiserver/admission/admission.h"
#include "apiserver/admission/service_addresses.h"

namespace basalt::apiserver {

// What kube-apiserver's own admission plugins do to a write, in their order: the namespace must be
// there and stay, priority classes are resolved, pods tolerate a node's short absence, claims get
// the default storage class and are protected while in use, bound pods get their node's topology.
// Changes request.object or refuses. Deterministic.
ApiResult<void> AdmitBuiltin(AdmissionRequest& request, const ObjectReader& objects,
                             ServiceAddresses& addresses);

// `pods "x" is forbidden: DETAIL`, with the name that the request goes by.
ApiStatus AdmissionForbidden(const AdmissionRequest& request, std::string_view detail);

}  // namespace basalt::apiserver
