#include "model/dimensions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace basalt::model {
namespace {

std::string NthName(int i) { return fmt::format("example.com/r{}", i); }

TEST(DimensionsTest, CpuMemoryAndPodsAlwaysHaveTheirNumbers) {
  Dimensions dimensions;
  EXPECT_EQ(dimensions.Find("cpu"), kCpu);
  EXPECT_EQ(dimensions.Find("memory"), kMemory);
  EXPECT_EQ(dimensions.Find("pods"), kPods);
  EXPECT_EQ(dimensions.size(), 3);
  EXPECT_FALSE(dimensions.has_new()) << "they are no news";
  EXPECT_EQ(dimensions.unoffered(), 0u);
  EXPECT_EQ(dimensions.Find("nvidia.com/gpu"), std::nullopt);
}

TEST(DimensionsTest, ANameKeepsItsNumberUntilTheLastWhoOffersItIsGoneAndThatIsSettled) {
  Dimensions dimensions;
  const std::optional<int> gpu = dimensions.Offer("gpu");
  ASSERT_EQ(gpu, 3);
  EXPECT_TRUE(dimensions.has_new());
  EXPECT_EQ(dimensions.Offer("gpu"), gpu) << "a second node has it too";
  dimensions.HideUnoffered();
  EXPECT_FALSE(dimensions.has_new());

  dimensions.Offer("cpu");
  dimensions.Withdraw(Bit(kCpu) | Bit(*gpu));
  EXPECT_EQ(dimensions.unoffered(), 0u) << "one still has it";
  dimensions.Withdraw(Bit(*gpu));
  EXPECT_EQ(dimensions.unoffered(), Bit(*gpu));
  EXPECT_EQ(dimensions.Find("gpu"), gpu) << "not yet settled";
  dimensions.HideUnoffered();
  EXPECT_EQ(dimensions.Find("gpu"), std::nullopt);
  EXPECT_EQ(dimensions.name(*gpu), "gpu") << "amounts still refer to it";
  dimensions.Free();
  EXPECT_EQ(dimensions.unoffered(), 0u);
  EXPECT_EQ(dimensions.name(*gpu), "");
}

TEST(DimensionsTest, ANameThatIsOfferedAgainBeforeThatIsSettledWasNeverGone) {
  Dimensions dimensions;
  const int gpu = *dimensions.Offer("gpu");
  dimensions.HideUnoffered();
  dimensions.Withdraw(Bit(gpu));
  EXPECT_EQ(dimensions.Offer("gpu"), gpu);
  EXPECT_EQ(dimensions.unoffered(), 0u);
  EXPECT_FALSE(dimensions.has_new());
  dimensions.HideUnoffered();
  EXPECT_EQ(dimensions.Find("gpu"), gpu);
}

TEST(DimensionsTest, NumbersThatAreFreeAreGivenAgainTheLowestFirst) {
  Dimensions dimensions;
  for (const char* name : {"a", "b", "c"}) dimensions.Offer(name);
  dimensions.HideUnoffered();
  dimensions.Withdraw(Bit(3) | Bit(5));
  dimensions.HideUnoffered();
  dimensions.Free();
  EXPECT_EQ(dimensions.Offer("d"), 3);
  EXPECT_EQ(dimensions.Find("d"), 3);
  EXPECT_EQ(dimensions.name(3), "d");
  EXPECT_EQ(dimensions.Offer("e"), 5);
  EXPECT_EQ(dimensions.Offer("f"), 6);
  EXPECT_EQ(dimensions.size(), 7);
  dimensions.Withdraw(Bit(3));
  EXPECT_EQ(dimensions.unoffered(), Bit(3)) << "who had the number before does not count";
}

TEST(DimensionsTest, WithoutANumberLeftANameIsLeftOutUntilThatIsForgotten) {
  Dimensions dimensions;
  for (int i = 3; i < kMaxDimensions; ++i) EXPECT_EQ(dimensions.Offer(NthName(i)), i);
  EXPECT_FALSE(dimensions.some_uncounted());
  EXPECT_EQ(dimensions.Offer("one.more/x"), std::nullopt);
  EXPECT_TRUE(dimensions.some_uncounted());
  EXPECT_EQ(dimensions.Find("one.more/x"), std::nullopt);
  EXPECT_EQ(dimensions.size(), kMaxDimensions);
  dimensions.HideUnoffered();
  dimensions.Withdraw(Bit(63));
  dimensions.HideUnoffered();
  dimensions.Free();
  dimensions.ForgetUncounted();
  EXPECT_EQ(dimensions.Offer("one.more/x"), 63);
  EXPECT_FALSE(dimensions.some_uncounted());
}

TEST(DimensionsTest, NamesAreSortedAndOnlyThoseThatAreAskedFor) {
  Dimensions dimensions;
  dimensions.Offer("zinc");
  dimensions.Offer("argon");
  EXPECT_EQ(dimensions.Names(Bit(kMemory) | Bit(3) | Bit(4)),
            (std::vector<std::string>{"argon", "memory", "zinc"}));
  EXPECT_TRUE(dimensions.Names(0).empty());
  EXPECT_EQ(dimensions.Names(~DimensionSet{0}).size(), 5u);
}

}  // namespace
}  // namespace basalt::model
