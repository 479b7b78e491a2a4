#include "simnode/address_pool.h"

#include <gtest/gtest.h>

namespace basalt::simnode {
namespace {

TEST(AddressPoolTest, GivesOutEveryAddressOnceAndReusesLate) {
  AddressPool pool("10.0.0.1", 2);
  pool.MarkUsed("10.0.0.2");
  pool.MarkUsed("not an address");
  EXPECT_EQ(pool.Take(), "10.0.0.1");
  pool.Release("10.0.0.1");
  EXPECT_EQ(pool.Take(), "10.0.0.3");
  EXPECT_EQ(pool.Take(), "10.0.0.4");
  EXPECT_EQ(pool.Take(), "10.0.0.1");
  EXPECT_EQ(pool.Take(), "");
  pool.Release("10.0.0.3");
  EXPECT_EQ(pool.Take(), "10.0.0.3");
}

}  // namespace
}  // namespace basalt::simnode
