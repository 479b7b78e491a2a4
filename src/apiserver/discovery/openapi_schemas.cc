#include "apiserver/discovery/openapi_schemas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <string_view>
#include <vector>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

// Types that are no structs and have a published name.
struct NamedScalar {
  Kind kind;
  std::string_view name;
  std::string_view schema;
};
constexpr std::array kNamed{
    NamedScalar{Kind::kQuantity, "io.k8s.apimachinery.pkg.api.resource.Quantity",
                R"({"oneOf":[{"type":"string"},{"type":"number"}]})"},
    NamedScalar{Kind::kTime, "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
                R"({"type":"string","format":"date-time"})"},
    NamedScalar{Kind::kMicroTime, "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
                R"({"type":"string","format":"date-time"})"},
    NamedScalar{Kind::kDuration, "io.k8s.apimachinery.pkg.apis.meta.v1.Duration",
                R"({"type":"string"})"},
    NamedScalar{Kind::kIntOrString, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
                R"({"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]})"},
    NamedScalar{Kind::kAny, "io.k8s.apimachinery.pkg.runtime.RawExtension", R"({"type":"object"})"},
};

json::object ScalarSchema(Kind kind) {
  switch (kind) {
    case Kind::kString: return {{"type", "string"}};
    case Kind::kBool: return {{"type", "boolean"}};
    case Kind::kInt32: return {{"type", "integer"}, {"format", "int32"}};
    case Kind::kInt64: return {{"type", "integer"}, {"format", "int64"}};
    case Kind::kDouble: return {{"type", "number"}, {"format", "double"}};
    case Kind::kBytes: return {{"type", "string"}, {"format", "byte"}};
    default: return {{"type", "object"}};
  }
}

json::array GroupVersionKind(const KindInfo& info, std::string_view kind) {
  return {
      json::object{{"group", info.group}, {"kind", json::string(kind)}, {"version", info.version}}};
}

// batch.volcano.sh: sh.volcano.batch.
std::string Reversed(std::string_view group) {
  std::string reversed;
  while (!group.empty()) {
    const std::size_t dot = group.rfind('.');
    reversed += group.substr(dot == group.npos ? 0 : dot + 1);
    reversed += '.';
    group = dot == group.npos ? std::string_view() : group.substr(0, dot);
  }
  return reversed;
}

}  // namespace

json::object OpenApiSchemas::Reference(std::string_view name) {
  return {{"$ref", fmt::format("#/components/schemas/{}", name)}};
}

json::object OpenApiSchemas::SchemaOf(const TypeSchema& type) {
  if (type.kind == Kind::kStruct) {
    AddStruct(type);
    return Reference(type.published_name);
  }
  if (type.kind == Kind::kList) {
    return {{"type", "array"}, {"items", SchemaOf(*type.element)}};
  }
  if (type.kind == Kind::kMap) {
    return {{"type", "object"}, {"additionalProperties", SchemaOf(*type.element)}};
  }
  const auto named = std::ranges::find(kNamed, type.kind, &NamedScalar::kind);
  if (named == kNamed.end()) return ScalarSchema(type.kind);
  if (!schemas_.contains(named->name)) schemas_[named->name] = json::parse(named->schema);
  return Reference(named->name);
}

json::object OpenApiSchemas::PropertyOf(const TypeSchema::Field& field) {
  const TypeSchema& type = *field.type;
  json::object schema = SchemaOf(type);
  // What stands beside a reference does not count: it is wrapped.
  if (schema.contains("$ref")) schema = {{"allOf", json::array{std::move(schema)}}};
  if (!field.default_value.empty()) schema["default"] = field.default_value;
  if (type.kind == Kind::kList) {
    using ListType = TypeSchema::ListType;
    schema["x-kubernetes-list-type"] = type.list_type == ListType::kMap   ? "map"
                                       : type.list_type == ListType::kSet ? "set"
                                                                          : "atomic";
    if (type.list_type == ListType::kMap) {
      schema["x-kubernetes-list-map-keys"] =
          json::array(type.list_keys.begin(), type.list_keys.end());
    }
  }
  if (type.kind == Kind::kMap && type.atomic) schema["x-kubernetes-map-type"] = "atomic";
  if (type.merge) {
    if (!type.merge_key.empty()) schema["x-kubernetes-patch-merge-key"] = type.merge_key;
    schema["x-kubernetes-patch-strategy"] = type.retain_keys ? "merge,retainKeys" : "merge";
  } else if (type.retain_keys) {
    schema["x-kubernetes-patch-strategy"] = "retainKeys";
  }
  return schema;
}

void OpenApiSchemas::AddStruct(const TypeSchema& type) {
  if (schemas_.contains(type.published_name)) return;
  schemas_[type.published_name] = json::object();  // ends a circle
  json::object properties;
  json::array required;
  for (const TypeSchema::Field& field : type.fields) {
    properties[field.name] = PropertyOf(field);
    if (field.required) required.push_back(json::string(field.name));
  }
  json::object schema{{"type", "object"}};
  if (!properties.empty()) schema["properties"] = std::move(properties);
  if (!required.empty()) schema["required"] = std::move(required);
  if (type.atomic) schema["x-kubernetes-map-type"] = "atomic";
  schemas_[type.published_name] = std::move(schema);
}

std::string OpenApiSchemas::AddType(std::string_view id) {
  const TypeSchema* type = FindBuiltinType(id);
  BASALT_CHECK(type != nullptr);
  AddStruct(*type);
  return type->published_name;
}

std::string OpenApiSchemas::AddKind(const ServedKind& kind) {
  const KindInfo& info = kind.info;
  if (info.schema != nullptr) {
    AddStruct(*info.schema);
    Child(schemas_, info.schema->published_name)["x-kubernetes-group-version-kind"] =
        GroupVersionKind(info, info.kind);
    return info.schema->published_name;
  }
  const std::string name = fmt::format("{}{}.{}", Reversed(info.group), info.version, info.kind);
  const json::object* published = kind.custom == nullptr ? nullptr : kind.custom->PublishedSchema();
  json::object schema =
      published == nullptr
          ? json::object{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}
          : *published;
  json::object& properties = Child(schema, "properties");
  properties["apiVersion"] = json::object{{"type", "string"}};
  properties["kind"] = json::object{{"type", "string"}};
  properties["metadata"] =
      json::object{{"allOf", json::array{Reference(AddType("meta.ObjectMeta"))}}};
  schema["x-kubernetes-group-version-kind"] = GroupVersionKind(info, info.kind);
  schemas_[name] = std::move(schema);
  return name;
}

std::string OpenApiSchemas::AddList(const ServedKind& kind, std::string_view item) {
  const std::string name =
      fmt::format("{}{}", item.substr(0, item.rfind('.') + 1), kind.info.list_kind);
  schemas_[name] = json::object{
      {"type", "object"},
      {"required", json::array{"items"}},
      {"properties",
       json::object{
           {"apiVersion", json::object{{"type", "string"}}},
           {"items", json::object{{"type", "array"}, {"items", Reference(item)}}},
           {"kind", json::object{{"type", "string"}}},
           {"metadata", json::object{{"allOf", json::array{Reference(AddType("meta.ListMeta"))}}}},
       }},
      {"x-kubernetes-group-version-kind", GroupVersionKind(kind.info, kind.info.list_kind)}};
  return name;
}

}  // namespace basalt::apiserver
