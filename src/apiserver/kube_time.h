#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace basalt::apiserver {

// Reads what FormatTime writes: RFC 3339 in UTC, whole seconds.
std::optional<Time> ParseTime(std::string_view text);

}  // namespace basalt::apiserver
