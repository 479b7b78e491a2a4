#pragma once

#include <deque>

#include "apiserver/object/object.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// How server-side apply merges the objects of a custom resource, read off its openAPIV3Schema: list
// types, keys, maps that are taken as a whole. What the schema does not describe is merged by its
// form: objects field by field, lists as a whole. Owns its types, which do not move.
class MergeTypes {
 public:
  MergeTypes() : MergeTypes(json::object()) {}
  explicit MergeTypes(const json::object& schema);
  MergeTypes(MergeTypes&&) = default;
  MergeTypes& operator=(MergeTypes&&) = default;

  const TypeSchema& root() const { return *root_; }

 private:
  const TypeSchema* Read(const json::object& schema);
  TypeSchema& New(TypeSchema::Kind kind);

  std::deque<TypeSchema> types_;
  const TypeSchema* root_ = nullptr;
};

}  // namespace basalt::apiserver
