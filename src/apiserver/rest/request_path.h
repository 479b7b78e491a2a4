#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace basalt::apiserver {

// Where a request points: /api/VERSION/… or /apis/GROUP/VERSION/… and what follows. Parts that are
// not there are empty.
struct ResourcePath {
  std::string group;
  std::string version;
  std::string ns;
  std::string resource;  // plural
  std::string name;
  std::string subresource;
  bool in_namespace = false;  // the path says namespaces/NS/

  bool operator==(const ResourcePath&) const = default;
};

// Reads a decoded path. nullopt: it does not name a resource (discovery, /version, nonsense).
std::optional<ResourcePath> ParseResourcePath(std::string_view path);

}  // namespace basalt::apiserver
