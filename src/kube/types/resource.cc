#include "kube/types/resource.h"

#include <fmt/core.h>

namespace basalt::kube {

std::string Resource::ApiVersion() const {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

std::string Resource::Path(std::string_view ns, std::string_view name,
                           std::string_view subresource) const {
  std::string path = fmt::format("{}/{}", group.empty() ? "/api" : "/apis", ApiVersion());
  if (namespaced && !ns.empty()) path += fmt::format("/namespaces/{}", ns);
  path += fmt::format("/{}", plural);
  if (!name.empty()) path += fmt::format("/{}", name);
  if (!subresource.empty()) path += fmt::format("/{}", subresource);
  return path;
}

}  // namespace basalt::kube
