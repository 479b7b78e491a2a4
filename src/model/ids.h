#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace basalt::model {

// A dense 32-bit index into one of the cluster's slot tables. It stays valid, and its object at the
// same address, until the object is removed; then the slot is used again.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNoValue = 0xffffffffu;
  std::uint32_t value = kNoValue;

  constexpr bool valid() const { return value != kNoValue; }
  constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using TaskId = Id<struct TaskTag>;
using JobId = Id<struct JobTag>;
using NodeId = Id<struct NodeTag>;
using QueueId = Id<struct QueueTag>;

template <class Tag>
std::size_t hash_value(const Id<Tag>& id) {
  return id.value * 0x9e3779b97f4a7c15u;
}

}  // namespace basalt::model
