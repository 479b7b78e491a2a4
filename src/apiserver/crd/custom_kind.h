#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/object/status.h"
#include "base/error.h"

namespace basalt::apiserver {

struct TypeSchema;  // schema/type_schema.h

// What the generic handlers ask of one version of a custom resource. Immutable; made from its CRD.
class CustomKind {
 public:
  virtual ~CustomKind() = default;

  // What decoding does: checks metadata, drops what the schema does not know (and reports it).
  virtual Result<void> Conform(json::object& object, std::vector<std::string>* unknown) const = 0;
  // The openAPIV3Schema, as OpenAPI shows it; null: there is none.
  virtual const json::object* PublishedSchema() const = 0;
  // How server-side apply merges the kind's objects.
  virtual const TypeSchema& MergeType() const = 0;
  // The scale subresource; only where KindInfo::has_scale. An object without replicas has none to
  // read, but may be given some.
  virtual ApiResult<json::object> ScaleOf(const json::object& object, bool for_write) const = 0;
  virtual ApiResult<void> SetReplicas(std::int64_t replicas, json::object& object) const = 0;
};

}  // namespace basalt::apiserver
