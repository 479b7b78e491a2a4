// Volcano's rules of comparison, in rows of our own: amounts_test.cc has its tables, where they
// are there.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "model/amounts.h"

namespace basalt::model {
namespace {

constexpr int kGpu = 4;

struct CpuMemoryGpu {
  double cpu = 0, memory = 0;
  std::optional<double> gpu;

  Amounts Get() const {
    Amounts amounts(cpu, memory);
    if (gpu) amounts.Set(kGpu, *gpu);
    return amounts;
  }
};
// What is said where a dimension that is not defined is zero, and where it is infinite.
struct Said {
  bool zero, infinity;
};
struct Comparison {
  const char* name;
  CpuMemoryGpu left, right;
  Said less, less_equal, less_partly, less_equal_partly;
};

class AmountsCompareTest : public testing::TestWithParam<Comparison> {};

TEST_P(AmountsCompareTest, HoldsInEveryDimensionOrInSome) {
  const Comparison& row = GetParam();
  const Amounts left = row.left.Get(), right = row.right.Get();
  EXPECT_EQ(left.Less(right, Undefined::kZero), row.less.zero);
  EXPECT_EQ(left.Less(right, Undefined::kInfinity), row.less.infinity);
  EXPECT_EQ(left.LessEqual(right, Undefined::kZero), row.less_equal.zero);
  EXPECT_EQ(left.LessEqual(right, Undefined::kInfinity), row.less_equal.infinity);
  EXPECT_EQ(left.LessPartly(right, Undefined::kZero), row.less_partly.zero);
  EXPECT_EQ(left.LessPartly(right, Undefined::kInfinity), row.less_partly.infinity);
  EXPECT_EQ(left.LessEqualPartly(right, Undefined::kZero), row.less_equal_partly.zero);
  EXPECT_EQ(left.LessEqualPartly(right, Undefined::kInfinity), row.less_equal_partly.infinity);
}

INSTANTIATE_TEST_SUITE_P(Rows, AmountsCompareTest,
                         testing::Values(Comparison{"LessOfBoth",
                                                    {1, 1, {}},
                                                    {2, 2, {}},
                                                    {true, true},
                                                    {true, true},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"LessOfOne",
                                                    {1, 2, {}},
                                                    {2, 2, {}},
                                                    {false, false},
                                                    {true, true},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"LessOfTheOther",
                                                    {2, 1, {}},
                                                    {2, 2, {}},
                                                    {false, false},
                                                    {true, true},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"LessOfOneAndMoreOfTheOther",
                                                    {1, 3, {}},
                                                    {2, 2, {}},
                                                    {false, false},
                                                    {false, false},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"TheSame",
                                                    {2, 2, {}},
                                                    {2, 2, {}},
                                                    {false, false},
                                                    {true, true},
                                                    {false, false},
                                                    {true, true}},
                                         Comparison{"AHairMore",
                                                    {2.05, 2, {}},
                                                    {2, 2, {}},
                                                    {false, false},
                                                    {true, true},
                                                    {false, false},
                                                    {true, true}},
                                         Comparison{"MoreOfBoth",
                                                    {3, 3, {}},
                                                    {2, 2, {}},
                                                    {false, false},
                                                    {false, false},
                                                    {false, false},
                                                    {false, false}},
                                         Comparison{"LessOfAll",
                                                    {1, 1, 1},
                                                    {2, 2, 2},
                                                    {true, true},
                                                    {true, true},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"TheSameGpus",
                                                    {1, 1, 2},
                                                    {2, 2, 2},
                                                    {false, false},
                                                    {true, true},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"MoreGpus",
                                                    {1, 1, 3},
                                                    {2, 2, 2},
                                                    {false, false},
                                                    {false, false},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"MoreOfAll",
                                                    {3, 3, 3},
                                                    {2, 2, 2},
                                                    {false, false},
                                                    {false, false},
                                                    {false, false},
                                                    {false, false}},
                                         Comparison{"MoreButLessGpus",
                                                    {3, 3, 1},
                                                    {2, 2, 2},
                                                    {false, false},
                                                    {false, false},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"MoreButTheSameGpus",
                                                    {3, 3, 2},
                                                    {2, 2, 2},
                                                    {false, false},
                                                    {false, false},
                                                    {false, false},
                                                    {true, true}},
                                         Comparison{"GpusHereAlone",
                                                    {1, 1, 1},
                                                    {2, 2, {}},
                                                    {false, true},
                                                    {false, true},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"NoGpusHereAlone",
                                                    {1, 1, 0},
                                                    {2, 2, {}},
                                                    {false, true},
                                                    {true, true},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"GpusThereAlone",
                                                    {1, 1, {}},
                                                    {2, 2, 1},
                                                    {true, false},
                                                    {true, false},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"MoreButGpusThereAlone",
                                                    {3, 3, {}},
                                                    {2, 2, 1},
                                                    {false, false},
                                                    {false, false},
                                                    {true, false},
                                                    {true, false}},
                                         Comparison{"MoreAndGpusHereAlone",
                                                    {3, 3, 1},
                                                    {2, 2, {}},
                                                    {false, false},
                                                    {false, false},
                                                    {false, true},
                                                    {false, true}},
                                         Comparison{"MoreAndNoGpusHereAlone",
                                                    {3, 3, 0},
                                                    {2, 2, {}},
                                                    {false, false},
                                                    {false, false},
                                                    {false, true},
                                                    {true, true}},
                                         Comparison{"LessMemoryAlone",
                                                    {3, 1, 3},
                                                    {2, 2, 2},
                                                    {false, false},
                                                    {false, false},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"LessCpuAlone",
                                                    {1, 3, 3},
                                                    {2, 2, 2},
                                                    {false, false},
                                                    {false, false},
                                                    {true, true},
                                                    {true, true}},
                                         Comparison{"TheSameMemoryAlone",
                                                    {3, 2, 3},
                                                    {2, 2, 2},
                                                    {false, false},
                                                    {false, false},
                                                    {false, false},
                                                    {true, true}}),
                         [](const auto& tested) { return std::string(tested.param.name); });

Amounts Of(double cpu, double memory, std::optional<double> gpu = {}) {
  return CpuMemoryGpu{cpu, memory, gpu}.Get();
}

TEST(AmountsRulesTest, SumsAndDifferencesDefineWhatEitherSideDoes) {
  EXPECT_EQ(Amounts().Add(Of(1, 2, 3)), Of(1, 2, 3));
  EXPECT_EQ(Of(1, 2).Add(Of(1, 1, 3)), Of(2, 3, 3));
  EXPECT_EQ(Of(1, 2, 3).Add(Of(1, 1)), Of(2, 3, 3));
  EXPECT_EQ(Of(5, 5, 3).Sub(Of(1, 2, 1)), Of(4, 3, 2));
  EXPECT_EQ(Of(5, 5).Sub(Of(1, 2, 1)), Of(4, 3)) << "one that defines no others stays so";
  EXPECT_EQ(Amounts().Sub(Of(1, 2)), Of(-1, -2));
  Amounts pods = Of(5, 5);
  pods.Set(kPods, 1);
  EXPECT_EQ(pods.Sub(Of(1, 1, 2))[kGpu], -2);
  EXPECT_EQ(Of(2, 4, 6).Scale(0.5), Of(1, 2, 3));
}

TEST(AmountsRulesTest, RaisingAndLoweringTakeEachDimensionByItself) {
  EXPECT_EQ(Of(1, 5).RaiseTo(Of(3, 2, 1)), Of(3, 5, 1));
  EXPECT_EQ(Of(1, 5, 4).RaiseTo(Of(1, 5, 1)), Of(1, 5, 4));
  EXPECT_EQ(Of(1, 5, 4).LowerTo(Of(3, 2, 1), Undefined::kZero), Of(1, 2, 1));
  EXPECT_EQ(Of(1, 5, 4).LowerTo(Of(3, 2), Undefined::kZero), Of(1, 2, 0));
  EXPECT_EQ(Of(1, 5, 4).LowerTo(Of(3, 2), Undefined::kInfinity), Of(1, 2, 4));
  EXPECT_EQ(Of(1, 5).LowerTo(Of(3, 2, 1), Undefined::kZero), Of(1, 2));
}

TEST(AmountsRulesTest, EqualLooksAtWhatTheLeftSideDefines) {
  EXPECT_TRUE(Of(1, 2).Equal(Of(1.05, 2)));
  EXPECT_FALSE(Of(1, 2).Equal(Of(1.2, 2)));
  EXPECT_FALSE(Of(0, 2).Equal(Of(Amounts::kEpsilon, 2)));
  EXPECT_FALSE(Of(1, 2).Equal(Of(1, 3)));
  EXPECT_TRUE(Of(1, 2).Equal(Of(1, 2, 3)));
  EXPECT_FALSE(Of(1, 2, 3).Equal(Of(1, 2)));
  EXPECT_FALSE(Of(9, 2, 3).Equal(Of(1, 2, 3))) << "one that differs is enough";
  EXPECT_FALSE(Of(1, 2) == Of(1, 2, 0)) << "not defined is not zero";
  EXPECT_FALSE(Of(1, 2) == Of(1, 2.01));
  EXPECT_TRUE(Of(0, 0) == Amounts());
}

TEST(AmountsRulesTest, WhatIsBeyondIsNamedByDimension) {
  constexpr DimensionSet kC = Bit(kCpu), kM = Bit(kMemory), kG = Bit(kGpu);
  EXPECT_EQ(Of(3, 1, 3).Exceeding(Of(2, 2, 2), Undefined::kZero), kC | kG);
  EXPECT_EQ(Of(3, 1, 3).Exceeding(Of(2, 2), Undefined::kInfinity), kC);
  EXPECT_EQ(Of(3, 3, 3).GreaterAlong(Of(2, 2, 2), Of(1, 0, 1)), kC | kG);
  EXPECT_EQ(Of(2, 2, 2).GreaterAlong(Of(2, 2, 2), Of(1, 1, 1)), DimensionSet{0});
  EXPECT_EQ(Of(3, 3).ExceedingAlong(Of(2, 2, -1), Of(1, 1, 1)), kC | kM);
  EXPECT_EQ(Of(3, 3, 0).ExceedingAlong(Of(2, 2, -1), Of(1, 1, 1)), kC | kM | kG);
  EXPECT_EQ(Of(3, 3, 3).GreaterAlongRelevant(Of(0, 2), Of(1, 1, 1)), kM);
  EXPECT_EQ(Of(3, 3, 3).GreaterAlongRelevant(Of(1, 2, 0), Of(1, 1, 1)), kC | kM | kG);
  EXPECT_EQ(Of(2, 3, 1).FittingAlong(Of(2, 2, 2), Of(1, 1, 1)), kC | kG);
  EXPECT_EQ(Of(0, 3, 0).FittingAlongNonZero(Of(0, 3, 2), Of(1, 1, 1)), kM | kG);
  EXPECT_EQ(Of(0, 0.05, 1).NonZero(), kG);
  EXPECT_EQ(Of(0, 0.1).NonZero(), kM);
}

TEST(AmountsRulesTest, ADifferenceMarksWhatIsInfinite) {
  const auto [more, less] = Of(3, 1, 2).Diff(Of(1, 4), Undefined::kZero);
  EXPECT_EQ(more, Of(2, 0, 2));
  EXPECT_EQ(less, Of(0, 3));
  const auto [beyond, below] = Of(3, 1).Diff(Of(1, 4, 2), Undefined::kInfinity);
  EXPECT_EQ(beyond, Of(2, 0, -1));
  EXPECT_EQ(below, Of(0, 3));
  EXPECT_EQ(Of(3, 1, 2).Diff(Of(1, 4), Undefined::kInfinity).second, Of(0, 3, -1));
  EXPECT_EQ(ExceededPart(Of(3, 1, 2), Of(1, 4)), Of(2, 0, 2));
  EXPECT_EQ(Of(1, 1, 2).Diff(Of(1, 1, 2), Undefined::kZero).first, Of(0, 0)) << "no more";
  // CPU and memory are always defined: -1 is an amount.
  EXPECT_EQ(Of(0, -1).Diff(Of(0, 4), Undefined::kInfinity).second, Of(0, 5));
  EXPECT_EQ(Of(0, 4).Diff(Of(0, -1), Undefined::kInfinity).first, Of(0, 5));
}

TEST(AmountsRulesTest, AreSaidWithTheirNamesTheOthersInTheOrderOfTheseToTwoPlaces) {
  Dimensions dimensions;
  for (const char* name : {"zinc", "gold"}) dimensions.Offer(name);
  Amounts amounts = Of(1000, 0.5, 3);
  amounts.Set(*dimensions.Find("zinc"), 2.25);
  EXPECT_EQ(amounts.ToString(dimensions), "cpu 1000.00, memory 0.50, gold 3.00, zinc 2.25");
}

TEST(AmountsRulesTest, WhatIsUndefinedIsGone) {
  Amounts amounts = Of(1, 2, 3);
  amounts.Undefine(kGpu);
  EXPECT_EQ(amounts, Of(1, 2));
  EXPECT_FALSE(amounts.Defines(kGpu));
  EXPECT_TRUE(amounts.Defines(kCpu));
  amounts.Undefine(40);
  EXPECT_EQ(amounts, Of(1, 2));
  amounts = {};
  amounts.Set(3, 7);
  EXPECT_EQ(amounts.bound(), 4);
  amounts = Amounts(0, 1);
  EXPECT_EQ(amounts.NonZero(), Bit(kMemory)) << "what was there before is not";
}

}  // namespace
}  // namespace basalt::model
