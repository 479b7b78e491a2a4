#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/crd/json_path.h"
#include "apiserver/crd/merge_types.h"
#include "apiserver/crd/structural_schema.h"
#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// The rules of one version of a custom resource, all from its CRD. Immutable.
class CustomRules final : public KindRules, public CustomKind {
 public:
  // `version` is an element of spec.versions of a valid CRD. The error says what is wrong with it.
  static Result<std::shared_ptr<const CustomRules>> Make(const json::object& definition,
                                                         const json::object& version);

  void Default(json::object& object) const override;
  void PrepareForCreate(json::object& object, Time now) const override;
  void PrepareForUpdate(json::object& object, const json::object& old, Time now) const override;
  void Validate(const json::object& object, FieldErrors& errors) const override;
  void ValidateUpdate(const json::object& object, const json::object& old,
                      FieldErrors& errors) const override;
  void ValidateStatusUpdate(const json::object& object, const json::object& old,
                            FieldErrors& errors) const override;
  std::vector<TableColumn> Columns() const override;
  json::array Cells(const json::object& object, Time now) const override;
  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override;

  Result<void> Conform(json::object& object, std::vector<std::string>* unknown) const override;
  const json::object* PublishedSchema() const override {
    return published_ ? &*published_ : nullptr;
  }
  const TypeSchema& MergeType() const override { return merge_types_.root(); }
  ApiResult<json::object> ScaleOf(const json::object& object, bool for_write) const override;
  ApiResult<void> SetReplicas(std::int64_t replicas, json::object& object) const override;

  bool has_status() const { return has_status_; }
  bool has_scale() const { return spec_replicas_.has_value(); }
  // Whether there are validation rules in CEL, which are not evaluated.
  bool has_ignored_rules() const { return schema_ != nullptr && schema_->has_rules(); }

 private:
  struct Column {
    TableColumn head;
    JsonPath path;
  };
  Result<void> ReadColumns(const json::object& version);
  Result<void> ReadScale(const json::object& version);
  Result<void> ReadSelectableFields(const json::object& version);

  bool namespaced_ = true;
  bool has_status_ = false;
  std::shared_ptr<const StructuralSchema> schema_;  // null: everything is kept
  std::optional<json::object> published_;
  MergeTypes merge_types_;
  std::vector<Column> columns_;
  std::vector<std::pair<std::string, JsonPath>> selectable_;
  std::string spec_replicas_text_;
  std::optional<JsonPath> spec_replicas_, status_replicas_, label_selector_;
};

}  // namespace basalt::apiserver
