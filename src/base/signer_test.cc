#include "base/signer.h"

#include <gtest/gtest.h>

#include "testing/test_signer.h"

namespace basalt {
namespace {

using testutil::TestSigner;

TEST(SealTest, IsOpenedByTheSameKeyForTheSamePurposeAndOwner) {
  const TestSigner signer(1);
  const std::string sealed = Seal(signer, "queue", "uid-1", "team.a");
  EXPECT_EQ(SealedContent(sealed), "team.a");
  EXPECT_EQ(Unseal(signer, "queue", "uid-1", sealed), "team.a");
  EXPECT_EQ(Unseal(signer, "queue", "uid-2", sealed), std::nullopt) << "another pod's";
  EXPECT_EQ(Unseal(signer, "evictions", "uid-1", sealed), std::nullopt) << "for something else";
  EXPECT_EQ(Unseal(signer, "queueu", "id-1", sealed), std::nullopt) << "the parts moved";
  EXPECT_EQ(Unseal(TestSigner(2), "queue", "uid-1", sealed), std::nullopt) << "another key";
}

TEST(SealTest, OtherTextIsNotOpened) {
  const TestSigner signer(1);
  const std::string sealed = Seal(signer, "queue", "uid-1", "a");
  std::string changed = sealed;
  changed[0] = 'b';
  for (const std::string& text :
       {changed, std::string(), std::string("a"), sealed + "A", sealed.substr(0, sealed.size() - 1),
        std::string(".AAAAAAAAAAAAAAAAAAAAAA"), std::string(23, 'x')}) {
    EXPECT_EQ(Unseal(signer, "queue", "uid-1", text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace basalt
