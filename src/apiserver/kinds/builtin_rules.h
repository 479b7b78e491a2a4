#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/hooks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/kind.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

struct KindTraits {
  bool namespaced = true;
  bool generation = false;  // metadata.generation counts changes of the desired state
  NameCheck name_check = syntax::Dns1123Subdomain;
  bool updates_are_checked = true;  // false: only that immutable fields are what they were
  bool keeps_status = false;        // a create may bring a status
  // Field selectors: names, and paths of the fields that they are.
  std::map<std::string, std::string, std::less<>> selectable = {};
  std::string_view cells = {};  // of kubectl's tables: cells.h
};

// The rules of a built-in kind: its table's and its hooks'.
class BuiltinRules : public KindRules {
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
  Hooks hooks_;
  RowCells cells_;
  json::value zero_status_;  // null: the kind has no status
};

}  // namespace basalt::apiserver
