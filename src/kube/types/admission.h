#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::kube {

// What an API server asks an admission webhook: the request of an admission.k8s.io/v1
// AdmissionReview. The objects stay JSON text; the rule of their kind decodes them.
struct AdmissionRequest {
  enum class Operation : std::uint8_t { kCreate, kUpdate, kDelete, kConnect };

  std::string uid;
  Operation operation = Operation::kCreate;
  std::string group;  // of the resource
  std::string version;
  std::string resource;  // "pods"
  std::string subresource;
  std::string ns;
  std::string name;  // may be empty where the server is to make one
  std::string user;
  bool dry_run = false;
  std::string object;      // "": none, as with a delete
  std::string old_object;  // "": none, as with a create
};
std::string_view ToString(AdmissionRequest::Operation operation);

// Errors name the field that is wrong. Any bytes are allowed in.
Result<AdmissionRequest> DecodeAdmissionReview(std::string_view json);

}  // namespace basalt::kube
