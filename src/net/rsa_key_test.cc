#include "net/rsa_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "net/openssl_ptr.h"

namespace basalt::net {
namespace {

using testing::StartsWith;

TEST(RsaKey, IsOneThatSshTakes) {
  const Result<RsaKeyPair> pair = NewRsaKey();
  ASSERT_TRUE(pair) << pair.error().message;
  EXPECT_THAT(pair->private_key, StartsWith("-----BEGIN RSA PRIVATE KEY-----\n"));
  const KeyPtr key = ParseKey(pair->private_key);
  ASSERT_TRUE(key);
  EXPECT_EQ(EVP_PKEY_get_bits(key.get()), 2048);
  // Every public RSA key of 2048 bits with the usual exponent begins like this.
  EXPECT_THAT(pair->public_key, StartsWith("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ"));
  EXPECT_NE(NewRsaKey()->public_key, pair->public_key);
}

}  // namespace
}  // namespace basalt::net
