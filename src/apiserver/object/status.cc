#include "apiserver/object/status.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>

namespace basalt::apiserver {

json::object ToJson(const StatusDetails& details) {
  json::object out;
  const auto put = [&out](std::string_view name, const std::string& value) {
    if (!value.empty()) out[name] = value;
  };
  put("name", details.name);
  put("group", details.group);
  put("kind", details.kind);
  put("uid", details.uid);
  if (!details.causes.empty()) {
    json::array& causes = (out["causes"] = json::array()).as_array();
    for (const StatusCause& cause : details.causes) {
      json::object item;
      if (!cause.reason.empty()) item["reason"] = cause.reason;
      if (!cause.message.empty()) item["message"] = cause.message;
      if (!cause.field.empty()) item["field"] = cause.field;
      causes.push_back(std::move(item));
    }
  }
  if (details.retry_after_seconds != 0) out["retryAfterSeconds"] = details.retry_after_seconds;
  return out;
}

json::object ApiStatus::ToJson() const {
  json::object out;
  out["kind"] = "Status";
  out["apiVersion"] = "v1";
  json::object& metadata = (out["metadata"] = json::object()).as_object();
  if (!continue_token.empty()) metadata["continue"] = continue_token;
  out["status"] = "Failure";
  if (!message.empty()) out["message"] = message;
  if (!reason.empty()) out["reason"] = reason;
  if (details) out["details"] = apiserver::ToJson(*details);
  out["code"] = code;
  return out;
}

namespace refusal {
namespace {

StatusDetails About(const KindInfo& kind, std::string_view name) {
  return {.name = std::string(name), .group = kind.group, .kind = kind.plural};
}

}  // namespace

ApiStatus NotFound(const KindInfo& kind, std::string_view name) {
  return {.code = 404,
          .reason = "NotFound",
          .message = fmt::format("{} \"{}\" not found", kind.QualifiedResource(), name),
          .details = About(kind, name)};
}

ApiStatus AlreadyExists(const KindInfo& kind, std::string_view name) {
  return {.code = 409,
          .reason = "AlreadyExists",
          .message = fmt::format("{} \"{}\" already exists", kind.QualifiedResource(), name),
          .details = About(kind, name)};
}

ApiStatus Conflict(const KindInfo& kind, std::string_view name, std::string_view detail) {
  return {.code = 409,
          .reason = "Conflict",
          .message = fmt::format("Operation cannot be fulfilled on {} \"{}\": {}",
                                 kind.QualifiedResource(), name, detail),
          .details = About(kind, name)};
}

ApiStatus StaleVersion(const KindInfo& kind, std::string_view name) {
  return Conflict(kind, name,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

ApiStatus Invalid(const KindInfo& served, std::string_view name, const FieldErrors& errors) {
  KindInfo kind = served;
  // Both versions of Event go by the old one's name here.
  if (kind.group == "events.k8s.io") kind.group.clear();
  ApiStatus status{
      .code = 422,
      .reason = "Invalid",
      .message = fmt::format("{} \"{}\" is invalid: {}",
                             kind.group.empty() ? kind.kind : kind.kind + "." + kind.group, name,
                             errors.Message()),
      .details = StatusDetails{.name = std::string(name), .group = kind.group, .kind = kind.kind}};
  for (const FieldError& error : errors.all()) {
    status.details->causes.push_back(
        {.reason = error.type, .message = error.detail, .field = error.field});
  }
  return status;
}

ApiStatus Forbidden(const KindInfo& kind, std::string_view name, std::string_view detail) {
  const std::string what = name.empty() ? kind.QualifiedResource()
                                        : fmt::format("{} \"{}\"", kind.QualifiedResource(), name);
  return {.code = 403,
          .reason = "Forbidden",
          .message = fmt::format("{} is forbidden: {}", what, detail),
          .details = About(kind, name)};
}

ApiStatus BadRequest(std::string message) {
  return {.code = 400, .reason = "BadRequest", .message = std::move(message)};
}

ApiStatus Unauthorized() {
  return {.code = 401, .reason = "Unauthorized", .message = "Unauthorized"};
}

ApiStatus MethodNotAllowed() {
  return {.code = 405,
          .reason = "MethodNotAllowed",
          .message = "the server does not allow this method on the requested resource",
          .details = StatusDetails{}};
}

ApiStatus NoSuchResource() {
  return {.code = 404,
          .reason = "NotFound",
          .message = "the server could not find the requested resource",
          .details = StatusDetails{}};
}

ApiStatus NotAcceptable(std::string_view accepted) {
  return {.code = 406,
          .reason = "NotAcceptable",
          .message = fmt::format("only the following media types are accepted: {}", accepted)};
}

ApiStatus UnsupportedMediaType(std::string_view accepted) {
  return {.code = 415,
          .reason = "UnsupportedMediaType",
          .message = fmt::format(
              "the body of the request was in an unknown format - accepted media types include: {}",
              accepted)};
}

ApiStatus TooLarge(std::string message) {
  return {.code = 413, .reason = "RequestEntityTooLarge", .message = std::move(message)};
}

ApiStatus TooManyRequests(std::string message, int retry_after_seconds) {
  return {.code = 429,
          .reason = "TooManyRequests",
          .message = std::move(message),
          .details = StatusDetails{.retry_after_seconds = retry_after_seconds}};
}

ApiStatus Expired(std::string message) {
  return {.code = 410, .reason = "Expired", .message = std::move(message)};
}

ApiStatus Internal(std::string message) {
  StatusDetails details;
  details.causes.push_back({.message = message});
  return {.code = 500,
          .reason = "InternalError",
          .message = fmt::format("Internal error occurred: {}", message),
          .details = std::move(details)};
}

}  // namespace refusal
}  // namespace basalt::apiserver
