#include "model/builtin_queues.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "kube/types/resource.h"
#include "kube/types/scheduling.h"

namespace basalt::model {

std::string BuiltinQueueBody(std::string_view name) {
  namespace json = boost::json;
  const kube::Resource& kind = kube::resources::kQueues;
  const bool is_root = name == kube::kRootQueue;
  json::object spec{{"weight", 1}, {"reclaimable", !is_root}};
  if (!is_root) spec["parent"] = kube::kRootQueue;
  return json::serialize(json::object{{"apiVersion", kind.ApiVersion()},
                                      {"kind", kind.kind},
                                      {"metadata", json::object{{"name", name}}},
                                      {"spec", std::move(spec)}});
}

}  // namespace basalt::model
