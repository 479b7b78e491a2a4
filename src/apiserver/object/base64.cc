#include "apiserver/object/base64.h"

#include <algorithm>

#include "base/base64.h"

namespace basalt::apiserver {

std::string Base64UrlEncode(std::string_view bytes) {
  std::string text = Base64Encode(bytes);
  std::erase(text, '=');
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

std::optional<std::string> Base64UrlDecode(std::string_view text) {
  if (text.find_first_of("+/=\r\n") != text.npos) return std::nullopt;
  std::string standard(text);
  std::ranges::replace(standard, '-', '+');
  std::ranges::replace(standard, '_', '/');
  standard.append((4 - text.size() % 4) % 4, '=');
  return Base64Decode(standard);
}

}  // namespace basalt::apiserver
