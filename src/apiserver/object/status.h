#pragma once

#include <boost/json/object.hpp>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

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
  std::string uid;
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

// The refusals that Kubernetes knows, worded as it words them. `kind` names the resource.
namespace refusal {
ApiStatus NotFound(const KindInfo& kind, std::string_view name);
ApiStatus AlreadyExists(const KindInfo& kind, std::string_view name);
// "Operation cannot be fulfilled on pods "x": DETAIL".
ApiStatus Conflict(const KindInfo& kind, std::string_view name, std::string_view detail);
// Somebody else has written the object since its reader read it.
ApiStatus StaleVersion(const KindInfo& kind, std::string_view name);
// "Pod "x" is invalid: …" with a cause for each complaint.
ApiStatus Invalid(const KindInfo& kind, std::string_view name, const FieldErrors& errors);
// `pods "x" is forbidden: DETAIL`
ApiStatus Forbidden(const KindInfo& kind, std::string_view name, std::string_view detail);
ApiStatus BadRequest(std::string message);
ApiStatus Unauthorized();
ApiStatus MethodNotAllowed();
// No such path or resource.
ApiStatus NoSuchResource();
ApiStatus NotAcceptable(std::string_view accepted);
ApiStatus UnsupportedMediaType(std::string_view accepted);
ApiStatus TooLarge(std::string message);
ApiStatus TooManyRequests(std::string message, int retry_after_seconds);
ApiStatus Expired(std::string message);
ApiStatus Internal(std::string message);
}  // namespace refusal

}  // namespace basalt::apiserver
