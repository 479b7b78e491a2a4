#include "net/random_token.h"

#include <openssl/rand.h>

#include <array>

#include "base/check.h"

namespace basalt::net {

std::string RandomToken() {
  std::array<unsigned char, 32> bytes{};
  BASALT_CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kHex[byte >> 4];
    token += kHex[byte & 15];
  }
  return token;
}

}  // namespace basalt::net
