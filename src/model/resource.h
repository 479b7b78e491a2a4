#pragma once

#include <boost/container/small_vector.hpp>
#include <string>
#include <utility>

#include "model/dimensions.h"

namespace basalt::model {

// How a comparison reads a dimension that one side does not define.
enum class Undefined { kZero, kInfinity };

// Amounts by dimension. CPU and memory are always defined; of the others a resource defines those
// that were set, and "not defined" differs from zero in the comparisons, as in Volcano's
// api.Resource. Amounts of objects are whole numbers; only policies scale them. What is added up
// here rounds beyond 2^53: books that must stay exact are ResourceSums. Comparisons that say
// "equal" allow kEpsilon, as Volcano's do.
class Resource {
 public:
  static constexpr double kEpsilon = 0.1;

  Resource() = default;
  Resource(double milli_cpu, double memory) : amounts_{milli_cpu, memory} {}

  double operator[](int dimension) const {
    return static_cast<std::size_t>(dimension) < amounts_.size() ? amounts_[dimension] : 0;
  }
  double milli_cpu() const { return (*this)[kCpu]; }
  double memory() const { return (*this)[kMemory]; }
  // Which dimensions beside CPU and memory are defined.
  DimensionSet scalars() const { return scalars_; }
  bool Defines(int dimension) const { return (defined() & Bit(dimension)) != 0; }
  DimensionSet defined() const { return scalars_ | Bit(kCpu) | Bit(kMemory); }
  // One more than the largest dimension that has an amount.
  int bound() const { return static_cast<int>(amounts_.size()); }

  void Set(int dimension, double amount);
  void Undefine(int dimension);
  Resource& Add(const Resource& other);
  // Amounts may become negative. Dimensions that only `other` defines are taken away too, unless
  // this resource defines none beside CPU and memory (Volcano's rule).
  Resource& Sub(const Resource& other);
  Resource& Scale(double factor);
  // Of each dimension that `other` defines the larger amount.
  Resource& RaiseTo(const Resource& other);
  // Of each dimension that this resource defines the smaller amount.
  Resource& LowerTo(const Resource& other, Undefined undefined);

  // Nothing of any resource; "pods" does not count.
  bool IsEmpty() const;
  bool IsZero(int dimension) const { return (*this)[dimension] < kEpsilon; }
  // The dimensions with an amount of kEpsilon or more.
  DimensionSet NonZero() const;

  // In every dimension.
  bool Less(const Resource& other, Undefined undefined) const;
  bool LessEqual(const Resource& other, Undefined undefined) const;
  bool Equal(const Resource& other) const;
  // In some dimension.
  bool LessPartly(const Resource& other, Undefined undefined) const;
  bool LessEqualPartly(const Resource& other, Undefined undefined) const;
  // The dimensions in which this exceeds `other`, "less or equal" being as in LessEqual.
  DimensionSet Exceeding(const Resource& other, Undefined undefined) const;

  // Along the dimensions that `request` asks for ("pods" does not count): where this is strictly
  // more than `other`. With no dimension beside CPU and memory here, only those two are looked at.
  DimensionSet ExceedingAlong(const Resource& other, const Resource& request) const;
  // The same without that exception.
  DimensionSet GreaterAlong(const Resource& other, const Resource& request) const;
  // The same, leaving out what `other` does not have: CPU and memory that are zero there, and
  // dimensions that it does not define.
  DimensionSet GreaterAlongRelevant(const Resource& other, const Resource& request) const;
  // Along the dimensions that `request` asks for: where this is less than or equal to `other`.
  DimensionSet FittingAlong(const Resource& other, const Resource& request) const;
  // The same, leaving out what is zero on both sides.
  DimensionSet FittingAlongNonZero(const Resource& other, const Resource& request) const;

  // What this has more than `other`, and what it has less. An undefined amount that counts as
  // infinite is marked -1.
  std::pair<Resource, Resource> Diff(const Resource& other, Undefined undefined) const;

  // "cpu 1000.00, memory 0.00, pods 1.00": the others sorted by name.
  std::string ToString(const model::Dimensions& dimensions) const;

  // The same dimensions defined, the same amounts exactly.
  bool operator==(const Resource& other) const;

 private:
  static bool AtMost(double left, double right) {
    return left < right || (left - right < kEpsilon && right - left < kEpsilon);
  }

  boost::container::small_vector<double, 4> amounts_;
  DimensionSet scalars_ = 0;
};

// What `left` has more than `right`, with undefined amounts as zero.
Resource ExceededPart(const Resource& left, const Resource& right);

// Calls fn(dimension) for each, in ascending order.
template <class Fn>
void ForEachDimension(DimensionSet dimensions, Fn fn) {
  for (; dimensions != 0; dimensions &= dimensions - 1) fn(__builtin_ctzll(dimensions));
}

}  // namespace basalt::model
