#pragma once

#include <expected>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {

struct StatusCause {
  std::string reason;
  std::string message;
  std::string field;
};

struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;
  std::vector<StatusCause> causes;
  int retry_after_seconds = 0;
};

// A refusal, as the wire shows it: Kubernetes' metav1.Status with status Failure.
struct ApiStatus {
  int code = 500;
  std::string reason;
  std::string message;
  std::optional<StatusDetails> details;
  std::string continue_token;  // metadata.continue, of an expired list only

  json::object ToJson() const;
};

template <class T>
using ApiResult = std::expected<T, ApiStatus>;

inline std::unexpected<ApiStatus> Refuse(ApiStatus status) {
  return std::unexpected(std::move(status));
}

// The refusals that Kubernetes knows. `kind` names the resource.
namespace refusal {
ApiStatus NotFound(const KindInfo& kind, std::string_view name);
ApiStatus AlreadyExists(const KindInfo& kind, std::string_view name);
// "Operation cannot be fulfilled on pods "x": DETAIL".
ApiStatus Conflict(const KindInfo& kind, std::string_view name, std::string_view detail);
// Another client has written the object since the caller read it.
ApiStatus StaleVersion(const KindInfo& kind, std::string_view name);
// "Pod "x" is invalid: …" with a cause for each complaint.
ApiStatus Invalid(const KindInfo& kind, std::string_view name, const FieldErrors& errors);
// `pods "x" is forbidden: DETAIL`
ApiStatus Forbidden(const KindInfo& kind, std::string_view name, std::string_view detail);
ApiStatus Internal(std::string message);
ApiStatus NotAcceptable(std::string_view accepted);
ApiStatus UnsupportedMediaType(std::string_view accepted);
ApiStatus TooManyRequests(std::string message, int retry_after_seconds);

inline ApiStatus BadRequest(std::string message) { return {400, "BadRequest", std::move(message)}; }
inline ApiStatus Unauthorized() { return {401, "Unauthorized", "Unauthorized"}; }
// No such path or resource.
inline ApiStatus NoSuchResource() {
  return {404, "NotFound", "the server could not find the requested resource", StatusDetails{}};
}
inline ApiStatus MethodNotAllowed() {
  return {405, "MethodNotAllowed", "the resource does not take this method", StatusDetails{}};
}
inline ApiStatus Expired(std::string message) { return {410, "Expired", std::move(message)}; }
inline ApiStatus TooLarge(std::string message) {
  return {413, "RequestEntityTooLarge", std::move(message)};
}
// An error that is none of the API's own: only a message.
inline ApiStatus Plain(std::string message) { return {500, "", std::move(message)}; }
}  // namespace refusal

}  // namespace basalt::apiserver
