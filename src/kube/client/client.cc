#include "kube/client/client.h"

#include <fmt/core.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "kube/client/request_parts.h"

namespace basalt::kube {
namespace {

namespace json = boost::json;

std::string_view ContentType(PatchKind kind) {
  switch (kind) {
    case PatchKind::kJson: return "application/json-patch+json";
    case PatchKind::kMerge: return "application/merge-patch+json";
    case PatchKind::kStrategic: return "application/strategic-merge-patch+json";
  }
  return "";
}

std::string Body(const DeleteOptions& options) {
  json::object body{{"kind", "DeleteOptions"}, {"apiVersion", "v1"}};
  if (options.grace_period_seconds) body["gracePeriodSeconds"] = *options.grace_period_seconds;
  if (!options.propagation.empty()) body["propagationPolicy"] = options.propagation;
  json::object preconditions;
  if (!options.uid.empty()) preconditions["uid"] = options.uid;
  if (!options.resource_version.empty()) {
    preconditions["resourceVersion"] = options.resource_version;
  }
  if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
  return json::serialize(body);
}

// Empty when `target` names what the call needs; otherwise what is wrong. A forgotten name must
// never turn the call into one on the collection.
std::string Problem(const Target& target, bool needs_name) {
  if (needs_name && target.name.empty()) {
    return fmt::format("{}: the name is missing", target.resource.plural);
  }
  if (target.resource.namespaced && target.ns.empty()) {
    return fmt::format("{} {}: the namespace is missing", target.resource.plural, target.name);
  }
  if (!IsPathSegment(target.ns) || !IsPathSegment(target.name)) {
    return fmt::format("{} {}/{}: a name must not be '.' or '..' nor contain '/' or '%'",
                       target.resource.plural, target.ns, target.name);
  }
  return "";
}

std::string PathOf(const Target& target) {
  return target.resource.Path(target.ns, target.name, target.subresource);
}

}  // namespace

Client::Client(ApiClient& api, ClientOptions options)
    : api_(api), options_(std::move(options)), pacer_(api, options_.pacing) {}

void Client::Submit(ApiRequest request, std::string resource, ApiHandler handler,
                    const CallOptions& options) {
  request.timeout = options.timeout > Duration::zero() ? options.timeout : options_.timeout;
  const Duration deadline =
      options.deadline > Duration::zero() ? options.deadline : options_.deadline;
  pacer_.Send(std::move(request), std::move(resource), deadline, options.retry, std::move(handler));
}

void Client::Refuse(std::string message, ApiHandler handler) {
  loop().Post(scope_.Guard([message = std::move(message), handler = std::move(handler)]() mutable {
    handler(Fail(ErrorCode::kInvalidArgument, std::move(message)));
  }));
}

void Client::Write(const Target& target, ApiRequest request, ApiHandler handler,
                   const CallOptions& options) {
  request.path = PathOf(target);
  if (options.dry_run) request.query.emplace_back("dryRun", "All");
  AddIfSet(request, "fieldManager", options.field_manager);
  Submit(std::move(request), HookName(target.resource, target.subresource), std::move(handler),
         options);
}

void Client::Get(const Target& target, ApiHandler handler, const CallOptions& options) {
  if (std::string problem = Problem(target, true); !problem.empty()) {
    return Refuse(std::move(problem), std::move(handler));
  }
  Submit({.method = "GET", .path = PathOf(target)}, HookName(target.resource, target.subresource),
         std::move(handler), options);
}

void Client::Create(const Target& target, std::string body, ApiHandler handler,
                    const CallOptions& options) {
  std::string problem = Problem(target, !target.subresource.empty());
  if (problem.empty() && target.subresource.empty() && !target.name.empty()) {
    problem = fmt::format("{} {}: the name of a new object is in its body, not in the path",
                          target.resource.plural, target.name);
  }
  if (!problem.empty()) return Refuse(std::move(problem), std::move(handler));
  Write(target, {.method = "POST", .body = std::move(body)}, std::move(handler), options);
}

void Client::Update(const Target& target, std::string body, ApiHandler handler,
                    const CallOptions& options) {
  if (std::string problem = Problem(target, true); !problem.empty()) {
    return Refuse(std::move(problem), std::move(handler));
  }
  Write(target, {.method = "PUT", .body = std::move(body)}, std::move(handler), options);
}

void Client::Patch(const Target& target, PatchKind kind, std::string body, ApiHandler handler,
                   const CallOptions& options) {
  if (std::string problem = Problem(target, true); !problem.empty()) {
    return Refuse(std::move(problem), std::move(handler));
  }
  Write(
      target,
      {.method = "PATCH", .body = std::move(body), .content_type = std::string(ContentType(kind))},
      std::move(handler), options);
}

void Client::Delete(const Target& target, const DeleteOptions& how, ApiHandler handler,
                    const CallOptions& options) {
  if (std::string problem = Problem(target, true); !problem.empty()) {
    return Refuse(std::move(problem), std::move(handler));
  }
  Write(target, {.method = "DELETE", .body = Body(how)}, std::move(handler), options);
}

void Client::DeleteCollection(const Resource& resource, std::string_view ns,
                              const DeleteOptions& how, const ListOptions& which,
                              ApiHandler handler) {
  const Target target{resource, ns};
  if (std::string problem = Problem(target, false); !problem.empty()) {
    return Refuse(std::move(problem), std::move(handler));
  }
  ApiRequest request{.method = "DELETE", .body = Body(how)};
  AddIfSet(request, "labelSelector", which.label_selector);
  AddIfSet(request, "fieldSelector", which.field_selector);
  Write(target, std::move(request), std::move(handler), which.call);
}

std::unique_ptr<WatchStream> Client::Watch(const Resource& resource, std::string_view ns,
                                           const WatchOptions& options, WatchObserver& observer) {
  ApiRequest request{.method = "GET", .path = resource.Path(ns), .timeout = options.start_timeout};
  request.query.emplace_back("watch", "1");
  AddIfSet(request, "labelSelector", options.label_selector);
  AddIfSet(request, "fieldSelector", options.field_selector);
  AddIfSet(request, "resourceVersion", options.resource_version);
  if (options.bookmarks) request.query.emplace_back("allowWatchBookmarks", "true");
  if (options.timeout) {
    request.query.emplace_back("timeoutSeconds", fmt::format("{}", options.timeout->count()));
  }
  return api_.Watch(std::move(request), observer);
}

void Client::Send(ApiRequest request, ApiHandler handler, const CallOptions& options) {
  Submit(std::move(request), "", std::move(handler), options);
}

}  // namespace basalt::kube
