#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace basalt::kube {

// A whole decimal number with an optional sign and nothing else, as Go's strconv.ParseInt reads it.
inline std::optional<std::int64_t> ParseInt64(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace basalt::kube
