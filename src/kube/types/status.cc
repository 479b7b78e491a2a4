#include "kube/types/status.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kube/types/codec_impl.h"
#include "kube/types/status_body.h"

namespace basalt::kube {
namespace {

constexpr std::array<std::pair<std::string_view, ErrorCode>, 19> kReasons{{
    {"BadRequest", ErrorCode::kInvalidArgument},
    {"Invalid", ErrorCode::kInvalid},
    {"NotFound", ErrorCode::kNotFound},
    {"AlreadyExists", ErrorCode::kAlreadyExists},
    {"Conflict", ErrorCode::kConflict},
    {"Gone", ErrorCode::kGone},
    {"Expired", ErrorCode::kGone},
    {"Forbidden", ErrorCode::kForbidden},
    {"Unauthorized", ErrorCode::kUnauthorized},
    {"TooManyRequests", ErrorCode::kTooManyRequests},
    {"RequestEntityTooLarge", ErrorCode::kTooLarge},
    {"Timeout", ErrorCode::kTimeout},
    {"ServerTimeout", ErrorCode::kTimeout},
    {"ServiceUnavailable", ErrorCode::kUnavailable},
    {"InternalError", ErrorCode::kInternal},
    {"StoreReadError", ErrorCode::kInternal},
    {"MethodNotAllowed", ErrorCode::kUnsupported},
    {"NotAcceptable", ErrorCode::kUnsupported},
    {"UnsupportedMediaType", ErrorCode::kUnsupported},
}};

ErrorCode CodeOfHttp(int http_status) {
  switch (http_status) {
    case 400: return ErrorCode::kInvalidArgument;
    case 401: return ErrorCode::kUnauthorized;
    case 403: return ErrorCode::kForbidden;
    case 404: return ErrorCode::kNotFound;
    case 405:
    case 406:
    case 415:
    case 501: return ErrorCode::kUnsupported;
    case 408:
    case 504: return ErrorCode::kTimeout;
    case 409: return ErrorCode::kConflict;
    case 410: return ErrorCode::kGone;
    case 413: return ErrorCode::kTooLarge;
    case 422: return ErrorCode::kInvalid;
    case 429: return ErrorCode::kTooManyRequests;
    case 500: return ErrorCode::kInternal;
    default: return http_status > 500 ? ErrorCode::kUnavailable : ErrorCode::kUnknown;
  }
}

}  // namespace

ErrorCode CodeOfReason(std::string_view reason, int http_status) {
  for (const auto& [name, code] : kReasons) {
    if (name == reason) return code;
  }
  return CodeOfHttp(http_status);
}

Error DecodeStatus(int http_status, std::string_view body) {
  json::StatusBody status;
  const Result<void> decoded =
      json::DecodeObject(body, [&](json::Reader& reader, json::Object& fields) {
        return json::ReadFields(reader, fields, [&](std::string_view key, json::Value& value) {
          return ReadField(reader, key, value, status);
        });
      });
  if (decoded && status.kind == "Status") return status.ToError(http_status);
  constexpr std::size_t kMostText = 512;
  std::string_view text = body.substr(0, kMostText);
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  return {
      .code = CodeOfHttp(http_status),
      .message = text.empty() ? "HTTP status " + std::to_string(http_status) : std::string(text),
      .http_status = http_status};
}

std::chrono::seconds BoundedRetryAfter(std::int64_t seconds) {
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, 60));
}

namespace json {

Error StatusBody::ToError(int http_status) const {
  const int status = http_status != 0 ? http_status : code;
  Error error{.code = CodeOfReason(reason, status),
              .message = message.empty() ? reason : message,
              .http_status = status};
  if (retry_after_seconds > 0) error.retry_after = BoundedRetryAfter(retry_after_seconds);
  return error;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, StatusBody& out) {
  if (key == "kind") return Read(reader, value, out.kind);
  if (key == "message") return Read(reader, value, out.message);
  if (key == "reason") return Read(reader, value, out.reason);
  if (key == "code") return Read(reader, value, out.code);
  if (key == "details") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "retryAfterSeconds") return Read(reader, field, out.retry_after_seconds);
      return true;
    });
  }
  return true;
}

}  // namespace json
}  // namespace basalt::kube
