#include "apiserver/admission/service_addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

constexpr std::uint32_t kFirst = (10u << 24) | (104u << 16);  // 10.104.0.0
constexpr std::uint32_t kLast = (10u << 24) | (111u << 16) | 0xffffu;

std::optional<std::uint32_t> ParseAddress(std::string_view text) {
  std::uint32_t address = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (!text.starts_with('.')) return std::nullopt;
      text.remove_prefix(1);
    }
    std::uint8_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    address = address << 8 | number;
  }
  return text.empty() ? std::optional(address) : std::nullopt;
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
