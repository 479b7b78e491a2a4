#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "apiserver/schema/type_schema.h"
#include "apiserver/storage/kind_registry.h"

namespace basalt::apiserver {

// The schemas of an OpenAPI document (components.schemas): each type once, under its published
// name.
class OpenApiSchemas {
 public:
  // Adds the kind's type and all that it uses; its published name.
  std::string AddKind(const ServedKind& kind);
  // The list of the kind's objects.
  std::string AddList(const ServedKind& kind, std::string_view item);
  // A built-in type by its id; its published name.
  std::string AddType(std::string_view id);

  // {"$ref": …} to one of them.
  static json::object Reference(std::string_view name);

  json::object Take() && { return std::move(schemas_); }

 private:
  void AddStruct(const TypeSchema& type);
  json::object PropertyOf(const TypeSchema::Field& field);
  json::object SchemaOf(const TypeSchema& type);

  json::object schemas_;
};

}  // namespace basalt::apiserver
