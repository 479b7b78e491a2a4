#include "apiserver/discovery/openapi.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "apiserver/discovery/openapi_schemas.h"
#include "apiserver/discovery/resource_lists.h"
#include "apiserver/object/json_text.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kTitle = "Basalt";
constexpr std::string_view kVersion = "v1.36.0+basalt";

std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

json::object Parameter(std::string_view name, std::string_view in, std::string_view type) {
  json::object parameter{
      {"name", json::string(name)},
      {"in", json::string(in)},
      {"schema", json::object{{"type", json::string(type)}, {"uniqueItems", true}}}};
  if (in == "path") parameter["required"] = true;
  return parameter;
}

json::object BodyOf(const std::vector<std::string_view>& types, const json::object& schema) {
  json::object content;
  for (const std::string_view type : types) content[type] = json::object{{"schema", schema}};
  return content;
}

// One verb on a kind.
struct Verb {
  std::string_view method;  // "get"
  std::string_view action;  // x-kubernetes-action
  std::vector<std::string_view> query;
  std::string_view body;    // published name; empty: none
  std::string_view answer;  // published name
};

json::object OperationOn(const KindInfo& info, const Verb& verb) {
  json::array parameters;
  for (const std::string_view name : verb.query) {
    parameters.push_back(Parameter(name, "query", name == "force" ? "boolean" : "string"));
  }
  json::object operation{
      {"x-kubernetes-action", json::string(verb.action)},
      {"x-kubernetes-group-version-kind",
       json::object{{"group", info.group}, {"version", info.version}, {"kind", info.kind}}},
      {"parameters", std::move(parameters)}};
  if (verb.method == "patch") {
    std::vector<std::string_view> types{"application/apply-patch+yaml",
                                        "application/json-patch+json",
                                        "application/merge-patch+json"};
    if (info.schema != nullptr) types.push_back("application/strategic-merge-patch+json");
    operation["requestBody"] =
        json::object{{"required", true}, {"content", BodyOf(types, {{"type", "object"}})}};
  } else if (!verb.body.empty()) {
    operation["requestBody"] = json::object{
        {"required", true}, {"content", BodyOf({"*/*"}, OpenApiSchemas::Reference(verb.body))}};
  }
  operation["responses"] = json::object{
      {"200", json::object{{"description", "OK"},
                           {"content", BodyOf({"application/json"},
                                              OpenApiSchemas::Reference(verb.answer))}}}};
  return operation;
}

json::object PathItem(const KindInfo& info, const std::vector<Verb>& verbs, bool named) {
  json::object item;
  for (const Verb& verb : verbs) item[verb.method] = OperationOn(info, verb);
  json::array parameters;
  if (named) parameters.push_back(Parameter("name", "path", "string"));
  if (info.namespaced) parameters.push_back(Parameter("namespace", "path", "string"));
  item["parameters"] = std::move(parameters);
  return item;
}

void AddPaths(const ServedKind& kind, std::string_view base, OpenApiSchemas& schemas,
              json::object& paths) {
  const KindInfo& info = kind.info;
  const std::string object = schemas.AddKind(kind);
  const std::string list = schemas.AddList(kind, object);
  const std::string status = schemas.AddType("meta.Status");
  const std::vector<std::string_view> writes{"dryRun", "fieldManager", "fieldValidation"};
  std::vector<std::string_view> patches = writes;
  patches.push_back("force");
  const std::string collection =
      fmt::format("/{}/{}{}", base, info.namespaced ? "namespaces/{namespace}/" : "", info.plural);
  paths[collection] = PathItem(info,
                               {{"get", "list", {"labelSelector", "fieldSelector"}, "", list},
                                {"post", "post", writes, object, object},
                                {"delete", "deletecollection", {"dryRun"}, "", status}},
                               /*named=*/false);
  std::vector<Verb> verbs{{"get", "get", {}, "", object},
                          {"put", "put", writes, object, object},
                          {"patch", "patch", patches, "", object}};
  if (info.has_status) paths[collection + "/{name}/status"] = PathItem(info, verbs, true);
  verbs.push_back({"delete", "delete", {"dryRun"}, "", status});
  paths[collection + "/{name}"] = PathItem(info, verbs, true);
}

std::string MakeDocument(const std::vector<KindPtr>& kinds, std::string_view version) {
  json::object paths;
  OpenApiSchemas schemas;
  for (const KindPtr& kind : kinds) {
    const KindInfo& info = kind->info;
    const std::string base =
        info.group.empty() ? "api/" + info.version : "apis/" + info.group + "/" + info.version;
    if (base == version) AddPaths(*kind, base, schemas, paths);
  }
  if (paths.empty()) return "";
  return ToText(json::object{
      {"openapi", "3.0.0"},
      {"info", json::object{{"title", json::string(kTitle)}, {"version", json::string(kVersion)}}},
      {"paths", std::move(paths)},
      {"components", json::object{{"schemas", std::move(schemas).Take()}}}});
}

// A protobuf field of type string or message.
std::string Field(int number, std::string_view bytes) {
  std::string out;
  out += static_cast<char>(number << 3 | 2);
  out += static_cast<char>(bytes.size());  // all of ours are shorter than 128
  out += bytes;
  return out;
}

}  // namespace

void OpenApiDocuments::Refresh(const KindRegistry& kinds) {
  if (made_of_ == kinds.revision()) return;
  made_of_ = kinds.revision();
  documents_.clear();
  const std::vector<KindPtr> all = kinds.All();
  for (const std::string& version : ResourceLists(kinds).Versions()) {
    Document document{.text = MakeDocument(all, version)};
    if (document.text.empty()) continue;
    document.hash = fmt::format("{:016X}", Hash(document.text));
    documents_.emplace(version, std::move(document));
  }
}

std::string OpenApiDocuments::Root(const KindRegistry& kinds) {
  Refresh(kinds);
  json::object paths;
  for (const auto& [version, document] : documents_) {
    paths[version] = json::object{
        {"serverRelativeURL", fmt::format("/openapi/v3/{}?hash={}", version, document.hash)}};
  }
  return ToText(json::object{{"paths", std::move(paths)}});
}

const OpenApiDocuments::Document* OpenApiDocuments::Find(const KindRegistry& kinds,
                                                         std::string_view version) {
  Refresh(kinds);
  const auto found = documents_.find(version);
  return found == documents_.end() ? nullptr : &found->second;
}

std::string OpenApiV2Json() {
  return ToText(json::object{
      {"swagger", "2.0"},
      {"info", json::object{{"title", json::string(kTitle)}, {"version", json::string(kVersion)}}},
      {"paths", json::object()}});
}

std::string OpenApiV2Protobuf() {
  return Field(1, "2.0") + Field(2, Field(1, kTitle) + Field(2, kVersion)) + Field(8, "");
}

}  // namespace basalt::apiserver
