#include "model/resource_sum.h"

#include <gtest/gtest.h>

namespace basalt::model {
namespace {

constexpr int kSumGpu = 3;

Amounts WithGpu(double milli_cpu, double gpu) {
  Amounts amounts(milli_cpu, 0);
  amounts.Set(kSumGpu, gpu);
  return amounts;
}

TEST(ResourceSumTest, ADimensionIsDefinedWhileAnItemThatDefinesItIsIn) {
  ResourceSum sum;
  sum.Add(Amounts(1000, 1));
  EXPECT_FALSE(sum.value().Defines(kSumGpu));
  sum.Add(WithGpu(1, 0));
  EXPECT_TRUE(sum.value().Defines(kSumGpu)) << "nothing of it is something else than not a word";
  sum.Add(WithGpu(1, 5));
  sum.Remove(WithGpu(1, 0));
  EXPECT_EQ(sum.value()[kSumGpu], 5);
  sum.Remove(WithGpu(1, 5));
  EXPECT_FALSE(sum.value().Defines(kSumGpu));
  EXPECT_EQ(sum.value(), Amounts(1000, 1));
}

// Doubles lose the ones beside an amount beyond 2^53; what comes out must be as if it never came.
TEST(ResourceSumTest, WhatIsTooLargeForADoubleLeavesNoTrace) {
  for (const double huge : {0x1p51, 0x1p53 + 2, 0x1p62, 9e18}) {
    ResourceSum sum;
    sum.Add(WithGpu(3, 7));
    sum.Add(WithGpu(huge, huge));
    sum.Add(WithGpu(1, 1));
    EXPECT_EQ(sum.value().milli_cpu(), huge + 4);
    sum.Remove(WithGpu(huge, huge));
    EXPECT_EQ(sum.value(), WithGpu(4, 8)) << huge;
    sum.Remove(WithGpu(3, 7));
    sum.Remove(WithGpu(1, 1));
    EXPECT_EQ(sum.value().milli_cpu(), 0) << huge;
    EXPECT_FALSE(sum.value().Defines(kSumGpu)) << huge;
  }
}

TEST(ResourceSumTest, ManyThatAreSmallEnoughAddUpToWhatIsNot) {
  ResourceSum sum;
  const double item = 0x1p51 - 1;
  for (int i = 0; i < 9; ++i) sum.Add(Amounts(item, 1));
  EXPECT_EQ(sum.value().milli_cpu(), static_cast<double>(9 * static_cast<Int128>(item)));
  for (int i = 0; i < 8; ++i) sum.Remove(Amounts(item, 1));
  EXPECT_EQ(sum.value(), Amounts(item, 1));
}

TEST(ResourceSumTest, ADimensionThatComesAfterALargeAmountIsCountedToo) {
  ResourceSum sum;
  sum.Add(Amounts(0x1p60, 0));
  sum.Add(WithGpu(1, 5));
  EXPECT_EQ(sum.value()[kSumGpu], 5);
  sum.Remove(Amounts(0x1p60, 0));
  EXPECT_EQ(sum.value(), WithGpu(1, 5));
}

TEST(ResourceSumTest, AnAmountOfOneThingAloneMayBeLarge) {
  Amounts cpu;
  cpu.Set(kCpu, 0x1p60);
  ResourceSum sum, all;
  sum.Add(cpu);
  all.AddSum(sum);
  EXPECT_EQ(all.value(), Amounts(0x1p60, 0));
  sum.Remove(cpu);
  EXPECT_EQ(sum.value(), Amounts());
}

TEST(ResourceSumTest, SumsOfSumsAreExactToo) {
  ResourceSum small, large, all;
  small.Add(WithGpu(1, 2));
  large.Add(Amounts(0x1p60, 3));
  large.Add(Amounts(1, 0));
  all.AddSum(small);
  EXPECT_EQ(all.value(), WithGpu(1, 2));
  all.AddSum(large);
  all.AddSum(small);
  all.AddSum(large);
  EXPECT_EQ(all.value()[kSumGpu], 4);
  EXPECT_EQ(all.value().memory(), 6);
  all.Remove(Amounts(0x1p60, 0));
  all.Remove(Amounts(0x1p60, 0));
  EXPECT_EQ(all.value().milli_cpu(), 4) << "no one is lost in the large ones";
}

}  // namespace
}  // namespace basalt::model
