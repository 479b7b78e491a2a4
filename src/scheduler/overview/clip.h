#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Texts in an overview that people write, cut: thousands of them are in it. `explain` has them
// whole.
namespace basalt::scheduler::overview {

// Of what the API server takes as a name; an annotation may name a group or a queue by more.
inline constexpr std::size_t kLongestName = 253;
inline constexpr std::size_t kLongestReason = 100;
inline constexpr std::size_t kLongestMessage = 1000;

// At most so many bytes and a sign that there was more, never a part of a character.
inline std::string Clip(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

inline std::string ClipName(std::string_view name) { return Clip(name, kLongestName); }

}  // namespace basalt::scheduler::overview
