#include "net/hmac_signer.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>

#include "base/check.h"
#include "net/openssl_ptr.h"

namespace basalt::net {
namespace {

using MacPtr = std::unique_ptr<EVP_MAC, OpensslDelete<EVP_MAC_free>>;
using MacContextPtr = std::unique_ptr<EVP_MAC_CTX, OpensslDelete<EVP_MAC_CTX_free>>;

}  // namespace

// Keyed once: most of what a tag of a short text costs is the key.
struct HmacSigner::Context {
  MacContextPtr mac;
};

HmacSigner::HmacSigner(std::string_view key) : context_(std::make_unique<Context>()) {
  const MacPtr algorithm(EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr));
  BASALT_CHECK(algorithm != nullptr);
  context_->mac.reset(EVP_MAC_CTX_new(algorithm.get()));
  BASALT_CHECK(context_->mac != nullptr);
  SetKey(key);
}

HmacSigner::~HmacSigner() = default;

void HmacSigner::SetKey(std::string_view key) {
  char digest[] = "SHA256";
  const std::array<OSSL_PARAM, 2> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end()};
  BASALT_CHECK(!key.empty());
  BASALT_CHECK(EVP_MAC_init(context_->mac.get(), reinterpret_cast<const unsigned char*>(key.data()),
                            key.size(), parameters.data()) == 1);
}

std::string HmacSigner::Sign(std::string_view text) const {
  EVP_MAC_CTX* mac = context_->mac.get();
  std::array<unsigned char, 32> tag{};
  std::size_t length = 0;
  BASALT_CHECK(EVP_MAC_init(mac, nullptr, 0, nullptr) == 1);
  BASALT_CHECK(
      EVP_MAC_update(mac, reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1);
  BASALT_CHECK(EVP_MAC_final(mac, tag.data(), &length, tag.size()) == 1);
  return {reinterpret_cast<const char*>(tag.data()), length};
}

}  // namespace basalt::net
