#include "apiserver/discovery/discovery.h"

#include <string>
#include <utility>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/object/text.h"
#include "apiserver/rest/handlers.h"

namespace basalt::apiserver {
namespace {

using namespace std::literals;

// OpenAPI v2, which kubectl before 1.33 reads: a document without definitions, and the same as the
// protobuf of gnostic's Document.
constexpr auto kOpenApiV2 =
    R"({"swagger":"2.0","info":{"title":"Basalt","version":"v1.36.0+basalt"},"paths":{}})"sv;
constexpr auto kOpenApiV2Protobuf =
    "\n\x03"
    "2.0\x12\x18\n\x06"
    "Basalt\x12\x0ev1.36.0+basalt"
    "B\0"sv;

bool WantsAggregated(const Call& call) {
  for (const MediaRange& range : ParseAccept(HeaderText(call.http, "Accept"))) {
    if (!range.IsJson()) continue;
    if (range.as.empty()) return false;  // plain JSON comes first
    if (range.as == "APIGroupDiscoveryList" && range.group == "apidiscovery.k8s.io" &&
        range.version == "v2") {
      return true;
    }
  }
  return false;
}

// /api (of the core group alone) and /apis (of all the others), in the form that is asked for.
void ServeGroups(Call& call, bool core) {
  json::array items = ServedGroups(call.core.kinds);
  if (core) items.resize(1);
  if (!core) items.erase(items.begin());
  if (WantsAggregated(call)) {
    const json::object list{{"kind", "APIGroupDiscoveryList"},
                            {"apiVersion", "apidiscovery.k8s.io/v2"},
                            {"metadata", json::object()},
                            {"items", std::move(items)}};
    return call.Respond(
        {.status = 200,
         .content_type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
         .body = ToText(list) + "\n"});
  }
  if (core) {
    const json::object address{{"clientCIDR", "0.0.0.0/0"},
                               {"serverAddress", HeaderText(call.http, "Host")}};
    return call.ReplyJson(200, {{"kind", "APIVersions"},
                                {"versions", json::array{"v1"}},
                                {"serverAddressByClientCIDRs", json::array{address}}});
  }
  json::array groups;
  for (const json::value& item : items) {
    json::object group = OldGroup(item.get_object());
    group.erase("kind");
    group.erase("apiVersion");
    groups.push_back(std::move(group));
  }
  call.ReplyJson(200,
                 {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}});
}

// /api/v1, /apis/GROUP and /apis/GROUP/VERSION. False: there is no such group.
bool ServeGroup(Call& call, std::string_view name, std::string_view version) {
  const json::array groups = ServedGroups(call.core.kinds);
  const json::object* group = FindGroup(groups, name);
  if (group == nullptr) return false;
  if (version.empty()) {
    call.ReplyJson(200, OldGroup(*group));
  } else if (const json::object* found = FindVersion(*group, version)) {
    call.ReplyJson(200, OldResources(*group, *found));
  } else {
    call.Refuse(refusal::NoSuchResource());
  }
  return true;
}

void ServeOpenApiV2(Call& call) {
  const bool protobuf =
      HeaderText(call.http, "Accept").find("proto-openapi.spec.v2") != std::string_view::npos;
  if (!protobuf) return call.Respond({.status = 200, .body = std::string(kOpenApiV2)});
  call.Respond({.status = 200,
                .content_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
                .body = std::string(kOpenApiV2Protobuf)});
}

// A document is asked for by its hash, and may be kept for as long as that stays.
void ServeOpenApiV3(Call& call, const OpenApiDocuments::Document& document) {
  const std::string tag = "\"" + document.hash + "\"";
  const bool known = HeaderText(call.http, "If-None-Match") == tag;
  net::HttpResponse response{.status = known ? 304 : 200, .headers = {{"Etag", tag}}};
  if (!known) response.body = document.text;
  if (call.query.Get("hash") == document.hash) {
    response.headers.push_back({"Cache-Control", "public, immutable"});
  }
  call.Respond(std::move(response));
}

}  // namespace

bool ServeDiscovery(const CallPtr& shared, std::string_view path) {
  Call& call = *shared;
  if (ServeReview(shared, path)) return true;
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::vector<std::string_view> parts = Pieces(path, '/');
  const std::string_view root = parts.empty() ? "" : parts[0];
  const auto part = [&parts](std::size_t i) { return i < parts.size() ? parts[i] : ""sv; };
  if (root == "healthz" || root == "livez" || root == "readyz") {
    call.Respond({.status = 200, .content_type = "text/plain; charset=utf-8", .body = "ok"});
  } else if (path == "/version") {
    call.ReplyJson(200, {{"major", "1"},
                         {"minor", "36"},
                         {"emulationMajor", "1"},
                         {"emulationMinor", "36"},
                         {"minCompatibilityMajor", "1"},
                         {"minCompatibilityMinor", "35"},
                         {"gitVersion", "v1.36.0+basalt"},
                         {"gitCommit", ""},
                         {"gitTreeState", "clean"},
                         {"buildDate", "1970-01-01T00:00:00Z"},  // clients ask for it
                         {"goVersion", ""},
                         {"compiler", ""},
                         {"platform", "linux/amd64"}});
  } else if (path.empty()) {
    call.ReplyJson(200, {{"paths", json::array{"/api", "/apis", "/healthz", "/livez", "/openapi/v2",
                                               "/openapi/v3", "/readyz", "/version"}}});
  } else if (path == "/api" || path == "/apis") {
    ServeGroups(call, path == "/api");
  } else if (path == "/openapi/v2") {
    ServeOpenApiV2(call);
  } else if (path == "/openapi/v3") {
    call.ReplyText(200, call.core.openapi->Root(call.core.kinds));
  } else if (path.starts_with("/openapi/v3/")) {
    const OpenApiDocuments::Document* document =
        call.core.openapi->Find(call.core.kinds, path.substr("/openapi/v3/"sv.size()));
    if (document == nullptr) return false;
    ServeOpenApiV3(call, *document);
  } else if (root == "api" && parts.size() == 2) {
    return ServeGroup(call, "", part(1));
  } else if (root == "apis" && parts.size() <= 3) {
    return ServeGroup(call, part(1), part(2));
  } else {
    return false;
  }
  return true;
}

}  // namespace basalt::apiserver
