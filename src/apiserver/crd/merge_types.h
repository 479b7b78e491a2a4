#pragma once

#include <boost/json/object.hpp>
#include <deque>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// How server-side apply merges the objects of a custom resource, read off its openAPIV3Schema: list
// types, keys, maps that are taken as a whole. What the schema does not describe is merged by its
// form: objects field by field, lists as a whole. Owns its types, which do not move.
class MergeTypes {
 public:
  MergeTypes() : MergeTypes(boost::json::object()) {}
  explicit MergeTypes(const boost::json::object& schema);
  MergeTypes(MergeTypes&&) = default;
  MergeTypes& operator=(MergeTypes&&) = default;

  const TypeSchema& root() const { return *root_; }

 private:
  const TypeSchema* Read(const boost::json::object& schema);
  TypeSchema& New(TypeSchema::Kind kind);

  std::deque<TypeSchema> types_;
  const TypeSchema* root_ = nullptr;
};

}  // namespace basalt::apiserver
