#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/admission/admission.h"

namespace basalt::apiserver {

// Addresses for services that ask for none, from 10.96.0.0/12. Nothing is routed here: clients only
// want to see that a service has one, and that no other has the same. Counts on from the highest
// that is taken, in the upper half, which leaves the lower one to those that choose.
class ServiceAddresses {
 public:
  std::string Next(const ObjectReader& objects);

 private:
  std::uint32_t last_ = 0;  // 0: nobody has looked what is taken
};

// What kube-apiserver's own admission plugins do to a write, in their order: the namespace must be
// there and stay, priority classes are resolved, pods tolerate a node's short absence, claims get
// the default storage class and are protected while in use, bound pods get their node's topology.
// Changes request.object or refuses. Deterministic.
ApiResult<void> AdmitBuiltin(AdmissionRequest& request, const ObjectReader& objects,
                             ServiceAddresses& addresses);

// `pods "x" is forbidden: DETAIL`, with the name that the request goes by.
ApiStatus AdmissionForbidden(const AdmissionRequest& request, std::string_view detail);

}  // namespace basalt::apiserver
