#pragma once

#include <fmt/core.h>

#include <string_view>

#include "base/error.h"

namespace basalt::cli {

inline std::unexpected<Error> BadFlag(std::string_view flag, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", flag, why));
}

}  // namespace basalt::cli
