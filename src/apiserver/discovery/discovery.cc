#include "apiserver/discovery/discovery.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "apiserver/object/json_text.h"
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

// Clients ask for the date.
constexpr auto kVersion =
    R"({"major":"1","minor":"36","emulationMajor":"1","emulationMinor":"36",)"
    R"("minCompatibilityMajor":"1","minCompatibilityMinor":"35","gitVersion":"v1.36.0+basalt",)"
    R"("gitCommit":"","gitTreeState":"clean","buildDate":"1970-01-01T00:00:00Z","goVersion":"",)"
    R"("compiler":"","platform":"linux/amd64"})"sv;

// v2 before v1, v1 before v1beta1, as Kubernetes ranks them.
using RankedVersion = std::tuple<int, int, int, std::string>;

RankedVersion Ranked(const std::string& version) {
  int major = 0;
  int minor = 0;
  char stage[8] = "";
  std::sscanf(version.c_str(), "v%6d%7[a-z]%6d", &major, stage, &minor);
  const std::string_view name = stage;
  return {name.empty() ? 0 : name == "beta" ? 1 : 2, -major, -minor, version};
}

json::object ResponseKind(std::string_view kind, std::string_view group = "") {
  return {{"group", group}, {"version", group.empty() ? "" : "v1"}, {"kind", kind}};
}

json::array SubresourcesOf(const KindInfo& info) {
  json::array all;
  for (const SubresourceVerb& row : SubresourceVerbs()) {
    if (!info.Has(row.subresource)) continue;
    if (all.empty() || AsText(all.back().at("subresource")) != row.subresource) {
      all.push_back(
          {{"subresource", row.subresource},
           {"responseKind", ResponseKind(row.kind.empty() ? info.kind : row.kind, row.group)},
           {"verbs", json::array()}});
    }
    all.back().at("verbs").as_array().push_back(json::string(row.verb));
  }
  return all;
}

json::object ResourceOf(const KindInfo& info, json::array verbs) {
  json::object out{{"resource", info.plural},
                   {"responseKind", ResponseKind(info.kind)},
                   {"scope", info.namespaced ? "Namespaced" : "Cluster"},
                   {"singularResource", info.singular},
                   {"verbs", std::move(verbs)}};
  const auto put = [&out](std::string_view name, json::array list) {
    if (!list.empty()) out[name] = std::move(list);
  };
  put("shortNames", json::array(info.short_names.begin(), info.short_names.end()));
  put("categories", json::array(info.categories.begin(), info.categories.end()));
  put("subresources", SubresourcesOf(info));
  return out;
}

json::object OldVersion(std::string_view group, std::string_view version) {
  const std::string full = (group.empty() ? "" : std::string(group) + "/") + std::string(version);
  return {{"groupVersion", full}, {"version", version}};
}

// A resource or subresource in the older form.
json::object OldResource(const json::object& entry, std::string name, bool namespaced) {
  json::object out{{"name", std::move(name)},
                   {"singularName", GetString(entry, {"singularResource"})},
                   {"namespaced", namespaced}};
  if (const std::string_view group = GetString(entry, {"responseKind", "group"}); !group.empty()) {
    out["group"] = group;
    out["version"] = GetString(entry, {"responseKind", "version"});
  }
  out["kind"] = GetString(entry, {"responseKind", "kind"});
  for (const std::string_view field : {"verbs", "shortNames", "categories"}) {
    if (const json::value* list = entry.if_contains(field)) out[field] = *list;
  }
  return out;
}

// Group by group, the core group first, the versions of each in the order of preference: the items
// of an APIGroupDiscoveryList, from which the older forms are made.
json::array ServedGroups(const KindRegistry& kinds) {
  std::map<std::string, std::map<RankedVersion, std::map<std::string, json::object>>> groups;
  const auto add = [&groups](const KindInfo& info, json::array verbs) {
    groups[info.group][Ranked(info.version)][info.plural] = ResourceOf(info, std::move(verbs));
  };
  for (const KindPtr& kind : kinds.All()) {
    json::array verbs{"create", "delete", "deletecollection", "get",
                      "list",   "patch",  "update",           "watch"};
    if (!kind->info.collection_deletion) verbs.erase(verbs.begin() + 2);
    add(kind->info, std::move(verbs));
  }
  for (const KindInfo& review : Reviews()) add(review, {"create"});
  json::array items;
  for (auto& [group, by_version] : groups) {
    json::array versions;
    for (auto& [version, by_name] : by_version) {
      json::array resources;
      for (auto& [name, resource] : by_name) resources.push_back(std::move(resource));
      versions.push_back({{"version", std::get<3>(version)},
                          {"resources", std::move(resources)},
                          {"freshness", "Current"}});
    }
    json::object metadata;
    if (!group.empty()) metadata["name"] = group;
    items.push_back({{"metadata", std::move(metadata)}, {"versions", std::move(versions)}});
  }
  return items;
}

// /apis/GROUP: an APIGroup.
json::object OldGroup(const json::object& group) {
  json::array versions;
  for (const json::value& version : ListAt(group, {"versions"})) {
    versions.push_back(OldVersion(Name(group), AsText(version.at("version"))));
  }
  json::value preferred = versions.front();
  return {{"kind", "APIGroup"},
          {"apiVersion", "v1"},
          {"name", Name(group)},
          {"versions", std::move(versions)},
          {"preferredVersion", std::move(preferred)}};
}

// /api/v1 and /apis/GROUP/VERSION: an APIResourceList.
json::object OldResources(const json::object& group, const json::object& version) {
  json::array list;
  for (const json::value& item : ListAt(version, {"resources"})) {
    const json::object& resource = item.get_object();
    const std::string name(GetString(resource, {"resource"}));
    const bool namespaced = GetString(resource, {"scope"}) == "Namespaced";
    list.push_back(OldResource(resource, name, namespaced));
    for (const json::value& part : ListAt(resource, {"subresources"})) {
      list.push_back(OldResource(
          part.get_object(), name + "/" + std::string(AsText(part.at("subresource"))), namespaced));
    }
  }
  json::object out = OldVersion(Name(group), GetString(version, {"version"}));
  out.erase("version");
  out["kind"] = "APIResourceList";
  out["apiVersion"] = "v1";
  out["resources"] = std::move(list);
  return out;
}

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
  const auto group = std::ranges::find(
      groups, name, [](const json::value& item) { return Name(item.get_object()); });
  if (group == groups.end()) return false;
  if (version.empty()) {
    call.ReplyJson(200, OldGroup(group->get_object()));
    return true;
  }
  for (const json::value& item : ListAt(group->get_object(), {"versions"})) {
    if (AsText(item.at("version")) != version) continue;
    call.ReplyJson(200, OldResources(group->get_object(), item.get_object()));
    return true;
  }
  call.Refuse(refusal::NoSuchResource());
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
    call.ReplyText(200, std::string(kVersion));
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
