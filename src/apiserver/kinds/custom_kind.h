#pragma once

#include <deque>

#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/structural_schema.h"
#include "apiserver/object/kind.h"
#include "apiserver/object/object.h"
#include "apiserver/object/status.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// How server-side apply merges the objects of a custom resource, read off its openAPIV3Schema: list
// types, keys, maps that are taken as a whole. What the schema does not describe is merged by its
// form: objects field by field, lists as a whole. Owns its types, which do not move. Immutable
// after construction; owned by a CustomKind.
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

// The rules of one version of a custom resource, all from its CRD. Immutable; shared by the kind
// registry and the requests under way.
class CustomKind final : public KindRules {
 public:
  // `version` is an element of spec.versions of a valid CRD. The error says what is wrong with it.
  static Result<std::shared_ptr<const CustomKind>> Make(const json::object& definition,
                                                        const json::object& version);

  void Default(json::object& object) const override {
    if (schema_ != nullptr) schema_->Default(object);
  }
  void PrepareForCreate(json::object& object, Time /*now*/) const override {
    if (has_status_) object.erase("status");
    Metadata(object)["generation"] = 1;
  }
  void PrepareForUpdate(json::object& object, const json::object& old) const override;
  void PrepareForStatusUpdate(json::object& object, const json::object& old) const override;
  void Validate(const json::object& object, FieldErrors& errors) const override;
  void ValidateUpdate(const json::object& object, const json::object& old,
                      FieldErrors& errors) const override;
  void ValidateStatusUpdate(const json::object& object, const json::object& old,
                            FieldErrors& errors) const override {
    ValidateUpdate(object, old, errors);
  }
  std::vector<TableColumn> Columns() const override;
  json::array Cells(const json::object& object, Time now) const override;
  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override;

  // What decoding does: checks metadata, drops what the schema does not know (and reports it).
  Result<void> Conform(json::object& object, std::vector<std::string>* unknown) const;
  // The openAPIV3Schema, as OpenAPI shows it; null: there is none.
  const json::object* PublishedSchema() const { return published_ ? &*published_ : nullptr; }
  // How server-side apply merges the kind's objects.
  const TypeSchema& MergeType() const { return merge_types_.root(); }
  // The scale subresource; only where KindInfo::has_scale. An object without replicas has none to
  // read, but may be given some.
  ApiResult<json::object> ScaleOf(const json::object& object, bool for_write) const;
  ApiResult<void> SetReplicas(std::int64_t replicas, json::object& object) const;

  bool has_status() const { return has_status_; }
  bool has_scale() const { return spec_replicas_.has_value(); }
  // Whether there are validation rules in CEL, which are not evaluated.
  bool has_ignored_rules() const { return schema_ != nullptr && schema_->has_rules(); }

 private:
  struct Column {
    TableColumn head;
    JsonPath path;
  };
  // What paths lead to: columns, fields that can be selected by, the scale.
  Result<void> ReadPaths(const json::object& version);

  bool namespaced_ = true;
  bool has_status_ = false;
  std::shared_ptr<const StructuralSchema> schema_;  // null: everything is kept
  std::optional<json::object> published_;
  MergeTypes merge_types_;
  std::vector<Column> columns_;
  std::vector<std::pair<std::string, JsonPath>> selectable_;
  std::optional<JsonPath> spec_replicas_;  // nothing: there is no scale
  JsonPath status_replicas_, label_selector_;
};

}  // namespace basalt::apiserver
