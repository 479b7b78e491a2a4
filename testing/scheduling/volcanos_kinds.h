#pragma once

#include <boost/json/value.hpp>

namespace basalt::testutil {

// Basalt's definition of PodGroups without the status subresource, as Volcano's has none: a cluster
// that has switched may have kept it.
inline boost::json::value WithoutStatusSubresource(boost::json::value definition) {
  definition.at("spec").at("versions").at(0).as_object()["subresources"] = boost::json::object{};
  return definition;
}
inline boost::json::value WithStatusSubresource(boost::json::value definition) {
  definition.at("spec").at("versions").at(0).as_object()["subresources"] =
      boost::json::object{{"status", boost::json::object{}}};
  return definition;
}
inline constexpr const char* kPodGroupDefinition = "podgroups.scheduling.volcano.sh";

}  // namespace basalt::testutil
