#include "apiserver/object/status.h"

#include <fmt/format.h>

namespace basalt::apiserver {
namespace {

// What is empty is left out.
void Put(json::object& out, std::string_view name, const std::string& value) {
  if (!value.empty()) out[name] = value;
}

json::object DetailsOf(const StatusDetails& details) {
  json::object out;
  Put(out, "name", details.name);
  Put(out, "group", details.group);
  Put(out, "kind", details.kind);
  json::array causes;
  for (const StatusCause& cause : details.causes) {
    json::object item;
    Put(item, "reason", cause.reason);
    Put(item, "message", cause.message);
    Put(item, "field", cause.field);
    causes.push_back(std::move(item));
  }
  if (!causes.empty()) out["causes"] = std::move(causes);
  if (details.retry_after_seconds != 0) out["retryAfterSeconds"] = details.retry_after_seconds;
  return out;
}

}  // namespace

json::object ApiStatus::ToJson() const {
  json::object metadata;
  Put(metadata, "continue", continue_token);
  json::object out{{"kind", "Status"},
                   {"apiVersion", "v1"},
                   {"metadata", std::move(metadata)},
                   {"status", "Failure"}};
  Put(out, "message", message);
  Put(out, "reason", reason);
  if (details) out["details"] = DetailsOf(*details);
  out["code"] = code;
  return out;
}

namespace refusal {
namespace {

ApiStatus About(const KindInfo& kind, std::string_view name, int code, std::string reason,
                std::string message) {
  return {code, std::move(reason), std::move(message),
          StatusDetails{.name = std::string(name), .group = kind.group, .kind = kind.plural}};
}

std::string Named(const KindInfo& kind, std::string_view name) {
  return name.empty() ? kind.QualifiedResource()
                      : fmt::format("{} \"{}\"", kind.QualifiedResource(), name);
}

}  // namespace

ApiStatus NotFound(const KindInfo& kind, std::string_view name) {
  return About(kind, name, 404, "NotFound", Named(kind, name) + " not found");
}

ApiStatus AlreadyExists(const KindInfo& kind, std::string_view name) {
  return About(kind, name, 409, "AlreadyExists", Named(kind, name) + " already exists");
}

ApiStatus Conflict(const KindInfo& kind, std::string_view name, std::string_view detail) {
  return About(kind, name, 409, "Conflict",
               fmt::format("Operation cannot be fulfilled on {}: {}", Named(kind, name), detail));
}

ApiStatus StaleVersion(const KindInfo& kind, std::string_view name) {
  return Conflict(kind, name,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

ApiStatus Forbidden(const KindInfo& kind, std::string_view name, std::string_view detail) {
  return About(kind, name, 403, "Forbidden",
               fmt::format("{} is forbidden: {}", Named(kind, name), detail));
}

ApiStatus Invalid(const KindInfo& served, std::string_view name, const FieldErrors& errors) {
  KindInfo kind = served;
  // Both versions of Event go by the old one's name here.
  if (kind.group == "events.k8s.io") kind.group.clear();
  kind.plural = kind.kind;  // this one names the kind, not the resource
  ApiStatus status = About(
      kind, name, 422, "Invalid",
      fmt::format("{} \"{}\" is invalid: {}", kind.QualifiedResource(), name, errors.Message()));
  for (const FieldError& error : errors.all()) {
    status.details->causes.push_back({error.type, error.detail, error.field});
  }
  return status;
}

ApiStatus NotAcceptable(std::string_view accepted) {
  return {406, "NotAcceptable", fmt::format("only {} can be answered with", accepted)};
}

ApiStatus UnsupportedMediaType(std::string_view accepted) {
  return {415, "UnsupportedMediaType", fmt::format("the body must be one of {}", accepted)};
}

ApiStatus TooManyRequests(std::string message, int retry_after_seconds) {
  return {429, "TooManyRequests", std::move(message),
          StatusDetails{.retry_after_seconds = retry_after_seconds}};
}

ApiStatus Internal(std::string message) {
  return {500, "InternalError", "Internal error occurred: " + message,
          StatusDetails{.causes = {{.message = message}}}};
}

}  // namespace refusal
}  // namespace basalt::apiserver
