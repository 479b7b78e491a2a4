#include "webhook/authority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::webhook {
namespace {

using testing::HasSubstr;

TEST(ReadAuthorityTest, TheKeyMustBeTheNewestCertificates) {
  const Time now{std::chrono::sys_days{std::chrono::year{2026} / 3 / 4}};
  const auto old = MakeAuthority(now, 240h);
  ASSERT_TRUE(old);
  const auto newest = MakeAuthority(now, 240h, old->bundle_pem);
  ASSERT_TRUE(newest);
  EXPECT_TRUE(ReadAuthority(newest->bundle_pem, newest->newest.key_pem));
  const auto mixed_up = ReadAuthority(newest->bundle_pem, old->newest.key_pem);
  ASSERT_FALSE(mixed_up);
  EXPECT_THAT(mixed_up.error().message, HasSubstr("ca.key"));
  EXPECT_FALSE(ReadAuthority(newest->bundle_pem, "rubbish"));
  EXPECT_FALSE(ReadAuthority(newest->bundle_pem, ""));
}

}  // namespace
}  // namespace basalt::webhook
