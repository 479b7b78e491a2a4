#pragma once

#include <array>
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

// Resource names as small numbers. Owned by the Cluster, on its thread.
//
// A name has a number exactly while a node or a queue offers it; CPU, memory and pods always have
// theirs. What a pod or a group asks for needs none: of a resource that nobody offers there is
// nothing to count, so that a tenant that can only make pods uses no numbers up. The Cluster keeps
// to that: when a name gets or loses its number it reads anew what the pods ask for that name it.
//
// Of more than kMaxDimensions names at a time those that come last are left out of the counting,
// and a pod that asks for one cannot be scheduled; they get a number when one becomes free.
class Dimensions {
 public:
  Dimensions();

  std::optional<int> Find(std::string_view name) const;
  const std::string& name(int dimension) const { return names_[dimension]; }
  // One more than the largest number ever given. Numbers below it may be without a name.
  int size() const { return static_cast<int>(names_.size()); }
  // Sorted by name.
  std::vector<std::string> Names(DimensionSet dimensions) const;
  // Whether a node or a queue offers a name that has no number.
  bool some_uncounted() const { return some_uncounted_; }

  // For the Cluster.

  // One more node or queue offers the name. nullopt: there is no number left.
  std::optional<int> Offer(std::string_view name);
  // One node or queue less offers each of them. A name that nobody offers any more keeps its number
  // until Free.
  void Withdraw(DimensionSet dimensions);

  // What has changed since Free was last called: there are new names, and names that nobody offers
  // any more. These are hidden from Find.
  bool has_new() const { return has_new_; }
  DimensionSet unoffered() const { return unoffered_; }
  void HideUnoffered();
  // Nothing refers to the hidden numbers any more.
  void Free();
  void ForgetUncounted() { some_uncounted_ = false; }

 private:
  std::vector<std::string> names_;
  std::array<std::uint32_t, kMaxDimensions> offers_{};
  boost::unordered_flat_map<std::string, int> index_;
  DimensionSet unoffered_ = 0;
  DimensionSet free_ = 0;
  bool has_new_ = false;
  bool some_uncounted_ = false;
};

}  // namespace basalt::model
