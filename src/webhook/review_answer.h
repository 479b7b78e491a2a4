#pragma once

#include <string>
#include <string_view>

#include "webhook/verdict.h"

namespace basalt::webhook {

// The AdmissionReview (admission.k8s.io/v1) that answers the request `uid`.
std::string WriteAnswer(std::string_view uid, const Verdict& verdict);

}  // namespace basalt::webhook
