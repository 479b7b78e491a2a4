#include "model/dimensions.h"

#include <algorithm>
#include <bit>

namespace basalt::model {

Dimensions::Dimensions() {
  for (const char* name : {"cpu", "memory", "pods"}) Offer(name);
  has_new_ = false;
}

std::optional<int> Dimensions::Find(std::string_view name) const {
  const auto it = index_.find(std::string(name));
  if (it == index_.end()) return std::nullopt;
  return it->second;
}

std::vector<std::string> Dimensions::Names(DimensionSet dimensions) const {
  std::vector<std::string> names;
  for (int d = 0; d < size(); ++d) {
    if (dimensions & Bit(d)) names.push_back(names_[d]);
  }
  std::ranges::sort(names);
  return names;
}

std::optional<int> Dimensions::Offer(std::string_view name) {
  if (const std::optional<int> known = Find(name)) {
    ++offers_[*known];
    unoffered_ &= ~Bit(*known);
    return known;
  }
  int number = size();
  if (free_ != 0) {
    number = std::countr_zero(free_);
    free_ &= ~Bit(number);
    names_[number] = name;
  } else if (number < kMaxDimensions) {
    names_.emplace_back(name);
  } else {
    some_uncounted_ = true;
    return std::nullopt;
  }
  index_.emplace(name, number);
  offers_[number] = 1;
  has_new_ = true;
  return number;
}

void Dimensions::Withdraw(DimensionSet dimensions) {
  for (; dimensions != 0; dimensions &= dimensions - 1) {
    const int d = std::countr_zero(dimensions);
    if (--offers_[d] == 0) unoffered_ |= Bit(d);
  }
}

void Dimensions::HideUnoffered() {
  has_new_ = false;
  for (DimensionSet left = unoffered_; left != 0; left &= left - 1) {
    index_.erase(names_[std::countr_zero(left)]);
  }
}

void Dimensions::Free() {
  for (DimensionSet left = unoffered_; left != 0; left &= left - 1) {
    names_[std::countr_zero(left)].clear();
  }
  free_ |= unoffered_;
  unoffered_ = 0;
}

}  // namespace basalt::model
