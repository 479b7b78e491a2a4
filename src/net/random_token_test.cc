#include "net/random_token.h"

#include <gtest/gtest.h>

namespace basalt::net {
namespace {

TEST(RandomTokenTest, TokensAreLongAndDiffer) {
  EXPECT_EQ(RandomToken().size(), 64u);
  EXPECT_NE(RandomToken(), RandomToken());
}

}  // namespace
}  // namespace basalt::net
