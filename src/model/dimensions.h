#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::model {

// A set of dimensions.
using DimensionSet = std::uint64_t;

inline constexpr int kCpu = 0;     // thousandths of a core
inline constexpr int kMemory = 1;  // bytes
inline constexpr int kPods = 2;    // units; every other dimension is in thousandths
inline constexpr int kMaxDimensions = 64;

inline constexpr DimensionSet Bit(int dimension) { return DimensionSet{1} << dimension; }

// Resource names as small numbers, in order of appearance. One per cluster.
class Dimensions {
 public:
  Dimensions();

  // nullopt: there are kMaxDimensions names already. A node's amount of such a resource is left
  // out; a pod that asks for it cannot be scheduled.
  std::optional<int> Intern(std::string_view name);
  std::optional<int> Find(std::string_view name) const;
  const std::string& name(int dimension) const { return names_[dimension]; }
  int size() const { return static_cast<int>(names_.size()); }

  // Sorted by name.
  std::vector<std::string> Names(DimensionSet dimensions) const;

 private:
  std::vector<std::string> names_;
  boost::unordered_flat_map<std::string, int> index_;
};

}  // namespace basalt::model
