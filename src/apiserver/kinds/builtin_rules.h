#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/kind.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// What is special about a kind and no property of a field (fields.txt). Each runs beside what all
// kinds have in common, not instead of it.
struct KindHooks {
  std::string_view type;
  void (*fill)(json::object& object) = nullptr;
  void (*prepare_create)(json::object& object, Time now) = nullptr;
  void (*prepare_update)(json::object& object, const json::object& old) = nullptr;
  void (*prepare_status)(json::object& object, const json::object& old) = nullptr;
  void (*check)(const json::object& object, FieldErrors& errors) = nullptr;  // on create and update
  void (*check_create)(const json::object& object, FieldErrors& errors) = nullptr;
  void (*check_update)(const json::object& object, const json::object& old,
                       FieldErrors& errors) = nullptr;
  void (*check_status)(const json::object& object, const json::object& old,
                       FieldErrors& errors) = nullptr;
  json::array (*cells)(const json::object& object, Time now) = nullptr;
  json::array (*row_conditions)(const json::object& object) = nullptr;
  // Field selectors that are not simply a field.
  bool (*field_value)(const json::object& object, std::string_view field,
                      std::string& value) = nullptr;
};
// Each in the file that its name says.
std::span<const KindHooks> PodKinds();       // pod.cc
std::span<const KindHooks> CoreKinds();      // core.cc
std::span<const KindHooks> EventKinds();     // event.cc
std::span<const KindHooks> ConfigKinds();    // config.cc
std::span<const KindHooks> NetworkKinds();   // network.cc
std::span<const KindHooks> StorageKinds();   // storage.cc
std::span<const KindHooks> QuotaKinds();     // quota.cc
std::span<const KindHooks> WorkloadKinds();  // workloads.cc
std::span<const KindHooks> JobKinds();       // job.cc
std::span<const KindHooks> PolicyKinds();    // policy.cc

struct KindTraits {
  bool namespaced = true;
  bool generation = false;  // metadata.generation counts changes of the desired state
  NameCheck name_check = syntax::NameIsDnsSubdomain;
  // On update the kind's validation looks at all of the metadata again, not only at what changed.
  bool checks_all_on_update = true;
  bool updates_are_checked = true;           // false: only that immutable fields are what they were
  bool keeps_status = false;                 // a create may bring a status
  std::vector<std::string> selectable = {};  // field selectors: paths of fields
  std::string_view cells = {};               // of kubectl's tables: cells.h
};

// The rules of a built-in kind: its table's and its hooks'.
class BuiltinRules final : public KindRules {
 public:
  BuiltinRules(const TypeSchema& schema, KindTraits traits);

  void Default(json::object& object) const override;
  void PrepareForCreate(json::object& object, Time now) const override;
  void PrepareForUpdate(json::object& object, const json::object& old, Time now) const override;
  void PrepareForStatusUpdate(json::object& object, const json::object& old) const override;
  void Validate(const json::object& object, FieldErrors& errors) const override;
  void ValidateUpdate(const json::object& object, const json::object& old,
                      FieldErrors& errors) const override;
  void ValidateStatusUpdate(const json::object& object, const json::object& old,
                            FieldErrors& errors) const override;
  std::vector<TableColumn> Columns() const override;
  json::array Cells(const json::object& object, Time now) const override;
  json::array RowConditions(const json::object& object) const override;
  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override;

 private:
  const TypeSchema& schema_;
  KindTraits traits_;
  KindHooks hooks_;
  RowCells cells_;
  json::value zero_status_;  // null: the kind has no status
};

}  // namespace basalt::apiserver
