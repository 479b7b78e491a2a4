#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <functional>

#include "apiserver/discovery/discovery.h"
#include "apiserver/kinds/custom_kind.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/object/text.h"
#include "apiserver/schema/type_schema.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

struct ScalarForm {
  Kind kind;
  std::string_view schema;
  std::string_view published = "";  // the name that it is described under, where it has one
};
constexpr ScalarForm kScalarForms[] = {
    {Kind::kString, R"({"type":"string"})"},
    {Kind::kBool, R"({"type":"boolean"})"},
    {Kind::kInt32, R"({"type":"integer","format":"int32"})"},
    {Kind::kInt64, R"({"type":"integer","format":"int64"})"},
    {Kind::kDouble, R"({"type":"number","format":"double"})"},
    {Kind::kBytes, R"({"type":"string","format":"byte"})"},
    {Kind::kQuantity, R"({"oneOf":[{"type":"string"},{"type":"number"}]})",
     "io.k8s.apimachinery.pkg.api.resource.Quantity"},
    {Kind::kTime, R"({"type":"string","format":"date-time"})",
     "io.k8s.apimachinery.pkg.apis.meta.v1.Time"},
    {Kind::kMicroTime, R"({"type":"string","format":"date-time"})",
     "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime"},
    {Kind::kDuration, R"({"type":"string"})", "io.k8s.apimachinery.pkg.apis.meta.v1.Duration"},
    {Kind::kIntOrString,
     R"({"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]})",
     "io.k8s.apimachinery.pkg.util.intstr.IntOrString"},
    {Kind::kAny, R"({"type":"object"})", "io.k8s.apimachinery.pkg.runtime.RawExtension"},
};

json::object Reference(std::string_view name) {
  return {{"$ref", fmt::format("#/components/schemas/{}", name)}};
}

json::object GroupVersionKind(const KindInfo& info, std::string_view kind) {
  return {{"group", info.group}, {"kind", kind}, {"version", info.version}};
}

// The schemas of a document (components.schemas): each type once, under its published name.
class Schemas {
 public:
  json::object all;

  // A built-in type by its id; its published name.
  std::string AddType(std::string_view id) {
    const TypeSchema* type = FindBuiltinType(id);
    BASALT_CHECK(type != nullptr);
    AddStruct(*type);
    return type->published_name;
  }

  // The kind's type and all that it uses; its published name.
  std::string AddKind(const ServedKind& kind) {
    const KindInfo& info = kind.info;
    std::string name;
    if (info.schema != nullptr) {
      AddStruct(*info.schema);
      name = info.schema->published_name;
    } else {
      // Of batch.volcano.sh: sh.volcano.batch.v1alpha1.Job
      std::vector<std::string_view> parts = Pieces(info.group, '.');
      std::ranges::reverse(parts);
      name = fmt::format("{}.{}.{}", fmt::join(parts, "."), info.version, info.kind);
      const json::object* published =
          kind.custom == nullptr ? nullptr : kind.custom->PublishedSchema();
      json::object schema =
          published == nullptr
              ? json::object{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}
              : *published;
      AddObjectFields(Child(schema, "properties"), "meta.ObjectMeta");
      all[name] = std::move(schema);
    }
    Child(all, name)["x-kubernetes-group-version-kind"] =
        json::array{GroupVersionKind(info, info.kind)};
    return name;
  }

  std::string AddList(const ServedKind& kind, std::string_view item) {
    const std::string name =
        fmt::format("{}{}", item.substr(0, item.rfind('.') + 1), kind.info.list_kind);
    json::object properties{{"items", {{"type", "array"}, {"items", Reference(item)}}}};
    AddObjectFields(properties, "meta.ListMeta");
    all[name] = {{"type", "object"},
                 {"required", json::array{"items"}},
                 {"properties", std::move(properties)},
                 {"x-kubernetes-group-version-kind",
                  json::array{GroupVersionKind(kind.info, kind.info.list_kind)}}};
    return name;
  }

 private:
  void AddObjectFields(json::object& properties, std::string_view metadata) {
    properties["apiVersion"] = {{"type", "string"}};
    properties["kind"] = {{"type", "string"}};
    properties["metadata"] = {{"allOf", json::array{Reference(AddType(metadata))}}};
  }

  void AddStruct(const TypeSchema& type) {
    if (all.contains(type.published_name)) return;
    all[type.published_name] = json::object();  // ends a circle
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
    all[type.published_name] = std::move(schema);
  }

  json::object SchemaOf(const TypeSchema& type) {
    if (type.kind == Kind::kStruct) {
      AddStruct(type);
      return Reference(type.published_name);
    }
    if (type.kind == Kind::kList) return {{"type", "array"}, {"items", SchemaOf(*type.element)}};
    if (type.kind == Kind::kMap) {
      return {{"type", "object"}, {"additionalProperties", SchemaOf(*type.element)}};
    }
    const auto* scalar = std::ranges::find(kScalarForms, type.kind, &ScalarForm::kind);
    BASALT_CHECK(scalar != std::end(kScalarForms));
    if (scalar->published.empty()) return json::parse(scalar->schema).get_object();
    if (!all.contains(scalar->published)) all[scalar->published] = json::parse(scalar->schema);
    return Reference(scalar->published);
  }

  json::object PropertyOf(const TypeSchema::Field& field) {
    using ListType = TypeSchema::ListType;
    const TypeSchema& type = *field.type;
    json::object schema = SchemaOf(type);
    // What stands beside a reference does not count: it is wrapped.
    if (schema.contains("$ref")) schema = {{"allOf", json::array{std::move(schema)}}};
    if (!field.default_value.empty()) schema["default"] = field.default_value;
    if (type.kind == Kind::kList) {
      schema["x-kubernetes-list-type"] = type.list_type == ListType::kMap   ? "map"
                                         : type.list_type == ListType::kSet ? "set"
                                                                            : "atomic";
      if (type.list_type == ListType::kMap) {
        schema["x-kubernetes-list-map-keys"] =
            json::array(type.list_keys.begin(), type.list_keys.end());
      }
    }
    if (type.kind == Kind::kMap && type.atomic) schema["x-kubernetes-map-type"] = "atomic";
    if (!type.merge_key.empty()) schema["x-kubernetes-patch-merge-key"] = type.merge_key;
    if (type.merge || type.retain_keys) {
      schema["x-kubernetes-patch-strategy"] = !type.merge        ? "retainKeys"
                                              : type.retain_keys ? "merge,retainKeys"
                                                                 : "merge";
    }
    return schema;
  }
};

json::object Parameter(std::string_view name, bool in_path) {
  return {{"name", name},
          {"in", in_path ? "path" : "query"},
          {"required", in_path},
          {"schema", {{"type", name == "force" ? "boolean" : "string"}}}};
}

// The paths of a kind, and by which parameters each verb goes: kubectl looks for fieldValidation.
void AddPaths(const ServedKind& kind, const std::string& base, Schemas& schemas,
              json::object& paths) {
  const KindInfo& info = kind.info;
  using Names = std::vector<std::string_view>;
  const auto verb = [&info](std::string_view action, const Names& query, std::string_view answer) {
    json::array parameters;
    for (const std::string_view name : query) parameters.push_back(Parameter(name, false));
    const json::object content{{"application/json", {{"schema", Reference(answer)}}}};
    return json::object{{"x-kubernetes-action", action},
                        {"x-kubernetes-group-version-kind", GroupVersionKind(info, info.kind)},
                        {"parameters", std::move(parameters)},
                        {"responses", {{"200", {{"description", "OK"}, {"content", content}}}}}};
  };
  json::array place;
  if (info.namespaced) place.push_back(Parameter("namespace", true));
  const std::string object = schemas.AddKind(kind);
  const std::string status = schemas.AddType("meta.Status");
  const Names writes{"dryRun", "fieldManager", "fieldValidation"};
  const Names patches{"dryRun", "fieldManager", "fieldValidation", "force"};
  const std::string collection =
      fmt::format("/{}/{}{}", base, info.namespaced ? "namespaces/{namespace}/" : "", info.plural);
  paths[collection] = {
      {"parameters", place},
      {"get", verb("list", {"labelSelector", "fieldSelector"}, schemas.AddList(kind, object))},
      {"post", verb("post", writes, object)},
      {"delete", verb("deletecollection", {"dryRun"}, status)}};
  place.push_back(Parameter("name", true));
  json::object one{{"parameters", std::move(place)},
                   {"get", verb("get", {}, object)},
                   {"put", verb("put", writes, object)},
                   {"patch", verb("patch", patches, object)}};
  if (info.has_status) paths[collection + "/{name}/status"] = one;
  one["delete"] = verb("delete", {"dryRun"}, status);
  paths[collection + "/{name}"] = std::move(one);
}

}  // namespace

void OpenApiDocuments::Refresh(const KindRegistry& kinds) {
  if (made_of_ == kinds.revision()) return;
  made_of_ = kinds.revision();
  documents_.clear();
  std::map<std::string, std::pair<json::object, Schemas>> parts;  // paths and schemas
  for (const KindPtr& kind : kinds.All()) {
    const std::string base =
        (kind->info.group.empty() ? "api/" : "apis/") + kind->info.ApiVersion();
    auto& [paths, schemas] = parts[base];
    AddPaths(*kind, base, schemas, paths);
  }
  for (auto& [version, part] : parts) {
    Document document{
        .text = ToText(json::object{{"openapi", "3.0.0"},
                                    {"info", {{"title", "Basalt"}, {"version", version}}},
                                    {"paths", std::move(part.first)},
                                    {"components", {{"schemas", std::move(part.second.all)}}}})};
    document.hash = fmt::format("{:016X}", std::hash<std::string>()(document.text));
    documents_.emplace(version, std::move(document));
  }
}

std::string OpenApiDocuments::Root(const KindRegistry& kinds) {
  Refresh(kinds);
  json::object paths;
  for (const auto& [version, document] : documents_) {
    paths[version] = {
        {"serverRelativeURL", fmt::format("/openapi/v3/{}?hash={}", version, document.hash)}};
  }
  return ToText(json::object{{"paths", std::move(paths)}});
}

const OpenApiDocuments::Document* OpenApiDocuments::Find(const KindRegistry& kinds,
                                                         std::string_view version) {
  Refresh(kinds);
  const auto found = documents_.find(version);
  return found == documents_.end() ? nullptr : &found->second;
}

}  // namespace basalt::apiserver
