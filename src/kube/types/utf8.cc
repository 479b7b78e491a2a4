#include "kube/types/utf8.h"

#include <cstdint>

namespace basalt::kube {

std::size_t Utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Longer than need be, a half of a surrogate pair, past the last character there is.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) >= 0xa0) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) >= 0x90) return 0;
  return length;
}

void ReplaceInvalidUtf8(std::span<char> text) {
  while (!text.empty()) {
    std::size_t length = Utf8Length({text.data(), text.size()});
    if (length == 0) {
      text[0] = '?';
      length = 1;
    }
    text = text.subspan(length);
  }
}

}  // namespace basalt::kube
