#include "scheduler/shadow/shadow_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace basalt::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

kube::Pod PodOn(const std::string& name, const std::string& node = "") {
  kube::Pod pod;
  pod.meta.ns = "a";
  pod.meta.name = name;
  pod.meta.uid = "uid-" + name;
  pod.spec.node_name = node;
  return pod;
}

kube::Pod EvictedFrom(const std::string& name, const std::string& node) {
  kube::Pod pod = PodOn(name, node);
  pod.status.conditions.push_back(
      {.type = "DisruptionTarget", .status = kube::ConditionStatus::kTrue});
  return pod;
}

class ShadowLedgerTest : public testing::Test {
 protected:
  void Bind(const std::string& name, const std::string& node) {
    const kube::Pod before = PodOn(name);
    const kube::Pod after = PodOn(name, node);
    ledger_.Saw(now_, &before, &after);
  }
  std::vector<std::uint64_t> Pods() const {
    std::vector<std::uint64_t> counts;
    for (int i = 0; i < kShadowClasses; ++i) {
      counts.push_back(ledger_.count(static_cast<ShadowClass>(i)));
    }
    return counts;
  }
  std::vector<std::uint64_t> Evictions() const {
    std::vector<std::uint64_t> counts;
    for (int i = 0; i < kShadowEvictions; ++i) {
      counts.push_back(ledger_.count(static_cast<ShadowEviction>(i)));
    }
    return counts;
  }

  Time now_{};
  ShadowLedger ledger_;
};

TEST_F(ShadowLedgerTest, EachPodIsOfOneClass) {
  for (const char* name : {"same", "slow", "moved"}) ledger_.WouldBind(now_, PodOn(name), "n1");
  now_ += 1s;
  Bind("same", "n1");
  Bind("moved", "n2");
  Bind("first", "n3");  // this one had not decided
  now_ += 10s;
  Bind("slow", "n1");
  EXPECT_THAT(Pods(), ElementsAre(1, 1, 1, 1, 0));
  ASSERT_EQ(ledger_.differences().size(), 3u);  // what was agreed is none
  EXPECT_EQ(ledger_.differences()[0].theirs, "n2");
  EXPECT_EQ(ledger_.differences()[2].earlier, 11s);
  EXPECT_EQ(ledger_.ahead(), 0u);
}

TEST_F(ShadowLedgerTest, APodThatNeverGotANodeWouldHaveHadOne) {
  ledger_.WouldBind(now_, PodOn("gone"), "n1");
  EXPECT_EQ(ledger_.ahead(), 1u);
  const kube::Pod pod = PodOn("gone");
  ledger_.Saw(now_, &pod, nullptr);
  EXPECT_THAT(Pods(), ElementsAre(0, 0, 0, 0, 1));
  EXPECT_EQ(ledger_.ahead(), 0u);
}

TEST_F(ShadowLedgerTest, EvictionsAreOfBothOrOfOne) {
  for (const char* name : {"both", "ours"}) ledger_.WouldEvict(now_, PodOn(name, "n1"));
  for (const char* name : {"both", "theirs"}) {
    const kube::Pod before = PodOn(name, "n1");
    const kube::Pod evicted = EvictedFrom(name, "n1");
    ledger_.Saw(now_, &before, &evicted);
    ledger_.Saw(now_, &evicted, nullptr);  // counted once
  }
  EXPECT_THAT(Evictions(), ElementsAre(1, 1, 0));
  now_ += 10s;
  EXPECT_THAT(ledger_.TakeBack(now_), ElementsAre("a/ours"));
  EXPECT_THAT(Evictions(), ElementsAre(1, 1, 1));
  EXPECT_THAT(ledger_.TakeBack(now_ + 1min), IsEmpty());
}

TEST_F(ShadowLedgerTest, AnEvictionThatIsDecidedAgainAndAgainIsOne) {
  for (int i = 0; i < 3; ++i) {
    ledger_.WouldEvict(now_, PodOn("p", "n1"));
    EXPECT_EQ(ledger_.evictions_ahead(), i == 0 ? 1u : 0u);
    now_ += 10s;
    EXPECT_THAT(ledger_.TakeBack(now_), ElementsAre("a/p"));
    EXPECT_THAT(Evictions(), ElementsAre(0, 0, 1));
  }
  EXPECT_EQ(ledger_.differences().size(), 1u);
}

TEST_F(ShadowLedgerTest, AnEvictionToWhichTheOtherComesLaterIsOfBoth) {
  ledger_.WouldEvict(now_, PodOn("p", "n1"));
  now_ += 10s;
  ledger_.TakeBack(now_);
  const kube::Pod before = PodOn("p", "n1");
  const kube::Pod evicted = EvictedFrom("p", "n1");
  ledger_.Saw(now_, &before, &evicted);
  ledger_.Saw(now_, &evicted, nullptr);
  EXPECT_THAT(Evictions(), ElementsAre(1, 0, 0));
  EXPECT_THAT(ledger_.differences(), IsEmpty());
}

TEST_F(ShadowLedgerTest, APodThatTheOtherHasEvictedIsNotEvictedAgain) {
  const kube::Pod before = PodOn("p", "n1");
  const kube::Pod evicted = EvictedFrom("p", "n1");
  ledger_.Saw(now_, &before, &evicted);
  ledger_.WouldEvict(now_, PodOn("p", "n1"));  // with a promise that was made before
  EXPECT_EQ(ledger_.evictions_ahead(), 0u);
  now_ += 10s;
  EXPECT_THAT(ledger_.TakeBack(now_), ElementsAre("a/p"));
  ledger_.Saw(now_, &evicted, nullptr);
  EXPECT_THAT(Evictions(), ElementsAre(0, 1, 0));
}

TEST_F(ShadowLedgerTest, APodThatEndsByItselfBeforeItsEvictionIsTakenBackCounts) {
  ledger_.WouldEvict(now_, PodOn("p", "n1"));
  const kube::Pod before = PodOn("p", "n1");
  kube::Pod ended = PodOn("p", "n1");
  ended.status.phase = kube::PodPhase::kSucceeded;
  ledger_.Saw(now_, &before, &ended);
  ledger_.Saw(now_, &ended, nullptr);
  EXPECT_THAT(Evictions(), ElementsAre(0, 0, 1));
  EXPECT_EQ(ledger_.evictions_ahead(), 0u);
}

TEST_F(ShadowLedgerTest, WhenItWouldHaveBeenPlacedFirstCountsAlsoAfterItWasTakenBack) {
  ledger_.WouldBind(now_, PodOn("p"), "n1");
  now_ += 10s;
  EXPECT_THAT(ledger_.TakeBack(now_), ElementsAre("a/p"));
  ledger_.WouldBind(now_, PodOn("p"), "n2");  // decided again, elsewhere
  now_ += 5s;
  Bind("p", "n2");
  EXPECT_THAT(Pods(), ElementsAre(0, 1, 0, 0, 0));
  EXPECT_EQ(ledger_.differences().back().earlier, 15s);
}

TEST_F(ShadowLedgerTest, TheReportHasCountsAndDifferences) {
  ledger_.WouldBind(now_, PodOn("p"), "n1");
  Bind("p", "n2");
  const std::string report = boost::json::serialize(ShadowReport(ledger_, now_, now_));
  EXPECT_THAT(report, testing::HasSubstr(R"("elsewhere":1)"));
  EXPECT_THAT(report,
              testing::HasSubstr(R"("pod":"a/p","what":"elsewhere","ours":"n1","theirs":"n2")"));
}

}  // namespace
}  // namespace basalt::scheduler
