#include "apiserver/admission/service_addresses.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

constexpr std::uint32_t kFirst = (10u << 24) | (104u << 16);  // 10.104.0.0
constexpr std::uint32_t kLast = (10u << 24) | (111u << 16) | 0xffffu;

std::optional<std::uint32_t> ParseAddress(std::string_view text) {
  in_addr address;
  if (inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

}  // namespace

std::string ServiceAddresses::Next(const ObjectReader& objects) {
  if (last_ == 0) {
    last_ = kFirst;
    for (const json::object& service : objects.List("", "services", "")) {
      const auto taken = ParseAddress(GetString(service, {"spec", "clusterIP"}));
      if (taken && *taken >= kFirst && *taken <= kLast) last_ = std::max(last_, *taken);
    }
  }
  last_ = last_ >= kLast ? kFirst + 1 : last_ + 1;  // half a million later: from the beginning
  return fmt::format("{}.{}.{}.{}", last_ >> 24, last_ >> 16 & 255, last_ >> 8 & 255, last_ & 255);
}

}  // namespace basalt::apiserver
