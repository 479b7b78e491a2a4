#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "kube/types/string_map.h"

namespace basalt::kube {

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool controller = false;
  bool block_owner_deletion = false;
  bool operator==(const OwnerReference&) const = default;
};

struct ObjectMeta {
  std::string name;
  std::string ns;  // the namespace; "" on a cluster-scoped object
  std::string uid;
  std::string resource_version;
  std::string generate_name;
  std::int64_t generation = 0;
  Time creation_timestamp{};  // 1970 where it is not set
  std::optional<Time> deletion_timestamp;
  std::optional<std::int64_t> deletion_grace_period_seconds;
  StringMap labels;
  StringMap annotations;
  std::vector<OwnerReference> owner_references;
  std::vector<std::string> finalizers;

  bool deleting() const { return deletion_timestamp.has_value(); }
  // "ns/name", or "name" where there is no namespace.
  std::string Key() const;
  // The owner that manages the object; nullptr: none does.
  const OwnerReference* Controller() const;
  bool HasFinalizer(std::string_view finalizer) const;
  bool operator==(const ObjectMeta&) const = default;
};

// An object of a kind that only its reader knows: immutable, shared.
using AnyObject = std::shared_ptr<const void>;

// "ns/name", or "name" where `ns` is empty.
std::string ObjectKey(std::string_view ns, std::string_view name);

struct ListMeta {
  std::string resource_version;
  std::string continue_token;  // "": the list is complete
  std::optional<std::int64_t> remaining_item_count;
};

struct ObjectReference {
  std::string api_version;
  std::string kind;
  std::string ns;
  std::string name;
  std::string uid;
  std::string resource_version;
  std::string field_path;
  bool operator==(const ObjectReference&) const = default;
};

enum class ConditionStatus : std::uint8_t { kUnknown, kTrue, kFalse };
std::string_view ToString(ConditionStatus status);

// A condition of any kind of object.
struct Condition {
  std::string type;
  ConditionStatus status = ConditionStatus::kUnknown;
  Time last_transition_time{};
  std::string reason;
  std::string message;
  bool operator==(const Condition&) const = default;
};

// nullptr: there is no condition of that type.
const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type);
inline bool IsConditionTrue(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* found = FindCondition(conditions, type);
  return found && found->status == ConditionStatus::kTrue;
}

// A number, or a string such as "25%" or a port's name.
struct IntOrString {
  bool is_string = false;
  std::int32_t number = 0;
  std::string text;

  std::string ToString() const;
  // A percentage counts of `total`, rounded up or down. nullopt: the string is no percentage.
  std::optional<std::int64_t> Scaled(std::int64_t total, bool round_up) const;
  bool operator==(const IntOrString&) const = default;
};

}  // namespace basalt::kube
