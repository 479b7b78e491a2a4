#include <algorithm>
#include <string_view>
#include <utility>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

using Kind = TypeSchema::Kind;

TypeSchema& MergeTypes::New(Kind kind) {
  TypeSchema& type = types_.emplace_back();
  type.kind = kind;
  return type;
}

MergeTypes::MergeTypes(const json::object& schema) {
  TypeSchema& root = New(Kind::kStruct);
  root_ = &root;
  const TypeSchema* read = Read(schema);
  if (read->kind == Kind::kStruct) root.fields = read->fields;
  root.open = read->kind != Kind::kStruct || read->open;
  const auto set = [&root](std::string_view name, const TypeSchema* type) {
    std::erase_if(root.fields, [&](const TypeSchema::Field& field) { return field.name == name; });
    root.fields.push_back({.name = std::string(name), .type = type});
  };
  set("apiVersion", &New(Kind::kString));
  set("kind", &New(Kind::kString));
  set("metadata", FindBuiltinType("meta.ObjectMeta"));
  std::ranges::sort(root.fields, {}, &TypeSchema::Field::name);
}

const TypeSchema* MergeTypes::Read(const json::object& schema) {
  const std::string_view type = GetString(schema, {"type"});
  const bool atomic = GetString(schema, {"x-kubernetes-map-type"}) == "atomic";
  if (type == "array") {
    TypeSchema& list = New(Kind::kList);
    const json::object* items = FindObject(schema, {"items"});
    list.element = items == nullptr ? &New(Kind::kAny) : Read(*items);
    const std::string_view how = GetString(schema, {"x-kubernetes-list-type"});
    if (how == "set") list.list_type = TypeSchema::ListType::kSet;
    const json::array* keys = FindArray(schema, {"x-kubernetes-list-map-keys"});
    if (how == "map" && keys != nullptr) {
      list.list_type = TypeSchema::ListType::kMap;
      for (const json::value& key : *keys) list.list_keys.emplace_back(AsText(key));
      std::ranges::sort(list.list_keys);
    }
    return &list;
  }
  const bool open = GetBool(schema, {"x-kubernetes-preserve-unknown-fields"});
  if (const json::object* properties = FindObject(schema, {"properties"})) {
    TypeSchema& object = New(Kind::kStruct);
    object.atomic = atomic;
    object.open = open;
    for (const auto& [name, property] : *properties) {
      TypeSchema::Field field{.name = std::string(name), .type = Read(AsObject(property))};
      field.default_value = GetString(AsObject(property), {"default"});
      object.fields.push_back(std::move(field));
    }
    std::ranges::sort(object.fields, {}, &TypeSchema::Field::name);
    return &object;
  }
  if (const json::object* values = FindObject(schema, {"additionalProperties"})) {
    TypeSchema& map = New(Kind::kMap);
    map.element = Read(*values);
    map.atomic = atomic;
    return &map;
  }
  if (type == "string") return &New(Kind::kString);
  if (type == "integer") return &New(Kind::kInt64);
  if (type == "number") return &New(Kind::kDouble);
  if (type == "boolean") return &New(Kind::kBool);
  TypeSchema& any = New(Kind::kAny);
  any.atomic = atomic;
  any.open = true;
  return &any;
}

}  // namespace basalt::apiserver
