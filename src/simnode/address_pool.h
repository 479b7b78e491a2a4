#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::simnode {

// IPv4 addresses that look real and are unique among those in use. Nothing listens on them. Given
// out in turn, so that an address is used again as late as possible. A member of its owner; loop
// thread only.
class AddressPool {
 public:
  // Of a block of 2^bits addresses from `first` on ("10.1.0.1").
  AddressPool(std::string_view first, int bits);

  // Empty: all are in use.
  std::string Take();
  // An address that an object has already, perhaps from elsewhere.
  void MarkUsed(std::string_view address);
  void Release(std::string_view address);

 private:
  std::uint32_t first_;
  std::uint32_t size_;
  std::uint32_t next_ = 0;
  boost::unordered_flat_set<std::uint32_t> used_;
};

}  // namespace basalt::simnode
