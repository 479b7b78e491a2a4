#include "apiserver/crd/custom_rules.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/subresources.h"
#include "apiserver/kinds/syntax.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

std::string DescribeColumn(std::string_view path) {
  return fmt::format("Custom resource definition column (in JSONPath format): {}", path);
}

}  // namespace

Result<std::shared_ptr<const CustomRules>> CustomRules::Make(const json::object& definition,
                                                             const json::object& version) {
  auto rules = std::make_shared<CustomRules>();
  rules->namespaced_ = GetString(definition, {"spec", "scope"}) == "Namespaced";
  rules->has_status_ = Find(version, {"subresources", "status"}) != nullptr;
  const bool keep_all = GetBool(definition, {"spec", "preserveUnknownFields"});
  const json::object* schema = FindObject(version, {"schema", "openAPIV3Schema"});
  if (schema != nullptr && !keep_all) {
    Result<std::shared_ptr<const StructuralSchema>> parsed = StructuralSchema::Parse(*schema);
    if (!parsed) return std::unexpected(parsed.error());
    rules->schema_ = std::move(*parsed);
  }
  if (schema != nullptr) rules->published_ = *schema;
  rules->merge_types_ = MergeTypes(schema != nullptr && !keep_all ? *schema : json::object());
  if (Result<void> done = rules->ReadColumns(version); !done) return std::unexpected(done.error());
  if (Result<void> done = rules->ReadScale(version); !done) return std::unexpected(done.error());
  if (Result<void> done = rules->ReadSelectableFields(version); !done) {
    return std::unexpected(done.error());
  }
  return rules;
}

Result<void> CustomRules::ReadColumns(const json::object& version) {
  const json::array& columns = ListAt(version, {"additionalPrinterColumns"});
  if (columns.empty()) {
    Result<JsonPath> path = JsonPath::Parse(".metadata.creationTimestamp");
    columns_.push_back({{.name = "Age",
                         .type = "date",
                         .description = DescribeColumn(".metadata.creationTimestamp")},
                        std::move(*path)});
    return {};
  }
  for (const json::value& item : columns) {
    const json::object& column = AsObject(item);
    const std::string path(GetString(column, {"jsonPath"}));
    Result<JsonPath> parsed = JsonPath::Parse(path);
    if (!parsed) return std::unexpected(parsed.error());
    const std::string_view description = GetString(column, {"description"});
    columns_.push_back(
        {{.name = std::string(GetString(column, {"name"})),
          .type = std::string(GetString(column, {"type"})),
          .format = std::string(GetString(column, {"format"})),
          .description = description.empty() ? DescribeColumn(path) : std::string(description),
          .priority = static_cast<int>(GetInt(column, {"priority"}))},
         std::move(*parsed)});
  }
  return {};
}

Result<void> CustomRules::ReadScale(const json::object& version) {
  const json::object* scale = FindObject(version, {"subresources", "scale"});
  if (scale == nullptr) return {};
  const auto read = [scale](std::string_view key, std::optional<JsonPath>& out) -> Result<void> {
    const std::string_view text = GetString(*scale, {key});
    if (text.empty()) return {};
    Result<JsonPath> path = JsonPath::Parse(text);
    if (!path) return std::unexpected(path.error());
    out = std::move(*path);
    return {};
  };
  spec_replicas_text_ = GetString(*scale, {"specReplicasPath"});
  if (Result<void> done = read("specReplicasPath", spec_replicas_); !done) return done;
  if (Result<void> done = read("statusReplicasPath", status_replicas_); !done) return done;
  return read("labelSelectorPath", label_selector_);
}

Result<void> CustomRules::ReadSelectableFields(const json::object& version) {
  for (const json::value& item : ListAt(version, {"selectableFields"})) {
    std::string text(GetString(AsObject(item), {"jsonPath"}));
    Result<JsonPath> path = JsonPath::Parse(text);
    if (!path) return std::unexpected(path.error());
    if (text.starts_with('.')) text.erase(0, 1);
    selectable_.emplace_back(std::move(text), std::move(*path));
  }
  return {};
}

Result<void> CustomRules::Conform(json::object& object, std::vector<std::string>* unknown) const {
  if (json::value* metadata = object.if_contains("metadata")) {
    const TypeSchema* type = FindBuiltinType("meta.ObjectMeta");
    if (type != nullptr) {
      std::vector<std::string> within;
      if (Result<void> done = apiserver::Conform(*metadata, *type, &within); !done) return done;
      if (unknown != nullptr) {
        for (const std::string& field : within) unknown->push_back("metadata." + field);
      }
    }
  }
  if (schema_ != nullptr) schema_->Prune(object, unknown);
  return {};
}

void CustomRules::Default(json::object& object) const {
  if (schema_ != nullptr) schema_->Default(object);
}

void CustomRules::PrepareForCreate(json::object& object, Time /*now*/) const {
  if (has_status_) object.erase("status");
  Metadata(object)["generation"] = 1;
}

void CustomRules::PrepareForUpdate(json::object& object, const json::object& old,
                                   Time /*now*/) const {
  if (has_status_) Restore(object, old, "status");
  const auto desired = [](json::object copy) {
    copy.erase("metadata");
    return copy;
  };
  const std::int64_t generation = GetInt(old, {"metadata", "generation"});
  Metadata(object)["generation"] = generation + (desired(object) == desired(old) ? 0 : 1);
}

void CustomRules::Validate(const json::object& object, FieldErrors& errors) const {
  ValidateObjectMeta(object, namespaced_, syntax::NameIsDnsSubdomain, errors);
  if (schema_ != nullptr) schema_->Validate(object, errors);
}

void CustomRules::ValidateUpdate(const json::object& object, const json::object& old,
                                 FieldErrors& errors) const {
  ValidateObjectMetaUpdate(object, old, errors);
  if (schema_ != nullptr) schema_->Validate(object, errors);
}

void CustomRules::ValidateStatusUpdate(const json::object& object, const json::object& old,
                                       FieldErrors& errors) const {
  ValidateObjectMetaUpdate(object, old, errors);
  if (schema_ != nullptr) schema_->Validate(object, errors);
}

std::vector<TableColumn> CustomRules::Columns() const {
  std::vector<TableColumn> columns{KindRules::Columns().front()};
  for (const Column& column : columns_) columns.push_back(column.head);
  return columns;
}

json::array CustomRules::Cells(const json::object& object, Time now) const {
  json::array cells{json::string(Name(object))};
  for (const Column& column : columns_) {
    const json::value* value = column.path.First(object);
    if (value == nullptr) {
      cells.push_back(nullptr);
    } else if (column.head.type == "date") {
      cells.push_back(value->is_string()
                          ? json::value(json::string(Since(value->get_string(), now)))
                          : json::value("<unknown>"));
    } else if (column.head.type == "string" && !value->is_string()) {
      cells.push_back(json::string(ToText(*value)));
    } else {
      cells.push_back(*value);
    }
  }
  return cells;
}

bool CustomRules::FieldValue(const json::object& object, std::string_view field,
                             std::string& value) const {
  for (const auto& [name, path] : selectable_) {
    if (name != field) continue;
    const json::value* found = path.First(object);
    value = found == nullptr     ? ""
            : found->is_string() ? std::string(found->get_string())
                                 : ToText(*found);
    return true;
  }
  return false;
}

ApiResult<json::object> CustomRules::ScaleOf(const json::object& object, bool for_write) const {
  const json::value* replicas = spec_replicas_->First(object);
  if (replicas == nullptr && !for_write) {
    return Refuse(refusal::Internal(
        fmt::format("the spec replicas field \"{}\" does not exist", spec_replicas_text_)));
  }
  json::object status;
  const json::value* ready = status_replicas_ ? status_replicas_->First(object) : nullptr;
  status["replicas"] = ready != nullptr && ready->is_int64() ? ready->get_int64() : 0;
  const json::value* selector = label_selector_ ? label_selector_->First(object) : nullptr;
  if (selector != nullptr && selector->is_string()) status["selector"] = *selector;
  json::object spec;
  if (replicas != nullptr && replicas->is_int64()) spec["replicas"] = *replicas;
  return MakeScale(object, std::move(spec), std::move(status));
}

ApiResult<void> CustomRules::SetReplicas(std::int64_t replicas, json::object& object) const {
  if (spec_replicas_->Set(object, replicas)) return {};
  return Refuse(refusal::Internal(
      fmt::format("the spec replicas field \"{}\" cannot be set", spec_replicas_text_)));
}

}  // namespace basalt::apiserver
