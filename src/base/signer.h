#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace basalt {

// Makes tags that cannot be made without its key (net/hmac_signer.h). Used by one thread; outlives
// what seals with it.
class Signer {
 public:
  virtual ~Signer() = default;
  virtual std::string Sign(std::string_view text) const = 0;
};

// Text that is kept where others may write, with a tag that proves that its writer had the key:
// "content.tag". It holds for one purpose and one owner, an object's uid: it cannot be moved
// elsewhere.
std::string Seal(const Signer& signer, std::string_view purpose, std::string_view owner,
                 std::string_view content);
// The content; nothing: the text was written without the key, or for another purpose or owner.
std::optional<std::string_view> Unseal(const Signer& signer, std::string_view purpose,
                                       std::string_view owner, std::string_view sealed);
// What the text gives as its content; the tag is not checked. Nothing: it is no such text.
std::optional<std::string_view> SealedContent(std::string_view sealed);

}  // namespace basalt
