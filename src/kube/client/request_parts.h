#pragma once

#include <string>
#include <string_view>

#include "kube/client/api_client.h"
#include "kube/types/resource.h"

// What the calls of Client have in common.
namespace basalt::kube {

// False for what would change the meaning of a path, as Kubernetes itself forbids in names.
inline bool IsPathSegment(std::string_view text) {
  return text != "." && text != ".." && text.find_first_of("/%") == std::string_view::npos;
}

// What the hook for metrics is told: "pods/binding".
inline std::string HookName(const Resource& resource, std::string_view subresource) {
  std::string name(resource.plural);
  if (!subresource.empty()) name.append("/").append(subresource);
  return name;
}

inline void AddIfSet(ApiRequest& request, std::string_view key, std::string_view value) {
  if (!value.empty()) request.query.emplace_back(key, value);
}

}  // namespace basalt::kube
