// Queues by their paths, and which of two is worse off.
#include "scheduler/plugins/drf/share_tree.h"

#include <gtest/gtest.h>

namespace basalt::scheduler::plugins {
namespace {

using model::Amounts;

constexpr double kGiB = 1024.0 * 1024 * 1024;

class ShareTreeOrderTest : public testing::Test {
 protected:
  // A job with so much of ten CPUs and ten GiB, which wants so much.
  struct Has {
    double cpu = 0, memory = 0;
  };
  void Add(std::string_view path, std::string_view weights, Has has, Has wants = {9, 9}) {
    tree_.AddJob(path, weights, "job-" + std::to_string(jobs_++), Of(has), Of(wants));
  }
  static Amounts Of(Has has) { return Amounts(has.cpu * 1000, has.memory * kGiB); }
  void ExpectWorseOff(std::string_view a, std::string_view b) {
    EXPECT_LT(tree_.Compare(a, b), 0) << a << " " << b;
    EXPECT_GT(tree_.Compare(b, a), 0) << a << " " << b;
  }

  ShareTree tree_{Amounts(10000, 10 * kGiB)};
  int jobs_ = 0;
};

TEST(DominantShareTest, IsTheLargestPartOfAnythingThatThereIs) {
  const Amounts total(1000, 100);
  EXPECT_DOUBLE_EQ(DominantShare(Amounts(100, 50), total), 0.5);
  EXPECT_DOUBLE_EQ(DominantShare(Amounts(900, 50), total), 0.9);
  EXPECT_DOUBLE_EQ(DominantShare(Amounts(), total), 0);
  EXPECT_DOUBLE_EQ(DominantShare(Amounts(100, 50), Amounts(1000, 0)), 0.1)
      << "of memory there is none";
}

TEST_F(ShareTreeOrderTest, WhoHasTheSmallerShareIsWorseOff) {
  Add("root/a", "1/1", {2, 1});
  Add("root/b", "1/1", {1, 3});
  tree_.Compute();
  ExpectWorseOff("root/a", "root/b");
  EXPECT_EQ(tree_.Compare("root/a", "root/a"), 0);
}

TEST_F(ShareTreeOrderTest, AWeightMakesAShareCountForLess) {
  Add("root/a", "1/4", {3, 0});
  Add("root/b", "1/1", {1, 0});
  tree_.Compute();
  ExpectWorseOff("root/a", "root/b");
}

TEST_F(ShareTreeOrderTest, AWeightThatIsMissingOrBelowOneOrNoNumberIsOne) {
  Add("root/a", "1", {2, 0});
  Add("root/b", "1/0.1", {3, 0});
  Add("root/c", "1/x", {4, 0});
  tree_.Compute();
  ExpectWorseOff("root/a", "root/b");
  ExpectWorseOff("root/b", "root/c");
}

TEST_F(ShareTreeOrderTest, QueuesAreComparedWhereTheirPathsPart) {
  Add("root/a/x", "1/1/1", {1, 0});
  Add("root/a/y", "1/1/1", {3, 0});
  Add("root/b/x", "1/1/1", {3, 0});
  tree_.Compute();
  // y has as much as b's x, but a, whose demanding children are scaled to the smallest of them,
  // has less than b.
  ExpectWorseOff("root/a/y", "root/b/x");
  ExpectWorseOff("root/a/x", "root/a/y");
}

TEST_F(ShareTreeOrderTest, WhoWantsNothingMoreComesLast) {
  Add("root/a", "1/1", {1, 0}, {1, 0});
  Add("root/b", "1/1", {4, 0});
  tree_.Compute();
  ExpectWorseOff("root/b", "root/a");
}

TEST_F(ShareTreeOrderTest, WhereAResourceIsUsedUpNobodyWantsMoreOfIt) {
  Add("root/a", "1/1", {6, 0});
  Add("root/b", "1/1", {4, 0});
  Add("root/c", "1/1", {0, 5});
  tree_.Compute();
  ExpectWorseOff("root/c", "root/b");
  ExpectWorseOff("root/b", "root/a");
}

TEST_F(ShareTreeOrderTest, AQueueWantsMoreAsLongAsOneOfItsJobsDoes) {
  Add("root/a", "1/1", {1, 0}, {1, 0});
  Add("root/a", "1/1", {1, 0});
  Add("root/b", "1/1", {5, 0});
  tree_.Compute();
  ExpectWorseOff("root/a", "root/b");
}

TEST_F(ShareTreeOrderTest, ASaturatedChildCountsForAllThatItHas) {
  Add("root/a/x", "1/1/1", {4, 0}, {4, 0});
  Add("root/a/y", "1/1/1", {1, 0});
  Add("root/b", "1/1", {3, 0});
  tree_.Compute();
  ExpectWorseOff("root/b", "root/a");
}

TEST_F(ShareTreeOrderTest, ASaturatedChildOrOneWithoutAnythingDoesNotMakeTheOthersCountForLess) {
  Add("root/a/x", "1/1/1", {4, 0});
  Add("root/a/y", "1/1/1", {1, 0}, {1, 0});
  Add("root/a/z", "1/1/1", {0, 0});
  Add("root/b", "1/1", {3, 0});
  tree_.Compute();
  ExpectWorseOff("root/b", "root/a");
}

TEST_F(ShareTreeOrderTest, AQueueAndOneBelowItAreComparedAsFarAsBothGo) {
  Add("root/a/x", "1/1/1", {1, 0});
  tree_.Compute();
  EXPECT_EQ(tree_.Compare("root/a", "root/a/x"), 0);
  EXPECT_EQ(tree_.Compare("root/a/x", "root/a/none"), 0) << "nobody knows it";
}

}  // namespace
}  // namespace basalt::scheduler::plugins
