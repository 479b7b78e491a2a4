#include "model/amounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace basalt::model {
namespace {

constexpr DimensionSet kStandard = Bit(kCpu) | Bit(kMemory);

// The dimensions in which `request` asks for something, "pods" left out.
DimensionSet Asked(const Amounts& request) {
  DimensionSet asked = 0;
  ForEachDimension(request.defined() & ~Bit(kPods), [&](int d) {
    if (request[d] > 0) asked |= Bit(d);
  });
  return asked;
}

}  // namespace

void Amounts::Set(int dimension, double amount) {
  if (static_cast<std::size_t>(dimension) >= amounts_.size()) amounts_.resize(dimension + 1, 0.0);
  amounts_[dimension] = amount;
  scalars_ |= Bit(dimension) & ~kStandard;
}

void Amounts::Undefine(int dimension) {
  if (dimension < bound()) amounts_[dimension] = 0;
  scalars_ &= ~Bit(dimension);
}

Amounts& Amounts::Add(const Amounts& other) {
  if (other.amounts_.size() > amounts_.size()) amounts_.resize(other.amounts_.size(), 0.0);
  for (std::size_t d = 0; d < other.amounts_.size(); ++d) amounts_[d] += other.amounts_[d];
  scalars_ |= other.scalars_;
  return *this;
}

Amounts& Amounts::Sub(const Amounts& other) {
  if (amounts_.size() < 2) amounts_.resize(2, 0.0);
  amounts_[kCpu] -= other[kCpu];
  amounts_[kMemory] -= other[kMemory];
  if (scalars_ == 0) return *this;
  if (other.amounts_.size() > amounts_.size()) amounts_.resize(other.amounts_.size(), 0.0);
  for (std::size_t d = 2; d < other.amounts_.size(); ++d) amounts_[d] -= other.amounts_[d];
  scalars_ |= other.scalars_;
  return *this;
}

Amounts& Amounts::Scale(double factor) {
  for (double& amount : amounts_) amount *= factor;
  return *this;
}

Amounts& Amounts::RaiseTo(const Amounts& other) {
  ForEachDimension(other.defined(),
                   [&](int d) { Set(d, Defines(d) ? std::max((*this)[d], other[d]) : other[d]); });
  return *this;
}

Amounts& Amounts::LowerTo(const Amounts& other, Undefined undefined) {
  ForEachDimension(defined(), [&](int d) {
    if (other.Defines(d)) {
      Set(d, std::min((*this)[d], other[d]));
    } else if (undefined == Undefined::kZero) {
      Set(d, 0);
    }
  });
  return *this;
}

bool Amounts::IsEmpty() const { return (NonZero() & ~Bit(kPods)) == 0; }

DimensionSet Amounts::NonZero() const {
  DimensionSet result = 0;
  for (int d = 0; d < bound(); ++d) {
    if (amounts_[d] >= kEpsilon) result |= Bit(d);
  }
  return result;
}

bool Amounts::Less(const Amounts& other, Undefined undefined) const {
  if (!(milli_cpu() < other.milli_cpu()) || !(memory() < other.memory())) return false;
  DimensionSet compared = scalars_;
  if (undefined == Undefined::kInfinity) {
    if (other.scalars_ & ~scalars_) return false;
    compared &= other.scalars_;
  }
  bool less = true;
  ForEachDimension(compared, [&](int d) { less = less && (*this)[d] < other[d]; });
  return less;
}

bool Amounts::LessEqual(const Amounts& other, Undefined undefined) const {
  if (undefined == Undefined::kInfinity && (other.scalars_ & ~scalars_)) return false;
  return Exceeding(other, undefined) == 0;
}

DimensionSet Amounts::Exceeding(const Amounts& other, Undefined undefined) const {
  DimensionSet compared = defined();
  if (undefined == Undefined::kInfinity) compared &= other.defined();
  DimensionSet exceeding = 0;
  ForEachDimension(compared, [&](int d) {
    if (!AtMost((*this)[d], other[d])) exceeding |= Bit(d);
  });
  return exceeding;
}

bool Amounts::Equal(const Amounts& other) const {
  bool equal = true;
  ForEachDimension(defined(),
                   [&](int d) { equal = equal && std::abs((*this)[d] - other[d]) < kEpsilon; });
  return equal;
}

bool Amounts::LessPartly(const Amounts& other, Undefined undefined) const {
  if (milli_cpu() < other.milli_cpu() || memory() < other.memory()) return true;
  if (undefined == Undefined::kZero && (other.scalars_ & ~scalars_)) return true;
  if (undefined == Undefined::kInfinity && (scalars_ & ~other.scalars_)) return true;
  bool less = false;
  ForEachDimension(scalars_, [&](int d) { less = less || (*this)[d] < other[d]; });
  return less;
}

bool Amounts::LessEqualPartly(const Amounts& other, Undefined undefined) const {
  if (AtMost(milli_cpu(), other.milli_cpu()) || AtMost(memory(), other.memory())) return true;
  if (undefined == Undefined::kZero && (other.scalars_ & ~scalars_)) return true;
  if (undefined == Undefined::kInfinity && (scalars_ & ~other.scalars_)) return true;
  bool less = false;
  ForEachDimension(scalars_, [&](int d) { less = less || AtMost((*this)[d], other[d]); });
  return less;
}

DimensionSet Amounts::ExceedingAlong(const Amounts& other, const Amounts& request) const {
  const DimensionSet greater = GreaterAlong(other, request);
  return scalars_ == 0 ? greater & kStandard : greater;
}

DimensionSet Amounts::GreaterAlong(const Amounts& other, const Amounts& request) const {
  DimensionSet greater = 0;
  ForEachDimension(Asked(request), [&](int d) {
    if ((*this)[d] > other[d]) greater |= Bit(d);
  });
  return greater;
}

DimensionSet Amounts::GreaterAlongRelevant(const Amounts& other, const Amounts& request) const {
  DimensionSet relevant = other.scalars_;
  for (int d : {kCpu, kMemory}) {
    if (!other.IsZero(d)) relevant |= Bit(d);
  }
  return GreaterAlong(other, request) & relevant;
}

DimensionSet Amounts::FittingAlong(const Amounts& other, const Amounts& request) const {
  DimensionSet fitting = 0;
  ForEachDimension(Asked(request), [&](int d) {
    if (AtMost((*this)[d], other[d])) fitting |= Bit(d);
  });
  return fitting;
}

DimensionSet Amounts::FittingAlongNonZero(const Amounts& other, const Amounts& request) const {
  return FittingAlong(other, request) & (NonZero() | other.NonZero());
}

std::pair<Amounts, Amounts> Amounts::Diff(const Amounts& other, Undefined undefined) const {
  const double missing = undefined == Undefined::kZero ? 0 : -1;
  Amounts more, less;
  ForEachDimension(defined() | other.defined(), [&](int d) {
    const double left = Defines(d) ? (*this)[d] : missing;
    const double right = other.Defines(d) ? other[d] : missing;
    if (d > kMemory && left == -1) {
      more.Set(d, left);
    } else if (d > kMemory && right == -1) {
      less.Set(d, right);
    } else if (left > right) {
      more.Set(d, left - right);
    } else {
      less.Set(d, right - left);
    }
  });
  return {std::move(more), std::move(less)};
}

std::string Amounts::ToString(const model::Dimensions& dimensions) const {
  std::string text = fmt::format("cpu {:.2f}, memory {:.2f}", milli_cpu(), memory());
  for (const std::string& name : dimensions.Names(scalars_)) {
    text += fmt::format(", {} {:.2f}", name, (*this)[*dimensions.Find(name)]);
  }
  return text;
}

bool Amounts::operator==(const Amounts& other) const {
  if (scalars_ != other.scalars_) return false;
  for (int d = 0; d < std::max(bound(), other.bound()); ++d) {
    if ((*this)[d] != other[d]) return false;
  }
  return true;
}

Amounts ExceededPart(const Amounts& left, const Amounts& right) {
  return left.Diff(right, Undefined::kZero).first;
}

double DominantShare(const Amounts& allocated, const Amounts& total) {
  double largest = 0;
  ForEachDimension(total.NonZero(),
                   [&](int d) { largest = std::max(largest, allocated[d] / total[d]); });
  return largest;
}

}  // namespace basalt::model
