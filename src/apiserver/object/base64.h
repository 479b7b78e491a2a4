#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace basalt::apiserver {

// The URL alphabet, without padding.
std::string Base64UrlEncode(std::string_view bytes);
// nullopt: not base64.
std::optional<std::string> Base64UrlDecode(std::string_view text);

}  // namespace basalt::apiserver
