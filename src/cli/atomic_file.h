#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::cli {

// Writes a file that only its owner may read (mode 0600), so that no reader ever sees a part of it
// or another mode: a temporary file beside it is renamed.
Result<void> WritePrivateFile(const std::string& path, std::string_view contents);

}  // namespace basalt::cli
