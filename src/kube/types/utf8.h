#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace basalt::kube {

// The length of the character that `text` begins with; 0: its first byte belongs to none. `text` is
// not empty.
std::size_t Utf8Length(std::string_view text);

// Puts a '?' in place of every byte that is not part of valid UTF-8; the length stays.
void ReplaceInvalidUtf8(std::span<char> text);

}  // namespace basalt::kube
