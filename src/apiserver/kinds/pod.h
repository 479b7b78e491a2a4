#pragma once

#include "apiserver/kinds/builtin_rules.h"

namespace basalt::apiserver {

// Whether its condition Ready is true.
bool IsReady(const json::object& pod);

class PodRules final : public BuiltinRules {
 public:
  PodRules();

  void Default(json::object& pod) const override;
  void PrepareForCreate(json::object& pod, Time now) const override;
  void PrepareForStatusUpdate(json::object& pod, const json::object& old) const override;
  json::array Cells(const json::object& pod, Time now) const override;
  json::array RowConditions(const json::object& pod) const override;
  bool FieldValue(const json::object& pod, std::string_view field,
                  std::string& value) const override;

 protected:
  void CheckCreate(const json::object& pod, FieldErrors& errors) const override;
  void CheckUpdate(const json::object& pod, const json::object& old,
                   FieldErrors& errors) const override;
  void CheckStatusUpdate(const json::object& pod, const json::object& old,
                         FieldErrors& errors) const override;
};

}  // namespace basalt::apiserver
