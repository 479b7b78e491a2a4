#include "apiserver/kinds/custom_kind.h"

#include <algorithm>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/subresources.h"
#include "apiserver/object/json_text.h"

namespace basalt::apiserver {

Result<std::shared_ptr<const CustomKind>> CustomKind::Make(const json::object& definition,
                                                           const json::object& version) {
  auto rules = std::make_shared<CustomKind>();
  rules->namespaced_ = GetString(definition, {"spec", "scope"}) == "Namespaced";
  rules->has_status_ = Find(version, {"subresources", "status"}) != nullptr;
  const bool keep_all = GetBool(definition, {"spec", "preserveUnknownFields"});
  const json::object* schema = FindObject(version, {"schema", "openAPIV3Schema"});
  if (schema != nullptr) rules->published_ = *schema;
  if (schema != nullptr && !keep_all) {
    Result<std::shared_ptr<const StructuralSchema>> parsed = StructuralSchema::Parse(*schema);
    if (!parsed) return std::unexpected(parsed.error());
    rules->schema_ = std::move(*parsed);
    rules->merge_types_ = MergeTypes(*schema);
  }
  if (Result<void> read = rules->ReadPaths(version); !read) return std::unexpected(read.error());
  return rules;
}

Result<void> CustomKind::ReadPaths(const json::object& version) {
  Result<void> read;
  const auto path_of = [&read](std::string_view text) {
    Result<JsonPath> path = JsonPath::Parse(text);
    if (!path) read = std::unexpected(path.error());
    return path ? std::move(*path) : JsonPath();
  };
  static const json::array kAgeAlone{
      {{"name", "Age"}, {"type", "date"}, {"jsonPath", ".metadata.creationTimestamp"}}};
  const json::array& columns = ListAt(version, {"additionalPrinterColumns"});
  for (const json::value& item : columns.empty() ? kAgeAlone : columns) {
    const json::object& column = AsObject(item);
    const std::string_view path = GetString(column, {"jsonPath"});
    const std::string_view description = GetString(column, {"description"});
    columns_.push_back({{.name = std::string(GetString(column, {"name"})),
                         .type = std::string(GetString(column, {"type"})),
                         .format = std::string(GetString(column, {"format"})),
                         .description = std::string(description.empty() ? path : description),
                         .priority = static_cast<int>(GetInt(column, {"priority"}))},
                        path_of(path)});
  }
  for (const json::value& item : ListAt(version, {"selectableFields"})) {
    const std::string_view path = GetString(AsObject(item), {"jsonPath"});
    selectable_.emplace_back(path.substr(path.starts_with('.') ? 1 : 0), path_of(path));
  }
  if (const json::object* scale = FindObject(version, {"subresources", "scale"})) {
    spec_replicas_ = path_of(GetString(*scale, {"specReplicasPath"}));
    status_replicas_ = path_of(GetString(*scale, {"statusReplicasPath"}));
    label_selector_ = path_of(GetString(*scale, {"labelSelectorPath"}));
  }
  return read;
}

Result<void> CustomKind::Conform(json::object& object, std::vector<std::string>* unknown) const {
  if (json::value* metadata = object.if_contains("metadata")) {
    std::vector<std::string> within;
    const TypeSchema& type = *FindBuiltinType("meta.ObjectMeta");
    if (Result<void> done = apiserver::Conform(*metadata, type, &within); !done) return done;
    for (const std::string& field : within) {
      if (unknown != nullptr) unknown->push_back("metadata." + field);
    }
  }
  if (schema_ != nullptr) schema_->Prune(object, unknown);
  return {};
}

void CustomKind::PrepareForUpdate(json::object& object, const json::object& old) const {
  if (has_status_) Restore(object, old, "status");
  const auto desired = [](json::object copy) {
    copy.erase("metadata");
    return copy;
  };
  CountGeneration(object, old, desired(object) != desired(old));
}

void CustomKind::PrepareForStatusUpdate(json::object& object, const json::object& old) const {
  json::object result = old;
  Restore(result, object, "status");
  object = std::move(result);
}

void CustomKind::Validate(const json::object& object, FieldErrors& errors) const {
  ValidateObjectMeta(object, namespaced_, "dnsSubdomain", errors);
  if (schema_ != nullptr) schema_->Validate(object, errors);
}

void CustomKind::ValidateUpdate(const json::object& object, const json::object& old,
                                FieldErrors& errors) const {
  ValidateObjectMetaUpdate(object, old, errors);
  Validate(object, errors);
}

std::vector<TableColumn> CustomKind::Columns() const {
  std::vector<TableColumn> columns{{.name = "Name", .format = "name"}};
  for (const Column& column : columns_) columns.push_back(column.head);
  return columns;
}

json::array CustomKind::Cells(const json::object& object, Time now) const {
  json::array cells{json::string(Name(object))};
  for (const Column& column : columns_) {
    const json::value* value = column.path.First(object);
    if (value == nullptr) {
      cells.push_back(nullptr);
    } else if (column.head.type == "date") {
      cells.push_back(json::string(Since(AsText(*value), now)));
    } else if (column.head.type == "string" && !value->is_string()) {
      cells.push_back(json::string(ToText(*value)));
    } else {
      cells.push_back(*value);
    }
  }
  return cells;
}

bool CustomKind::FieldValue(const json::object& object, std::string_view field,
                            std::string& value) const {
  for (const auto& [name, path] : selectable_) {
    if (name != field) continue;
    const json::value* found = path.First(object);
    value = found == nullptr ? "" : TextOf(*found);
    return true;
  }
  return false;
}

ApiResult<json::object> CustomKind::ScaleOf(const json::object& object, bool for_write) const {
  const json::value* replicas = spec_replicas_->First(object);
  if (replicas == nullptr && !for_write) {
    return Refuse(refusal::Internal("the object has no replicas that could be scaled"));
  }
  const json::value* ready = status_replicas_.First(object);
  json::object status{{"replicas", ready != nullptr && ready->is_int64() ? *ready : 0}};
  const json::value* selector = label_selector_.First(object);
  if (selector != nullptr && selector->is_string()) status["selector"] = *selector;
  json::object spec;
  if (replicas != nullptr && replicas->is_int64()) spec["replicas"] = *replicas;
  return MakeScale(object, std::move(spec), std::move(status));
}

ApiResult<void> CustomKind::SetReplicas(std::int64_t replicas, json::object& object) const {
  if (spec_replicas_->Set(object, replicas)) return {};
  return Refuse(refusal::Internal("the path to replicas leads nowhere where they could be set"));
}

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
