#include "apiserver/discovery/discovery.h"

#include <boost/json/array.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/discovery/openapi.h"
#include "apiserver/discovery/resource_lists.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/reviews.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kAggregatedType =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

std::string_view Accept(const Call& call) {
  const std::string* header = net::FindHeader(call.http.headers, "Accept");
  return header == nullptr ? std::string_view() : std::string_view(*header);
}

bool WantsAggregated(const Call& call) {
  bool aggregated = false;
  AnyMediaRange(Accept(call), [&aggregated](const MediaRange& range) {
    if (!range.IsJson()) return false;
    if (range.as.empty()) return true;  // plain JSON comes first
    aggregated = range.as == "APIGroupDiscoveryList" && range.group == "apidiscovery.k8s.io" &&
                 range.version == "v2";
    return aggregated;
  });
  return aggregated;
}

void ReplyText(Call& call, std::string text) {
  call.Respond(
      {.status = 200, .content_type = "text/plain; charset=utf-8", .body = std::move(text)});
}

void ReplyOrNotFound(Call& call, const json::object& document) {
  if (document.empty()) return call.Refuse(refusal::NoSuchResource());
  call.ReplyJson(200, ToText(document));
}

json::object Version() {
  return {{"major", "1"},
          {"minor", "36"},
          {"emulationMajor", "1"},
          {"emulationMinor", "36"},
          {"minCompatibilityMajor", "1"},
          {"minCompatibilityMinor", "35"},
          {"gitVersion", "v1.36.0+basalt"},
          {"gitCommit", ""},
          {"gitTreeState", "clean"},
          {"buildDate", "1970-01-01T00:00:00Z"},
          {"goVersion", ""},
          {"compiler", ""},
          {"platform", "linux/amd64"}};
}

json::object CoreVersions(const Call& call) {
  const std::string* host = net::FindHeader(call.http.headers, "Host");
  return {{"kind", "APIVersions"},
          {"versions", json::array{"v1"}},
          {"serverAddressByClientCIDRs",
           json::array{json::object{{"clientCIDR", "0.0.0.0/0"},
                                    {"serverAddress", host == nullptr ? "" : *host}}}}};
}

void ServeAggregated(Call& call, bool core) {
  call.Respond({.status = 200,
                .content_type = std::string(kAggregatedType),
                .body = ToText(ResourceLists(call.core.kinds).Aggregated(core)) + "\n"});
}

void ServeOpenApiV2(Call& call) {
  const bool protobuf = AnyMediaRange(Accept(call), [](const MediaRange& range) {
    return range.type.find("proto-openapi.spec.v2") != std::string_view::npos;
  });
  if (!protobuf) return call.ReplyJson(200, OpenApiV2Json());
  call.Respond({.status = 200,
                .content_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
                .body = OpenApiV2Protobuf()});
}

// A document is asked for by its hash, and may be kept for as long as that stays.
void ServeOpenApiV3(Call& call, const OpenApiDocuments::Document& document) {
  const std::string tag = "\"" + document.hash + "\"";
  const std::string* known = net::FindHeader(call.http.headers, "If-None-Match");
  net::HttpResponse response{.status = 200};
  if (known != nullptr && *known == tag) {
    response.status = 304;
  } else {
    response.body = document.text;
  }
  response.headers.push_back({"Etag", tag});
  if (call.query.Get("hash") == document.hash) {
    response.headers.push_back({"Cache-Control", "public, immutable"});
  }
  call.Respond(std::move(response));
}

bool IsHealth(std::string_view path) {
  for (const std::string_view base : {"/healthz", "/livez", "/readyz"}) {
    if (path == base || (path.starts_with(base) && path[base.size()] == '/')) return true;
  }
  return false;
}

void ServePaths(Call& call) {
  json::array paths{"/api", "/apis"};
  for (const std::string& version : ResourceLists(call.core.kinds).Versions()) {
    paths.push_back(json::string("/" + version));
  }
  for (const std::string_view path :
       {"/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"}) {
    paths.push_back(json::string(path));
  }
  call.ReplyJson(200, ToText(json::object{{"paths", std::move(paths)}}));
}

// /api/v1/namespaces/NS/bindings
bool ServeBindings(const CallPtr& call, std::string_view path) {
  const std::optional<ResourcePath> parsed = ParseResourcePath(path);
  if (!parsed || !parsed->group.empty() || parsed->version != "v1" || !parsed->in_namespace ||
      parsed->resource != "bindings" || !parsed->name.empty()) {
    return false;
  }
  call->path = *parsed;
  call->kind = call->core.kinds.Find("", "v1", "pods");
  if (call->kind == nullptr) return false;
  HandleBindingCollection(call);
  return true;
}

}  // namespace

bool ServeDiscovery(const CallPtr& shared, std::string_view path) {
  Call& call = *shared;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const KindRegistry& kinds = call.core.kinds;
  if (IsHealth(path)) {
    ReplyText(call, "ok");
  } else if (path == "/version") {
    call.ReplyJson(200, ToText(Version()));
  } else if (path == "/" || path.empty()) {
    ServePaths(call);
  } else if (path == "/api") {
    WantsAggregated(call) ? ServeAggregated(call, true)
                          : call.ReplyJson(200, ToText(CoreVersions(call)));
  } else if (path == "/apis") {
    WantsAggregated(call) ? ServeAggregated(call, false)
                          : call.ReplyJson(200, ToText(ResourceLists(kinds).GroupList()));
  } else if (path == "/openapi/v2") {
    ServeOpenApiV2(call);
  } else if (path == "/openapi/v3") {
    call.ReplyJson(200, call.core.openapi->Root(kinds));
  } else if (path.starts_with("/openapi/v3/")) {
    const OpenApiDocuments::Document* document =
        call.core.openapi->Find(kinds, path.substr(std::string_view("/openapi/v3/").size()));
    if (document == nullptr) return false;
    ServeOpenApiV3(call, *document);
  } else if (ServeReview(call, path)) {
    return true;
  } else if (path.starts_with("/api/") && path.find('/', 5) == std::string_view::npos) {
    ReplyOrNotFound(call, ResourceLists(kinds).Resources("", path.substr(5)));
  } else if (path.starts_with("/apis/")) {
    const std::string_view rest = path.substr(6);
    const std::size_t slash = rest.find('/');
    if (slash != std::string_view::npos && rest.find('/', slash + 1) != std::string_view::npos) {
      return false;  // a resource
    }
    const ResourceLists lists(kinds);
    const std::string_view group = rest.substr(0, slash);
    const json::object described = lists.Group(group);
    if (described.empty()) return false;
    ReplyOrNotFound(call, slash == std::string_view::npos
                              ? described
                              : lists.Resources(group, rest.substr(slash + 1)));
  } else {
    return ServeBindings(shared, path);
  }
  return true;
}

}  // namespace basalt::apiserver
