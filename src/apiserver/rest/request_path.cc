#include "apiserver/rest/request_path.h"

#include <vector>

namespace basalt::apiserver {
namespace {

// Empty pieces vanish: a slash too many does no harm.
std::vector<std::string_view> Split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (slash != 0) parts.push_back(path.substr(0, slash));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return parts;
}

}  // namespace

std::optional<ResourcePath> ParseResourcePath(std::string_view path) {
  const std::vector<std::string_view> parts = Split(path);
  std::size_t at = 0;
  const auto left = [&] { return parts.size() - at; };
  ResourcePath out;
  if (left() < 1) return std::nullopt;
  if (parts[0] == "api") {
    if (left() < 3) return std::nullopt;
    at = 1;
  } else if (parts[0] == "apis") {
    if (left() < 4) return std::nullopt;
    out.group = parts[1];
    at = 2;
  } else {
    return std::nullopt;
  }
  out.version = parts[at++];
  // namespaces/NS/RESOURCE is inside a namespace; namespaces/NS alone, and its own subresources,
  // are the namespace itself.
  if (parts[at] == "namespaces" && left() >= 3 && parts[at + 2] != "status" &&
      parts[at + 2] != "finalize") {
    out.ns = parts[at + 1];
    out.in_namespace = true;
    at += 2;
  }
  out.resource = parts[at++];
  if (left() > 0) out.name = parts[at++];
  if (left() > 0) out.subresource = parts[at++];
  for (; left() > 0; ++at) {
    out.subresource += '/';
    out.subresource += parts[at];
  }
  return out;
}

}  // namespace basalt::apiserver
