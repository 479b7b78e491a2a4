#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace basalt {

// Makes tags that nobody can make who does not have its key (net/hmac_signer.h).
class Signer {
 public:
  virtual ~Signer() = default;
  virtual std::string Sign(std::string_view text) const = 0;
};

// Text that is kept where others may write, with a tag that says who wrote it: "content.tag". It
// holds for one purpose and one owner, an object's uid: nobody can move it elsewhere.
std::string Seal(const Signer& signer, std::string_view purpose, std::string_view owner,
                 std::string_view content);
// The content; nothing: somebody else wrote it, or wrote it for something else.
std::optional<std::string_view> Unseal(const Signer& signer, std::string_view purpose,
                                       std::string_view owner, std::string_view sealed);
// What it claims to be the content, whoever wrote it; nothing: it is no such text.
std::optional<std::string_view> SealedContent(std::string_view sealed);

}  // namespace basalt
