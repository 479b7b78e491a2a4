#include "cli/manifests.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "yaml/json.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// Empty: not there, or not a string.
std::string StringAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

Result<void> AddObject(json::value value, const std::string& origin, std::vector<Manifest>& into) {
  const auto refuse = [&](std::string_view why) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", origin, why));
  };
  json::object* object = value.if_object();
  if (object == nullptr) return refuse("not an object but a single value or a list");
  Manifest manifest{.origin = origin,
                    .api_version = StringAt(*object, "apiVersion"),
                    .kind = StringAt(*object, "kind")};
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
  manifest.name = StringAt(meta->get_object(), "name");
  manifest.ns = StringAt(meta->get_object(), "namespace");
  if (manifest.name.empty() && StringAt(meta->get_object(), "generateName").empty()) {
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

}  // namespace basalt::cli
