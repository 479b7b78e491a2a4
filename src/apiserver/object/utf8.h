#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace basalt::apiserver {

// The length of the character that `text` begins with; 0: none, its first byte belongs to no
// character. `text` is not empty.
std::size_t Utf8Length(std::string_view text);

bool IsValidUtf8(std::string_view text);

// Each byte that belongs to no character replaced by U+FFFD, as Go's JSON decoder does it.
std::string ValidUtf8(std::string_view text);

}  // namespace basalt::apiserver
