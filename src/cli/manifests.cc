#include "cli/manifests.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/json_fields.h"
#include "yaml/json.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

Result<void> AddObject(json::value value, const std::string& origin, std::vector<Manifest>& into) {
  const auto refuse = [&](std::string_view why) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", origin, why));
  };
  json::object* object = value.if_object();
  if (object == nullptr) return refuse("not an object but a single value or a list");
  Manifest manifest{.origin = origin,
                    .api_version = TextAt(object, "apiVersion"),
                    .kind = TextAt(object, "kind")};
  if (manifest.api_version.empty()) return refuse("apiVersion is missing or not a string");
  if (manifest.kind.empty()) return refuse("kind is missing or not a string");
  json::value* items = object->if_contains("items");
  if (manifest.kind.ends_with("List") && items != nullptr && items->is_array()) {
    int number = 0;
    for (json::value& item : items->get_array()) {
      auto added = AddObject(std::move(item), fmt::format("{}, item {}", origin, ++number), into);
      if (!added) return added;
    }
    return {};
  }
  const json::value* meta = object->if_contains("metadata");
  if (meta == nullptr || !meta->is_object()) return refuse("metadata is missing");
  manifest.name = TextAt(&meta->get_object(), "name");
  manifest.ns = TextAt(&meta->get_object(), "namespace");
  if (manifest.name.empty() && TextAt(&meta->get_object(), "generateName").empty()) {
    return refuse("metadata.name is missing or not a string");
  }
  manifest.object = std::move(*object);
  into.push_back(std::move(manifest));
  return {};
}

}  // namespace

Result<std::vector<Manifest>> ParseManifests(std::string_view text, const std::string& source) {
  auto documents = ParseYaml(text);
  if (!documents) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{}, {}", source, documents.error().message));
  }
  std::vector<Manifest> manifests;
  for (YamlDocument& document : *documents) {
    const std::string origin =
        fmt::format("{}, document {}, line {}", source, document.number, document.line);
    auto added = AddObject(std::move(document.value), origin, manifests);
    if (!added) return std::unexpected(added.error());
  }
  return manifests;
}

Result<std::vector<Manifest>> ReadManifests(const std::string& path) {
  std::string text;
  if (path == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
    return ParseManifests(text, "standard input");
  }
  std::ifstream file(path, std::ios::binary);
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file || file.bad()) {
    const int reason = errno;
    return Fail(ErrorCode::kNotFound, fmt::format("reading {}: {}", path, std::strerror(reason)));
  }
  return ParseManifests(text, path);
}

Result<std::vector<Manifest>> ReadManifestsOf(const kube::Resource& resource,
                                              const std::string& path, const std::string& ns) {
  auto manifests = ReadManifests(path);
  if (!manifests) return manifests;
  for (Manifest& manifest : *manifests) {
    if (manifest.api_version != resource.ApiVersion() || manifest.kind != resource.kind) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: want a {} of {}, not {} of {}", manifest.origin, resource.kind,
                              resource.ApiVersion(), manifest.kind, manifest.api_version));
    }
    if (manifest.ns.empty()) manifest.ns = ns;
  }
  return manifests;
}

}  // namespace basalt::cli
