#include "kube/types/meta.h"

#include <fmt/core.h>

#include <algorithm>

#include "kube/types/integer.h"

namespace basalt::kube {

std::string ObjectKey(std::string_view ns, std::string_view name) {
  return ns.empty() ? std::string(name) : fmt::format("{}/{}", ns, name);
}

std::string ObjectMeta::Key() const { return ObjectKey(ns, name); }

const OwnerReference* ObjectMeta::Controller() const {
  const auto found = std::ranges::find_if(owner_references, &OwnerReference::controller);
  return found == owner_references.end() ? nullptr : &*found;
}

bool ObjectMeta::HasFinalizer(std::string_view finalizer) const {
  return std::ranges::find(finalizers, finalizer) != finalizers.end();
}

std::string_view ToString(ConditionStatus status) {
  switch (status) {
    case ConditionStatus::kTrue: return "True";
    case ConditionStatus::kFalse: return "False";
    case ConditionStatus::kUnknown: break;
  }
  return "Unknown";
}

const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &Condition::type);
  return found == conditions.end() ? nullptr : &*found;
}

std::string IntOrString::ToString() const { return is_string ? text : std::to_string(number); }

std::optional<std::int64_t> IntOrString::Scaled(std::int64_t total, bool round_up) const {
  if (!is_string) return number;
  if (!text.ends_with('%')) return std::nullopt;
  const std::optional<std::int64_t> percent =
      ParseInt64(std::string_view(text).substr(0, text.size() - 1));
  if (!percent) return std::nullopt;
  const double exact = static_cast<double>(*percent) * static_cast<double>(total) / 100;
  const auto down = static_cast<std::int64_t>(exact);
  return round_up && static_cast<double>(down) < exact ? down + 1 : down;
}

}  // namespace basalt::kube
