#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/admission/admission.h"
#include "apiserver/object/object.h"
#include "base/error.h"

// The AdmissionReview protocol (admission.k8s.io/v1), both ways.
namespace basalt::apiserver {

// "CREATE", …
std::string_view OperationName(Operation operation);

std::string WriteReview(const AdmissionRequest& request, std::string_view uid);

struct ReviewAnswer {
  bool allowed = false;
  ApiStatus refusal;                 // where it is not allowed
  std::optional<json::array> patch;  // RFC 6902
  std::vector<std::string> warnings;
};
// The error is for failurePolicy: the answer is no answer.
Result<ReviewAnswer> ReadReview(std::string_view body, std::string_view uid,
                                std::string_view webhook_name);

}  // namespace basalt::apiserver
