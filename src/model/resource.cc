#include "model/resource.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace basalt::model {
namespace {

constexpr DimensionSet kStandard = Bit(kCpu) | Bit(kMemory);

// The dimensions in which `request` asks for something, "pods" left out.
DimensionSet Asked(const Resource& request) {
  DimensionSet asked = 0;
  ForEachDimension(request.defined() & ~Bit(kPods), [&](int d) {
    if (request[d] > 0) asked |= Bit(d);
  });
  return asked;
}

}  // namespace

void Resource::Set(int dimension, double amount) {
  if (static_cast<std::size_t>(dimension) >= amounts_.size()) amounts_.resize(dimension + 1, 0.0);
  amounts_[dimension] = amount;
  scalars_ |= Bit(dimension) & ~kStandard;
}

void Resource::Undefine(int dimension) {
  if (dimension < bound()) amounts_[dimension] = 0;
  scalars_ &= ~Bit(dimension);
}

Resource& Resource::Add(const Resource& other) {
  if (other.amounts_.size() > amounts_.size()) amounts_.resize(other.amounts_.size(), 0.0);
  for (std::size_t d = 0; d < other.amounts_.size(); ++d) amounts_[d] += other.amounts_[d];
  scalars_ |= other.scalars_;
  return *this;
}

Resource& Resource::Sub(const Resource& other) {
  if (amounts_.size() < 2) amounts_.resize(2, 0.0);
  amounts_[kCpu] -= other[kCpu];
  amounts_[kMemory] -= other[kMemory];
  if (scalars_ == 0) return *this;
  if (other.amounts_.size() > amounts_.size()) amounts_.resize(other.amounts_.size(), 0.0);
  for (std::size_t d = 2; d < other.amounts_.size(); ++d) amounts_[d] -= other.amounts_[d];
  scalars_ |= other.scalars_;
  return *this;
}

Resource& Resource::Scale(double factor) {
  for (double& amount : amounts_) amount *= factor;
  return *this;
}

Resource& Resource::RaiseTo(const Resource& other) {
  ForEachDimension(other.defined(), [&](int d) {
    if (!Defines(d) || other[d] > (*this)[d]) Set(d, other[d]);
  });
  return *this;
}

Resource& Resource::LowerTo(const Resource& other, Undefined undefined) {
  ForEachDimension(defined(), [&](int d) {
    if (other.Defines(d)) {
      if (other[d] < (*this)[d]) Set(d, other[d]);
    } else if (undefined == Undefined::kZero) {
      Set(d, 0);
    }
  });
  return *this;
}

bool Resource::IsEmpty() const { return (NonZero() & ~Bit(kPods)) == 0; }

DimensionSet Resource::NonZero() const {
  DimensionSet result = 0;
  for (int d = 0; d < bound(); ++d) {
    if (amounts_[d] >= kEpsilon) result |= Bit(d);
  }
  return result;
}

bool Resource::Less(const Resource& other, Undefined undefined) const {
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

bool Resource::LessEqual(const Resource& other, Undefined undefined) const {
  if (undefined == Undefined::kInfinity && (other.scalars_ & ~scalars_)) return false;
  return Exceeding(other, undefined) == 0;
}

DimensionSet Resource::Exceeding(const Resource& other, Undefined undefined) const {
  DimensionSet compared = defined();
  if (undefined == Undefined::kInfinity) compared &= other.defined();
  DimensionSet exceeding = 0;
  ForEachDimension(compared, [&](int d) {
    if (!AtMost((*this)[d], other[d])) exceeding |= Bit(d);
  });
  return exceeding;
}

bool Resource::Equal(const Resource& other) const {
  bool equal = true;
  ForEachDimension(defined(),
                   [&](int d) { equal = equal && std::abs((*this)[d] - other[d]) < kEpsilon; });
  return equal;
}

bool Resource::LessPartly(const Resource& other, Undefined undefined) const {
  if (milli_cpu() < other.milli_cpu() || memory() < other.memory()) return true;
  if (undefined == Undefined::kZero && (other.scalars_ & ~scalars_)) return true;
  if (undefined == Undefined::kInfinity && (scalars_ & ~other.scalars_)) return true;
  bool less = false;
  ForEachDimension(scalars_, [&](int d) { less = less || (*this)[d] < other[d]; });
  return less;
}

bool Resource::LessEqualPartly(const Resource& other, Undefined undefined) const {
  if (AtMost(milli_cpu(), other.milli_cpu()) || AtMost(memory(), other.memory())) return true;
  if (undefined == Undefined::kZero && (other.scalars_ & ~scalars_)) return true;
  if (undefined == Undefined::kInfinity && (scalars_ & ~other.scalars_)) return true;
  bool less = false;
  ForEachDimension(scalars_, [&](int d) { less = less || AtMost((*this)[d], other[d]); });
  return less;
}

DimensionSet Resource::ExceedingAlong(const Resource& other, const Resource& request) const {
  const DimensionSet greater = GreaterAlong(other, request);
  return scalars_ == 0 ? greater & kStandard : greater;
}

DimensionSet Resource::GreaterAlong(const Resource& other, const Resource& request) const {
  DimensionSet greater = 0;
  ForEachDimension(Asked(request), [&](int d) {
    if ((*this)[d] > other[d]) greater |= Bit(d);
  });
  return greater;
}

DimensionSet Resource::GreaterAlongRelevant(const Resource& other, const Resource& request) const {
  DimensionSet relevant = other.scalars_;
  for (int d : {kCpu, kMemory}) {
    if (!other.IsZero(d)) relevant |= Bit(d);
  }
  return GreaterAlong(other, request) & relevant;
}

DimensionSet Resource::FittingAlong(const Resource& other, const Resource& request) const {
  DimensionSet fitting = 0;
  ForEachDimension(Asked(request), [&](int d) {
    if (AtMost((*this)[d], other[d])) fitting |= Bit(d);
  });
  return fitting;
}

DimensionSet Resource::FittingAlongNonZero(const Resource& other, const Resource& request) const {
  return FittingAlong(other, request) & (NonZero() | other.NonZero());
}

std::pair<Resource, Resource> Resource::Diff(const Resource& other, Undefined undefined) const {
  const double missing = undefined == Undefined::kZero ? 0 : -1;
  Resource more, less;
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

std::string Resource::ToString(const model::Dimensions& dimensions) const {
  std::string text = fmt::format("cpu {:.2f}, memory {:.2f}", milli_cpu(), memory());
  for (const std::string& name : dimensions.Names(scalars_)) {
    text += fmt::format(", {} {:.2f}", name, (*this)[*dimensions.Find(name)]);
  }
  return text;
}

bool Resource::operator==(const Resource& other) const {
  if (scalars_ != other.scalars_) return false;
  for (int d = 0; d < std::max(bound(), other.bound()); ++d) {
    if ((*this)[d] != other[d]) return false;
  }
  return true;
}

Resource ExceededPart(const Resource& left, const Resource& right) {
  return left.Diff(right, Undefined::kZero).first;
}

}  // namespace basalt::model
