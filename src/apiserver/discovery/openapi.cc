#include "apiserver/discovery/openapi.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <utility>

#include "apiserver/discovery/resource_lists.h"
#include "apiserver/json_text.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kTitle = "Basalt";
constexpr std::string_view kVersion = "v1.36.0+basalt";

std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

json::object Parameter(std::string_view name) {
  return {{"name", json::string(name)},
          {"in", "query"},
          {"schema", json::object{{"type", "string"}, {"uniqueItems", true}}}};
}

json::object OperationOn(const KindInfo& info, std::string_view action) {
  return {{"x-kubernetes-action", json::string(action)},
          {"x-kubernetes-group-version-kind",
           json::object{{"group", info.group}, {"version", info.version}, {"kind", info.kind}}},
          {"parameters", json::array{Parameter("dryRun"), Parameter("fieldManager"),
                                     Parameter("fieldValidation")}},
          {"responses", json::object{{"200", json::object{{"description", "OK"}}}}}};
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

std::string OpenApiV3Document(const KindRegistry& kinds, std::string_view version) {
  json::object paths;
  for (const KindPtr& kind : kinds.All()) {
    const KindInfo& info = kind->info;
    const std::string base =
        info.group.empty() ? "api/" + info.version : "apis/" + info.group + "/" + info.version;
    if (base != version) continue;
    const std::string collection = fmt::format(
        "/{}/{}{}", base, info.namespaced ? "namespaces/{namespace}/" : "", info.plural);
    paths[collection] = json::object{{"post", OperationOn(info, "post")}};
    paths[collection + "/{name}"] =
        json::object{{"put", OperationOn(info, "put")}, {"patch", OperationOn(info, "patch")}};
  }
  if (paths.empty()) return "";
  return ToText(json::object{
      {"openapi", "3.0.0"},
      {"info", json::object{{"title", json::string(kTitle)}, {"version", json::string(kVersion)}}},
      {"paths", std::move(paths)},
      {"components", json::object{{"schemas", json::object()}}}});
}

std::string OpenApiV3Root(const KindRegistry& kinds) {
  json::object paths;
  for (const std::string& version : ResourceLists(kinds).Versions()) {
    const std::string document = OpenApiV3Document(kinds, version);
    if (document.empty()) continue;
    paths[version] = json::object{
        {"serverRelativeURL", fmt::format("/openapi/v3/{}?hash={:016X}", version, Hash(document))}};
  }
  return ToText(json::object{{"paths", std::move(paths)}});
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
