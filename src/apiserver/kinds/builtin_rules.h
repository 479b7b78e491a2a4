#pragma once

#include <string_view>
#include <vector>

#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/kind.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// What the rules of the built-in kinds have in common. A kind overrides what is special about it.
class BuiltinRules : public KindRules {
 public:
  struct Traits {
    bool namespaced = true;
    bool generation = false;  // metadata.generation counts changes of the desired state
    NameCheck name_check = syntax::NameIsDnsSubdomain;
    // On update the kind's validation looks at the whole object again, not only at what changed.
    bool checks_all_on_update = true;
  };
  BuiltinRules(const TypeSchema& schema, Traits traits);

  void PrepareForCreate(json::object& object, Time now) const override;
  void PrepareForUpdate(json::object& object, const json::object& old, Time now) const override;
  void PrepareForStatusUpdate(json::object& object, const json::object& old) const override;
  void Validate(const json::object& object, FieldErrors& errors) const final;
  void ValidateUpdate(const json::object& object, const json::object& old,
                      FieldErrors& errors) const final;
  void ValidateStatusUpdate(const json::object& object, const json::object& old,
                            FieldErrors& errors) const final;
  std::vector<TableColumn> Columns() const override;

 protected:
  // The kind's own part; metadata has been looked at.
  virtual void CheckCreate(const json::object& /*object*/, FieldErrors& /*errors*/) const {}
  // By default what CheckCreate says.
  virtual void CheckUpdate(const json::object& object, const json::object& /*old*/,
                           FieldErrors& errors) const {
    CheckCreate(object, errors);
  }
  virtual void CheckStatusUpdate(const json::object& /*object*/, const json::object& /*old*/,
                                 FieldErrors& /*errors*/) const {}

  const Traits& traits() const { return traits_; }
  const TypeSchema& schema() const { return schema_; }

 private:
  const TypeSchema& schema_;
  Traits traits_;
  json::value zero_status_;  // null: the kind has no status
};

}  // namespace basalt::apiserver
