#include "net/hmac_signer.h"

#include <gtest/gtest.h>

namespace basalt::net {
namespace {

std::string Hex(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kHex[static_cast<unsigned char>(c) >> 4];
    text += kHex[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

// RFC 4231, test cases 2 and 6.
TEST(HmacSignerTest, TagsAreThoseOfTheStandard) {
  HmacSigner signer("Jefe");
  const char* expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  EXPECT_EQ(Hex(signer.Sign("what do ya want for nothing?")), expected);
  EXPECT_EQ(Hex(signer.Sign("what do ya want for nothing?")), expected) << "again";
  signer.SetKey(std::string(131, '\xaa'));
  EXPECT_EQ(Hex(signer.Sign("Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace basalt::net
