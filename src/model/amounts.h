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
// "equal" allow kEpsilon, as Volcano's do. A value.
class Amounts {
 public:
  static constexpr double kEpsilon = 0.1;

  Amounts() = default;
  Amounts(double milli_cpu, double memory) : amounts_{milli_cpu, memory} {}

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
  Amounts& Add(const Amounts& other);
  // Amounts may become negative. Dimensions that only `other` defines are taken away too, unless
  // this resource defines none beside CPU and memory (Volcano's rule).
  Amounts& Sub(const Amounts& other);
  Amounts& Scale(double factor);
  // Of each dimension that `other` defines the larger amount.
  Amounts& RaiseTo(const Amounts& other);
  // Of each dimension that this resource defines the smaller amount.
  Amounts& LowerTo(const Amounts& other, Undefined undefined);

  // Nothing of any resource; "pods" does not count.
  bool IsEmpty() const;
  bool IsZero(int dimension) const { return (*this)[dimension] < kEpsilon; }
  // The dimensions with an amount of kEpsilon or more.
  DimensionSet NonZero() const;

  // In every dimension.
  bool Less(const Amounts& other, Undefined undefined) const;
  bool LessEqual(const Amounts& other, Undefined undefined) const;
  bool Equal(const Amounts& other) const;
  // In some dimension.
  bool LessPartly(const Amounts& other, Undefined undefined) const;
  bool LessEqualPartly(const Amounts& other, Undefined undefined) const;
  // The dimensions in which this exceeds `other`, "less or equal" being as in LessEqual.
  DimensionSet Exceeding(const Amounts& other, Undefined undefined) const;

  // Along the dimensions that `request` asks for ("pods" does not count): where this is strictly
  // more than `other`. With no dimension beside CPU and memory here, only those two are looked at.
  DimensionSet ExceedingAlong(const Amounts& other, const Amounts& request) const;
  // The same without that exception.
  DimensionSet GreaterAlong(const Amounts& other, const Amounts& request) const;
  // The same, leaving out what `other` does not have: CPU and memory that are zero there, and
  // dimensions that it does not define.
  DimensionSet GreaterAlongRelevant(const Amounts& other, const Amounts& request) const;
  // Along the dimensions that `request` asks for: where this is less than or equal to `other`.
  DimensionSet FittingAlong(const Amounts& other, const Amounts& request) const;
  // The same, leaving out what is zero on both sides.
  DimensionSet FittingAlongNonZero(const Amounts& other, const Amounts& request) const;

  // What this has more than `other`, and what it has less. An undefined amount that counts as
  // infinite is marked -1.
  std::pair<Amounts, Amounts> Diff(const Amounts& other, Undefined undefined) const;

  // "cpu 1000.00, memory 0.00, pods 1.00": the others sorted by name.
  std::string ToString(const model::Dimensions& dimensions) const;

  // The same dimensions defined, the same amounts exactly.
  bool operator==(const Amounts& other) const;

 private:
  static bool AtMost(double left, double right) {
    return left < right || (left - right < kEpsilon && right - left < kEpsilon);
  }

  boost::container::small_vector<double, 4> amounts_;
  DimensionSet scalars_ = 0;
};

// What `left` has more than `right`, with undefined amounts as zero.
Amounts ExceededPart(const Amounts& left, const Amounts& right);

// The largest part of any resource of `total` that `allocated` takes.
double DominantShare(const Amounts& allocated, const Amounts& total);

// Calls fn(dimension) for each, in ascending order.
template <class Fn>
void ForEachDimension(DimensionSet dimensions, Fn fn) {
  for (; dimensions != 0; dimensions &= dimensions - 1) fn(__builtin_ctzll(dimensions));
}

}  // namespace basalt::model
