#pragma once

#include <span>

namespace basalt::kube {

// Puts a '?' in place of every byte that is not part of valid UTF-8; the length stays.
void ReplaceInvalidUtf8(std::span<char> text);

}  // namespace basalt::kube
