#include "net/rsa_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/encoder.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <vector>

#include "base/base64.h"
#include "net/openssl_ptr.h"

namespace basalt::net {
namespace {

using EncoderPtr = std::unique_ptr<OSSL_ENCODER_CTX, OpensslDelete<OSSL_ENCODER_CTX_free>>;
using NumberPtr = std::unique_ptr<BIGNUM, OpensslDelete<BN_free>>;

std::unexpected<Error> KeyError() {
  return Fail(ErrorCode::kInternal, "making an RSA key: " + TakeOpensslError());
}

// A length in four bytes, then the bytes.
void AppendField(std::string& out, std::string_view bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += static_cast<char>((bytes.size() >> shift) & 0xff);
  }
  out += bytes;
}

// A positive number; a leading zero keeps it so.
std::string NumberBytes(const BIGNUM* number) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(BN_num_bytes(number)));
  BN_bn2bin(number, bytes.data());
  std::string text(bytes.begin(), bytes.end());
  if (!bytes.empty() && (bytes[0] & 0x80) != 0) text.insert(text.begin(), '\0');
  return text;
}

NumberPtr Part(const EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &number) != 1) return nullptr;
  return NumberPtr(number);
}

}  // namespace

Result<RsaKeyPair> NewRsaKey() {
  const KeyPtr key(EVP_RSA_gen(2048u));
  if (!key) return KeyError();
  const EncoderPtr encoder(OSSL_ENCODER_CTX_new_for_pkey(key.get(), OSSL_KEYMGMT_SELECT_ALL, "PEM",
                                                         "type-specific", nullptr));
  unsigned char* data = nullptr;
  std::size_t size = 0;
  if (!encoder || OSSL_ENCODER_to_data(encoder.get(), &data, &size) != 1) return KeyError();
  RsaKeyPair pair{.private_key = std::string(data, data + size)};
  OPENSSL_free(data);
  const NumberPtr modulus = Part(key.get(), OSSL_PKEY_PARAM_RSA_N);
  const NumberPtr exponent = Part(key.get(), OSSL_PKEY_PARAM_RSA_E);
  if (!modulus || !exponent) return KeyError();
  std::string blob;
  AppendField(blob, "ssh-rsa");
  AppendField(blob, NumberBytes(exponent.get()));
  AppendField(blob, NumberBytes(modulus.get()));
  pair.public_key = "ssh-rsa " + Base64Encode(blob) + "\n";
  return pair;
}

}  // namespace basalt::net
