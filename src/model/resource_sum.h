#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/amounts.h"
#include "model/exact.h"

namespace basalt::model {

// A sum of resources in whole numbers that items enter and leave in any order. A dimension is
// defined while an item that defines it is in, and amounts are exact (see exact.h), so that leaving
// restores the sum bit for bit. A member of its owner, on the owner's thread.
class ResourceSum {
 public:
  const Amounts& value() const { return value_; }
  operator const Amounts&() const { return value_; }

  void Add(const Amounts& item) {
    if (StaysExact(item, +1)) {
      value_.Add(item);
    } else {
      ChangeIntegers(item, +1);
    }
    ForEachDimension(item.scalars(), [&](int d) {
      if (static_cast<std::size_t>(d) >= defining_.size()) defining_.resize(d + 1, 0);
      ++defining_[d];
    });
  }
  // All that is in the other sum; for sums from which nothing leaves.
  void AddSum(const ResourceSum& other);
  void Remove(const Amounts& item) {
    if (StaysExact(item, -1)) {
      value_.Sub(item);
    } else {
      ChangeIntegers(item, -1);
    }
    ForEachDimension(item.scalars(), [&](int d) {
      if (--defining_[d] == 0) value_.Undefine(d);
    });
  }

 private:
  bool StaysExact(const Amounts& item, double sign) const {
    bool exact = integers_ == nullptr;
    for (int d = 0; d < item.bound(); ++d) {
      exact &= IsExact(item[d]) & IsExact(value_[d] + sign * item[d]);
    }
    return exact;
  }
  void ChangeIntegers(const Amounts& item, int sign);
  // `integers_`, with room for so many dimensions.
  std::vector<Int128>& Integers(int bound);

  Amounts value_;
  boost::container::small_vector<std::uint32_t, 4> defining_;
  // The sum by dimension, once the doubles cannot say it; nullptr until then.
  std::unique_ptr<std::vector<Int128>> integers_;
};

}  // namespace basalt::model
