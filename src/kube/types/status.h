#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace basalt::kube {

// The code that stands for a Status' reason ("NotFound", "Conflict", …); for one that is unknown or
// empty, the code that the HTTP status suggests.
ErrorCode CodeOfReason(std::string_view reason, int http_status);

// The Error that a response of 400 or more says. `body` is a Status, or anything else (then its
// first bytes become the message).
Error DecodeStatus(int http_status, std::string_view body);

// How long to wait for a server that asks for it: a minute at most, whatever it says.
std::chrono::seconds BoundedRetryAfter(std::int64_t seconds);

}  // namespace basalt::kube
