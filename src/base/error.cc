#include "base/error.h"

#include <fmt/core.h>

namespace basalt {

std::string_view ToString(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUnknown: return "Unknown";
    case ErrorCode::kInvalidArgument: return "BadRequest";
    case ErrorCode::kInvalid: return "Invalid";
    case ErrorCode::kNotFound: return "NotFound";
    case ErrorCode::kAlreadyExists: return "AlreadyExists";
    case ErrorCode::kConflict: return "Conflict";
    case ErrorCode::kGone: return "Gone";
    case ErrorCode::kForbidden: return "Forbidden";
    case ErrorCode::kUnauthorized: return "Unauthorized";
    case ErrorCode::kTooManyRequests: return "TooManyRequests";
    case ErrorCode::kTooLarge: return "RequestEntityTooLarge";
    case ErrorCode::kTimeout: return "Timeout";
    case ErrorCode::kUnavailable: return "ServiceUnavailable";
    case ErrorCode::kUnsupported: return "Unsupported";
    case ErrorCode::kCancelled: return "Cancelled";
    case ErrorCode::kInternal: return "InternalError";
  }
  return "Unknown";
}

Error Error::Wrap(std::string_view context) const {
  Error outer = *this;
  outer.message = fmt::format("{}: {}", context, message);
  return outer;
}

}  // namespace basalt
