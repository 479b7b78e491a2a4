#pragma once

#include "apiserver/object/field_errors.h"
#include "apiserver/object/object.h"
#include "base/error.h"

namespace basalt::apiserver {

// The openAPIV3Schema of one version of a CRD: drops what it does not know, fills in defaults,
// validates, as Kubernetes does. Rules in CEL (x-kubernetes-validations) are not evaluated;
// has_rules says that there are some. Immutable; owned by a CustomKind.
class StructuralSchema {
 public:
  // The error says what is wrong with the schema.
  static Result<std::shared_ptr<const StructuralSchema>> Parse(const json::object& schema);
  virtual ~StructuralSchema() = default;

  // Removes fields that the schema does not name (and nulls where they may not be); the dotted
  // paths go to `unknown` where it is not null. Leaves the object's own apiVersion, kind and
  // metadata alone.
  virtual void Prune(json::object& object, std::vector<std::string>* unknown) const = 0;
  virtual void Default(json::object& object) const = 0;
  virtual void Validate(const json::object& object, FieldErrors& errors) const = 0;

  virtual bool has_rules() const = 0;
};

}  // namespace basalt::apiserver
