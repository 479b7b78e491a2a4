#pragma once

#include <string_view>

namespace basalt::cli {

// "0.2.0" of the tag v0.2.0; "0.2.0-3-gabc1234" three commits later; "0.1.0+gabc1234" before the
// first tag; "0.1.0" where it was not built from a repository.
std::string_view Version();

}  // namespace basalt::cli
