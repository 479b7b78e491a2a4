#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "model/resource.h"

namespace basalt::model {

// A sum of resources that items enter and leave in any order. A dimension is defined while an item
// that defines it is in, so that leaving restores the sum bit for bit.
class ResourceSum {
 public:
  const Resource& value() const { return value_; }
  operator const Resource&() const { return value_; }

  void Add(const Resource& item) {
    value_.Add(item);
    ForEachDimension(item.scalars(), [&](int d) {
      if (static_cast<std::size_t>(d) >= defining_.size()) defining_.resize(d + 1, 0);
      ++defining_[d];
    });
  }
  void Remove(const Resource& item) {
    value_.Sub(item);
    ForEachDimension(item.scalars(), [&](int d) {
      if (--defining_[d] == 0) value_.Undefine(d);
    });
  }

 private:
  Resource value_;
  boost::container::small_vector<std::uint32_t, 4> defining_;
};

}  // namespace basalt::model
