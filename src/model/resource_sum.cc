#include "model/resource_sum.h"

#include <algorithm>

namespace basalt::model {

std::vector<Int128>& ResourceSum::Integers(int bound) {
  if (!integers_) integers_ = std::make_unique<std::vector<Int128>>();
  for (int d = static_cast<int>(integers_->size()); d < std::max(value_.bound(), bound); ++d) {
    integers_->push_back(static_cast<Int128>(value_[d]));
  }
  return *integers_;
}

void ResourceSum::ChangeIntegers(const Amounts& item, int sign) {
  std::vector<Int128>& integers = Integers(item.bound());
  ForEachDimension(item.defined(), [&](int d) {
    if (d >= item.bound()) return;
    integers[d] += sign * static_cast<Int128>(item[d]);
    value_.Set(d, static_cast<double>(integers[d]));
  });
}

void ResourceSum::AddSum(const ResourceSum& other) {
  if (!other.integers_) return Add(other.value_);
  std::vector<Int128>& integers = Integers(other.value_.bound());
  ForEachDimension(other.value_.defined(), [&](int d) {
    if (d >= other.value_.bound()) return;
    integers[d] += (*other.integers_)[d];
    value_.Set(d, static_cast<double>(integers[d]));
  });
}

}  // namespace basalt::model
