#include "simnode/address_pool.h"

#include <arpa/inet.h>

#include <optional>

#include "base/check.h"

namespace basalt::simnode {
namespace {

std::optional<std::uint32_t> ToNumber(std::string_view address) {
  in_addr parsed{};
  if (inet_pton(AF_INET, std::string(address).c_str(), &parsed) != 1) return std::nullopt;
  return ntohl(parsed.s_addr);
}

std::string ToText(std::uint32_t number) {
  const in_addr address{htonl(number)};
  char text[INET_ADDRSTRLEN];
  return inet_ntop(AF_INET, &address, text, sizeof text);
}

}  // namespace

AddressPool::AddressPool(std::string_view first, int bits) : size_(std::uint32_t{1} << bits) {
  const auto number = ToNumber(first);
  BASALT_CHECK(number.has_value());
  first_ = *number;
}

std::string AddressPool::Take() {
  for (std::uint32_t tried = 0; tried < size_; ++tried) {
    const std::uint32_t address = first_ + next_;
    next_ = (next_ + 1) % size_;
    if (used_.insert(address).second) return ToText(address);
  }
  return {};
}

void AddressPool::MarkUsed(std::string_view address) {
  if (const auto number = ToNumber(address)) used_.insert(*number);
}

void AddressPool::Release(std::string_view address) {
  if (const auto number = ToNumber(address)) used_.erase(*number);
}

}  // namespace basalt::simnode
