#include "scheduler/framework/aggregators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace basalt::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A plugin of any kind: it answers what the test says.
struct Voter {
  int answer = 0;
  VictimOpinion opinion;
  std::weak_ordering order = std::weak_ordering::equivalent;
};

class AggregatorsTest : public testing::Test {
 protected:
  // Tiers of answers.
  Tiered<Voter> Votes(std::vector<std::vector<int>> tiers) {
    Tiered<Voter> result;
    for (const auto& tier : tiers) {
      result.emplace_back();
      for (const int answer : tier) result.back().push_back(&voters_.emplace_back(Voter{answer}));
    }
    return result;
  }
  Voter* Names(std::vector<int> victims, bool abstain = false) {
    Voter& voter = voters_.emplace_back();
    voter.opinion.abstain = abstain;
    for (const int victim : victims) voter.opinion.victims.push_back(&tasks_[victim]);
    return &voter;
  }
  std::vector<int> Intersection(const Tiered<Voter>& tiers) {
    std::vector<int> numbers;
    for (const Task* task : TierIntersection(tiers, [](Voter& v) { return v.opinion; })) {
      numbers.push_back(static_cast<int>(task - tasks_));
    }
    return numbers;
  }

  std::deque<Voter> voters_;
  Task tasks_[5];
};

bool Truth(Voter& voter) { return voter.answer > 0; }
Vote VoteOf(Voter& voter) { return static_cast<Vote>(voter.answer); }

TEST_F(AggregatorsTest, NobodyVotes) {
  const Tiered<Voter> none;
  EXPECT_TRUE(AllPass(none, Truth));
  EXPECT_FALSE(AnyOf(none, Truth));
  EXPECT_FALSE(FirstTierAll(none, Truth));
  EXPECT_TRUE(TierVote(none, VoteOf));
  EXPECT_THAT(Intersection(none), IsEmpty());
  EXPECT_TRUE(OrderChain(none, [](Voter& v) { return v.order; }) == 0);
}

TEST_F(AggregatorsTest, AllPassAnyOfAndFirstTierAll) {
  EXPECT_FALSE(AllPass(Votes({{1}, {1, 0}}), Truth));
  EXPECT_TRUE(AllPass(Votes({{1}, {1}}), Truth));
  EXPECT_TRUE(AnyOf(Votes({{0}, {0, 1}}), Truth));
  EXPECT_TRUE(FirstTierAll(Votes({{1, 1}, {0}}), Truth));
  EXPECT_FALSE(FirstTierAll(Votes({{1, 0}, {1}}), Truth));
}

TEST_F(AggregatorsTest, AVoteIsDecidedByTheFirstTierThatPermits) {
  EXPECT_TRUE(TierVote(Votes({{0, 1}, {-1}}), VoteOf));
  EXPECT_FALSE(TierVote(Votes({{1, -1}}), VoteOf));
  EXPECT_FALSE(TierVote(Votes({{0}, {-1}}), VoteOf));
  EXPECT_TRUE(TierVote(Votes({{0}, {0}}), VoteOf));
}

TEST_F(AggregatorsTest, TheFirstThatIsNotIndifferentOrders) {
  Voter indifferent, before{.order = std::weak_ordering::less},
      after{.order = std::weak_ordering::greater};
  EXPECT_TRUE(OrderChain(Tiered<Voter>{{&indifferent}, {&before, &after}},
                         [](Voter& v) { return v.order; }) < 0);
}

TEST_F(AggregatorsTest, VictimsAreThoseOnWhichATierAgrees) {
  EXPECT_THAT(Intersection({{Names({1, 2, 3}), Names({2, 3, 4}), Names({}, true)}}),
              ElementsAre(2, 3));
  EXPECT_THAT(Intersection({{Names({1})}, {Names({2})}}), ElementsAre(1));
}

TEST_F(AggregatorsTest, AnOpinionWithoutVictimsEndsItsTierAndTheNextStartsAfresh) {
  EXPECT_THAT(Intersection({{Names({1}), Names({}), Names({2})}, {Names({3})}}), ElementsAre(3));
}

TEST_F(AggregatorsTest, AnIntersectionThatBecomesEmptyIsStartedAnewByTheNextPlugin) {
  EXPECT_THAT(Intersection({{Names({1}), Names({2}), Names({3})}}), ElementsAre(3));
}

TEST_F(AggregatorsTest, UnionStopsAtTheFirstTierThatNamesAny) {
  const Tiered<Voter> tiers = {{Names({}), Names({1, 2}), Names({2, 3})}, {Names({4})}};
  EXPECT_EQ(TierUnion(tiers, [](Voter& v) { return v.opinion.victims; }).size(), 3u);
}

}  // namespace
}  // namespace basalt::scheduler
