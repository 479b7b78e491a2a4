#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace basalt {

// What went wrong, in the terms a caller can act on. The codes that have a Kubernetes reason carry
// the same meaning as that reason.
enum class ErrorCode {
  kUnknown,
  kInvalidArgument,  // bad request, bad flag, bad configuration
  kInvalid,          // well-formed, but refused by validation
  kNotFound,
  kAlreadyExists,
  kConflict,  // optimistic concurrency
  kGone,      // the resourceVersion is too old
  kForbidden,
  kUnauthorized,
  kTooManyRequests,
  kTooLarge,
  kTimeout,      // our deadline or the server's
  kUnavailable,  // connection refused, reset, closed; 5xx
  kUnsupported,
  kCancelled,
  kInternal,
};

std::string_view ToString(ErrorCode code);

// An expected failure of I/O, of a request or of configuration. Bugs abort (check.h) and "does not
// fit" is data; neither is an Error.
struct Error {
  ErrorCode code = ErrorCode::kUnknown;
  std::string message;
  int http_status = 0;                              // 0: did not come from a response
  std::optional<std::chrono::seconds> retry_after;  // the server's wish
  bool unsent = false;                              // no byte of the request left: safe to repeat

  // The same error, said from further out: "reading kubeconfig: no such file".
  Error Wrap(std::string_view context) const;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> Fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{.code = code, .message = std::move(message)});
}

}  // namespace basalt
