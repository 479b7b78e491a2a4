#include "base/signer.h"

#include <fmt/format.h>

#include "base/base64.h"

namespace basalt {
namespace {

// 128 bits in base64 without padding: pods carry it by the hundred thousand.
constexpr std::size_t kTagBytes = 16;
constexpr std::size_t kTagLength = 22;

std::string TagOf(const Signer& signer, std::string_view purpose, std::string_view owner,
                  std::string_view content) {
  // The lengths keep the parts apart, whatever is in them.
  const std::string text = fmt::format("{} {} {}\n{}{}{}", purpose.size(), owner.size(),
                                       content.size(), purpose, owner, content);
  return Base64Encode(signer.Sign(text).substr(0, kTagBytes)).substr(0, kTagLength);
}

// In a time that does not depend on where they differ.
bool Same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace

std::string Seal(const Signer& signer, std::string_view purpose, std::string_view owner,
                 std::string_view content) {
  return fmt::format("{}.{}", content, TagOf(signer, purpose, owner, content));
}

std::optional<std::string_view> SealedContent(std::string_view sealed) {
  if (sealed.size() <= kTagLength) return std::nullopt;
  const std::size_t end = sealed.size() - kTagLength - 1;
  if (sealed[end] != '.') return std::nullopt;
  return sealed.substr(0, end);
}

std::optional<std::string_view> Unseal(const Signer& signer, std::string_view purpose,
                                       std::string_view owner, std::string_view sealed) {
  const std::optional<std::string_view> content = SealedContent(sealed);
  if (!content) return std::nullopt;
  const std::string_view tag = sealed.substr(content->size() + 1);
  return Same(tag, TagOf(signer, purpose, owner, *content)) ? content : std::nullopt;
}

}  // namespace basalt
