#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace basalt {

// Standard base64 with padding, as Kubernetes writes bytes in JSON.
std::string Base64Encode(std::string_view bytes);
// Line ends are passed over, as Go does. Nothing: it is not base64.
std::optional<std::string> Base64Decode(std::string_view text);

}  // namespace basalt
