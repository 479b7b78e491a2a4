#pragma once

#include <string>
#include <string_view>

namespace basalt::apiserver {

// What Go's encoding/json says about a text that is not JSON. For a text that is (but that our own
// parser refused: too deep), says so.
std::string GoJsonError(std::string_view text);

}  // namespace basalt::apiserver
