#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::kube {

// The whole file, if it has at most `limit` bytes. The message names the file.
Result<std::string> ReadFile(const std::string& path, std::size_t limit = 8 * 1024 * 1024);

// Without the white space at both ends: files of one word often end with a line end.
std::string_view TrimSpace(std::string_view text);

}  // namespace basalt::kube
