#pragma once

#include <string>
#include <string_view>

#include "webhook/review.h"

namespace basalt::webhook {

// The AdmissionReview (admission.k8s.io/v1) that answers the request `uid`.
std::string WriteAnswer(std::string_view uid, const Review& review);

}  // namespace basalt::webhook
