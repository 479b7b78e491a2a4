#include "scheduler/framework/eviction_memory.h"

#include <gtest/gtest.h>

#include "model/annotations.h"
#include "testing/model/test_cluster.h"
#include "testing/test_signer.h"

namespace basalt::scheduler {
namespace {

using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeRunningPod;
using testutil::TestCluster;
using Ruling = EvictionMemory::Ruling;

class EvictionMemoryTest : public testing::Test {
 protected:
  EvictionMemoryTest() {
    given_.Add(testutil::MakeNode("n1", {{"cpu", "8"}}));
    for (const char* group : {"a", "b", "c"}) given_.Add(MakeGroup(group, "q", 1));
  }
  // A pod of that group and name, whose uid is given.
  const model::Task& Pod(const std::string& group, const std::string& name,
                         const std::string& uid) {
    kube::Pod pod = MakeRunningPod(name, group, {{"cpu", "1"}}, "n1");
    pod.meta.uid = uid;
    given_.Add(std::move(pod));
    return given_.task(name);
  }
  Ruling Judge(const model::Task& victim, const model::Task& beneficiary, Time now = kTestNow) {
    return memory_.Judge(given_.cluster, victim, beneficiary, now);
  }
  void Record(const model::Task& victim, const model::Task& beneficiary, Time now = kTestNow) {
    memory_.Record(given_.cluster, victim, beneficiary, now);
  }

  TestCluster given_;
  testutil::TestSigner signer_;
  EvictionMemory memory_{{.most = 3, .signer = &signer_}};
};

TEST_F(EvictionMemoryTest, NobodyIsEvictedTwiceForTheSameBeneficiaryAlsoWhenItCameBack) {
  const model::Task& b = Pod("b", "b", "b1");
  Record(Pod("a", "a", "a1"), b);
  EXPECT_EQ(Judge(Pod("a", "a", "a2"), b), Ruling::kTwice);
  EXPECT_EQ(Judge(Pod("a", "other", "a3"), b), Ruling::kMay);
}

TEST_F(EvictionMemoryTest, APodThatWasMadeAnewUnderTheNameOfTheBeneficiaryIsAnother) {
  Record(Pod("a", "low", "low1"), Pod("b", "high", "high1"));
  given_.cluster.RemovePod("ns", "high");
  EXPECT_EQ(Judge(Pod("a", "low", "low2"), Pod("b", "high", "high2")), Ruling::kMay);
}

TEST_F(EvictionMemoryTest, WhoLeftForWhomUnderAnotherPolicyIsNoCycle) {
  const model::Task& b = Pod("b", "b", "b1");
  Record(Pod("a", "a-x", "a1"), b);
  const model::Task& again = Pod("a", "a-y", "a2");
  EXPECT_EQ(Judge(b, again), Ruling::kCycle);
  memory_.PolicyChanged();
  EXPECT_EQ(Judge(b, again), Ruling::kMay);
  Record(b, again);
  EXPECT_EQ(Judge(again, Pod("b", "b", "b2")), Ruling::kCycle) << "the new policy's own";
}

TEST_F(EvictionMemoryTest, APodIsNotEvictedForThoseFromWhomItGotItsPlace) {
  const model::Task& b = Pod("b", "b", "b1");
  const model::Task& a = Pod("a", "a-x", "a1");
  Record(a, b);
  const model::Task& again = Pod("a", "a-y", "a2");  // made anew under another name
  EXPECT_EQ(Judge(b, again), Ruling::kCycle);
  EXPECT_EQ(Judge(b, Pod("c", "c", "c1")), Ruling::kMay);
  EXPECT_TRUE(memory_.NoteSpared(Ruling::kCycle, b, again));
  EXPECT_FALSE(memory_.NoteSpared(Ruling::kCycle, b, again));
  EXPECT_EQ(memory_.cycles_broken(), 1u);
  memory_.Forget(kTestNow);
  EXPECT_FALSE(memory_.NoteSpared(Ruling::kCycle, b, again)) << "that is not forgotten yet";
  memory_.Forget(kTestNow + 1h);
  EXPECT_TRUE(memory_.NoteSpared(Ruling::kCycle, b, again)) << "now it is";
}

TEST_F(EvictionMemoryTest, CyclesOfAnyLengthAreSeen) {
  const model::Task& a = Pod("a", "a-x", "a1");
  const model::Task& b = Pod("b", "b", "b1");
  const model::Task& c = Pod("c", "c", "c1");
  Record(a, b);
  Record(b, c);
  EXPECT_EQ(Judge(c, Pod("a", "a-y", "a2")), Ruling::kCycle);
}

TEST_F(EvictionMemoryTest, OfVeryManyWhoLeftForOnePodOnlySoManyAreLookedAt) {
  memory_ = EvictionMemory({.most = 1000});
  const model::Task& b = Pod("b", "b", "b1");
  const auto leave = [&](const char* group, int from, int to) {
    for (int i = from; i < to; ++i) {
      const std::string name = std::string(group) + "-" + std::to_string(i);
      Record(Pod(group, name, name), b);
    }
  };
  leave("a", 0, 255);
  leave("c", 255, 256);
  EXPECT_EQ(Judge(b, Pod("c", "c-again", "c2")), Ruling::kCycle);
  EXPECT_EQ(Judge(b, Pod("", "another", "x")), Ruling::kMay);
}

TEST_F(EvictionMemoryTest, APodOfNoGroupIsKnownByItsName) {
  const model::Task& b = Pod("b", "b", "b1");
  Record(Pod("", "alone", "x1"), b);
  EXPECT_EQ(Judge(b, Pod("", "alone", "x2")), Ruling::kCycle);
  EXPECT_EQ(Judge(b, Pod("", "another", "x3")), Ruling::kMay);
}

TEST_F(EvictionMemoryTest, PodsOfAnotherPriorityAreOthers) {
  const model::Task& low = Pod("a", "low", "a1");
  const model::Task& mid = Pod("a", "mid", "a2");
  Record(low, mid);
  kube::Pod high = MakePod("high", "a", {{"cpu", "1"}});
  high.spec.priority = 100;
  given_.Add(std::move(high));
  EXPECT_EQ(Judge(mid, given_.task("high")), Ruling::kMay);
}

TEST_F(EvictionMemoryTest, AGroupThatGotAnotherPriorityOrQueueAsksUnderAnotherPolicy) {
  const model::Task& b = Pod("b", "b", "b1");
  Record(Pod("a", "a-x", "a1"), b);
  const model::Task& again = Pod("a", "a-y", "a2");
  ASSERT_EQ(Judge(b, again), Ruling::kCycle);
  given_.cluster.SetJobPriority(again.job, 1000);
  EXPECT_EQ(Judge(b, again), Ruling::kMay);
  given_.cluster.SetJobPriority(again.job, 0);
  ASSERT_EQ(Judge(b, again), Ruling::kCycle);
  given_.Add(MakeGroup("a", "other", 1));
  EXPECT_EQ(Judge(b, again), Ruling::kMay);
}

TEST_F(EvictionMemoryTest, ARefusedEvictionIsNoneButIsNotTriedAtOnce) {
  const model::Task& a = Pod("a", "a", "a1");
  const model::Task& b = Pod("b", "b", "b1");
  Record(a, b);
  memory_.Refused("a1", kTestNow);
  EXPECT_EQ(memory_.size(), 0u);
  EXPECT_EQ(Judge(a, b), Ruling::kRefusedLately);
  EXPECT_EQ(Judge(a, b, kTestNow + 11s), Ruling::kMay);
}

TEST_F(EvictionMemoryTest, WhoWasSparedIsToldAgainOnceTooManyWere) {
  const model::Task& b = Pod("b", "b", "b1");
  std::vector<const model::Task*> victims;
  for (const char* name : {"v0", "v1", "v2", "v3"}) victims.push_back(&Pod("a", name, name));
  for (const model::Task* victim : victims) {
    EXPECT_TRUE(memory_.NoteSpared(Ruling::kTwice, *victim, b)) << victim->name();
  }
  EXPECT_FALSE(memory_.NoteSpared(Ruling::kTwice, *victims[3], b));
  EXPECT_TRUE(memory_.NoteSpared(Ruling::kTwice, *victims[0], b)) << "it was forgotten";
  EXPECT_EQ(memory_.cycles_broken(), 0u) << "none of them was a cycle";
}

TEST_F(EvictionMemoryTest, OfTwoWhoLeftForOneTheOtherIsKnownWhenOneDidNotGo) {
  const model::Task& b = Pod("b", "b", "b1");
  Record(Pod("a", "a", "a1"), b);
  Record(Pod("c", "c", "c1"), b);
  memory_.Refused("a1", kTestNow);
  EXPECT_EQ(memory_.size(), 1u);
  EXPECT_EQ(Judge(b, Pod("c", "c-again", "c2")), Ruling::kCycle);
  EXPECT_EQ(Judge(b, Pod("a", "a-again", "a2")), Ruling::kMay) << "it never left";
}

TEST(EvictionsTextTest, IsReadUpToItsLongestAndNoFurther) {
  std::string text = WriteEvictions({{.victim_uid = "u",
                                      .victim = "ns/v",
                                      .victim_origin = "o",
                                      .beneficiary_uid = "w",
                                      .beneficiary = "ns/b",
                                      .at = kTestNow}});
  EXPECT_EQ(ReadEvictions(text).size(), 1u);
  text.resize(kLongestEvictions, ' ');
  EXPECT_EQ(ReadEvictions(text).size(), 1u);
  text += ' ';
  EXPECT_TRUE(ReadEvictions(text).empty());
}

TEST(EvictionsTextTest, WhatIsNotWholeIsLeftOut) {
  const EvictionRecord whole{.victim_uid = "u",
                             .victim = "ns/v",
                             .victim_origin = "o",
                             .beneficiary_uid = "w",
                             .beneficiary = "ns/b",
                             .at = kTestNow};
  const std::string text = WriteEvictions({whole});
  for (const char* key : {"pod", "uid", "origin", "for", "forUid", "at"}) {
    std::string without = text;
    const std::string quoted = std::string("\"") + key + "\"";
    without.replace(without.find(quoted), quoted.size(), "\"other\"");
    EXPECT_TRUE(ReadEvictions(without).empty()) << key;
  }
  for (const char* bad : {"", "{}", "[1]", "[{}]", "nonsense", "[{\"pod\": 1}]"}) {
    EXPECT_TRUE(ReadEvictions(bad).empty()) << bad;
  }
  EXPECT_EQ(ReadEvictions(WriteEvictions({whole, whole})).size(), 2u);
  EXPECT_EQ(ReadEvictions(text)[0], whole);
  EXPECT_EQ(ReadEvictions(WriteEvictions(std::vector<EvictionRecord>(40, whole))).size(),
            kMostCarriedEvictions);
}

TEST_F(EvictionMemoryTest, ItForgetsWithTimeAndWhenItIsFull) {
  const model::Task& b = Pod("b", "b", "b1");
  for (int i = 0; i < 5; ++i) {
    const std::string name = "a" + std::to_string(i);
    Record(Pod("a", name, name), b);
  }
  EXPECT_EQ(memory_.size(), 3u);
  EXPECT_EQ(Judge(given_.task("a0"), b), Ruling::kMay);
  EXPECT_EQ(Judge(given_.task("a4"), b), Ruling::kTwice);
  memory_.Forget(kTestNow + 1h);
  EXPECT_EQ(memory_.size(), 0u);
  EXPECT_EQ(Judge(given_.task("a4"), b), Ruling::kMay);
}

// ---- on another thread

TEST_F(EvictionMemoryTest, AMemoryMadeOfAnImageJudgesAlikeAndGoesItsOwnWay) {
  const model::Task& b = Pod("b", "b", "b1");
  const model::Task& a = Pod("a", "a-x", "a1");
  const model::Task& refused = Pod("r", "r", "r1");
  Record(Pod("z", "z", "z1"), b);
  Record(refused, b);
  memory_.PolicyChanged();
  Record(a, b);
  memory_.Refused("r1", kTestNow);  // leaves a gap in the log
  const model::Task& again = Pod("a", "a-y", "a2");
  memory_.NoteSpared(Ruling::kCycle, b, again);

  EvictionMemory other;
  other.Record(given_.cluster, again, b, kTestNow);
  other.Adopt(memory_.TakeImage());
  EXPECT_EQ(other.size(), memory_.size()) << "what it knew before is gone";
  EXPECT_EQ(other.cycles_broken(), 1u);
  const auto judge = [&](const EvictionMemory& memory, const model::Task& victim,
                         const model::Task& gains) {
    return memory.Judge(given_.cluster, victim, gains, kTestNow);
  };
  EXPECT_EQ(judge(other, a, b), Ruling::kTwice);
  EXPECT_EQ(judge(other, b, again), Ruling::kCycle);
  EXPECT_EQ(judge(other, b, given_.task("z")), Ruling::kMay) << "another policy's";
  EXPECT_EQ(judge(other, refused, b), Ruling::kRefusedLately);

  other.Forget(kTestNow + 1h);
  EXPECT_EQ(judge(other, a, b), Ruling::kMay);
  EXPECT_EQ(judge(memory_, a, b), Ruling::kTwice) << "the one that it was taken of goes on";
}

// ---- across restarts

TEST_F(EvictionMemoryTest, WhatThePodsThatGainedCarryIsKnownToTheNextScheduler) {
  const model::Task& b = Pod("b", "b", "b1");
  const model::Task& c = Pod("c", "c", "c1");
  Record(Pod("a", "a", "a1"), b);
  Record(b, c);  // b's own gain goes on with c, who has its place now
  kube::Pod carries = *c.pod;
  carries.meta.annotations.Set(model::annotations::kEvictions, memory_.AnnotationOf("c1"));
  EXPECT_EQ(memory_.AnnotationOf("a1"), "");
  given_.cluster.RemovePod("ns", "a");
  given_.cluster.RemovePod("ns", "b");
  given_.Add(std::move(carries));

  memory_ = EvictionMemory({.most = 3, .signer = &signer_});
  memory_.Restore(given_.cluster, kTestNow + 1min);
  EXPECT_EQ(memory_.size(), 2u);
  EXPECT_EQ(Judge(given_.task("c"), Pod("a", "a-again", "a2")), Ruling::kCycle);
  EXPECT_EQ(Judge(Pod("b", "b", "b2"), given_.task("c")), Ruling::kTwice);
  EXPECT_EQ(Judge(Pod("a", "a", "a3"), Pod("b", "b", "b2")), Ruling::kMay) << "another b";
  memory_.Restore(given_.cluster, kTestNow + 1min);
  EXPECT_EQ(memory_.size(), 2u) << "again";
  EXPECT_EQ(Judge(Pod("b", "b", "b2"), given_.task("c")), Ruling::kTwice);
  EXPECT_EQ(Judge(given_.task("c"), Pod("a", "a-again", "a2")), Ruling::kCycle);
  memory_.Adopt({});
  EXPECT_EQ(memory_.size(), 0u);
  memory_.Restore(given_.cluster, kTestNow + 1min);
  EXPECT_EQ(memory_.size(), 2u) << "what it had forgotten";
  memory_.Restore(given_.cluster, kTestNow + 1h);
  EXPECT_EQ(memory_.size(), 0u) << "too long ago";
}

TEST_F(EvictionMemoryTest, WhatSeveralPodsCarryIsKnownOnce) {
  const model::Task& b = Pod("b", "b", "b1");
  Record(Pod("a", "a", "a1"), b);
  // The one who left for c had gained by the first eviction: c carries both.
  const model::Task& c = Pod("c", "c", "c1");
  Record(b, c);
  const std::string of_b = memory_.AnnotationOf("b1"), of_c = memory_.AnnotationOf("c1");
  given_.cluster.RemovePod("ns", "a");
  for (const auto& [name, carried] : {std::pair{"b", of_b}, std::pair{"c", of_c}}) {
    kube::Pod pod = *given_.task(name).pod;
    if (pod.meta.name == "b") pod.meta.deletion_timestamp = kTestNow;
    pod.meta.annotations.Set(model::annotations::kEvictions, carried);
    given_.Add(std::move(pod));
  }
  EvictionMemory next({.signer = &signer_});
  next.Restore(given_.cluster, kTestNow);
  EXPECT_EQ(next.size(), 2u);
}

TEST_F(EvictionMemoryTest, WhatWasDoneUnderAnotherPolicyCountsAgainAfterARestart) {
  const model::Task& b = Pod("b", "b", "b1");
  Record(Pod("a", "a-x", "a1"), b);
  memory_.PolicyChanged();
  const model::Task& again = Pod("a", "a-y", "a2");
  EXPECT_EQ(Judge(b, again), Ruling::kMay);
  memory_.Restore(given_.cluster, kTestNow);
  EXPECT_EQ(Judge(b, again), Ruling::kCycle);
}

TEST_F(EvictionMemoryTest, AnEvictionThatWasRefusedIsRestoredIfThePodWentAfterAll) {
  const model::Task& b = Pod("b", "b", "b1");
  Record(Pod("a", "a", "a1"), b);
  kube::Pod carries = *b.pod;
  carries.meta.annotations.Set(model::annotations::kEvictions, memory_.AnnotationOf("b1"));
  given_.Add(std::move(carries));
  memory_.Refused("a1", kTestNow);
  given_.cluster.RemovePod("ns", "a");
  memory_.Restore(given_.cluster, kTestNow);
  EXPECT_EQ(memory_.size(), 1u);
}

TEST_F(EvictionMemoryTest, ARefusalHoldsForItsTimeAndNotAMomentLonger) {
  const model::Task& a = Pod("a", "a", "a1");
  const model::Task& b = Pod("b", "b", "b1");
  memory_.Refused("a1", kTestNow);
  EXPECT_EQ(Judge(a, b, kTestNow + 10s - 1ms), Ruling::kRefusedLately);
  EXPECT_EQ(Judge(a, b, kTestNow + 10s), Ruling::kMay);
  memory_.Forget(kTestNow + 5s);
  EXPECT_EQ(Judge(a, b, kTestNow + 6s), Ruling::kRefusedLately);
  memory_.Forget(kTestNow + 10s);
  EXPECT_EQ(Judge(a, b, kTestNow + 6s), Ruling::kMay) << "forgotten";
}

TEST_F(EvictionMemoryTest, WhoIsStillThereWasNotEvictedAfterAll) {
  const model::Task& b = Pod("b", "b", "b1");
  const model::Task& a = Pod("a", "a", "a1");
  Record(a, b);
  kube::Pod carries = *b.pod;
  carries.meta.annotations.Set(model::annotations::kEvictions, memory_.AnnotationOf("b1"));
  given_.Add(std::move(carries));
  EvictionMemory next({.signer = &signer_});
  next.Restore(given_.cluster, kTestNow);
  EXPECT_EQ(next.size(), 0u) << "the scheduler died before it evicted anybody";
  kube::Pod leaving = *a.pod;
  leaving.meta.deletion_timestamp = kTestNow;
  given_.Add(std::move(leaving));
  next.Restore(given_.cluster, kTestNow);
  EXPECT_EQ(next.size(), 1u);
}

// A pod would protect itself from whomever it names.
TEST_F(EvictionMemoryTest, WhatTenantsWriteIsPassedOver) {
  std::vector<EvictionRecord> forged(65'536, {.victim_uid = "v",
                                              .victim = "ns/victim",
                                              .victim_origin = "group ns/a  0",
                                              .beneficiary_uid = "b1",
                                              .beneficiary = "ns/b",
                                              .at = kTestNow});
  for (std::size_t i = 0; i < forged.size(); ++i) forged[i].victim_uid += std::to_string(i);
  const std::string few = WriteEvictions({forged.front()});
  const testutil::TestSigner other(2);
  const std::pair<const char*, std::string> kCases[] = {
      {"not sealed", few},
      {"another key", Seal(other, "evictions", "b1", few)},
      {"another pod's", Seal(signer_, "evictions", "c1", few)},
      {"for something else", Seal(signer_, "queue", "b1", few)},
      {"more than a pod can carry", Seal(signer_, "evictions", "b1", WriteEvictions(forged))}};
  for (const auto& [what, text] : kCases) {
    kube::Pod pod = MakeRunningPod("b", "b", {{"cpu", "1"}}, "n1");
    pod.meta.uid = "b1";
    pod.meta.annotations.Set(model::annotations::kEvictions, text);
    given_.Add(std::move(pod));
    EvictionMemory next({.signer = &signer_});
    next.Restore(given_.cluster, kTestNow);
    EXPECT_EQ(next.size(), 0u) << what;
  }
}

TEST_F(EvictionMemoryTest, WhatAPodCarriesIsBoundedAndNotOfTheFuture) {
  std::vector<EvictionRecord> records(100, {.victim_uid = "v",
                                            .victim = "ns/victim",
                                            .victim_origin = "group ns/a  0",
                                            .beneficiary_uid = "b1",
                                            .beneficiary = "ns/b",
                                            .at = kTestNow});
  for (std::size_t i = 0; i < records.size(); ++i) records[i].victim_uid += std::to_string(i);
  const auto restored = [&](std::size_t length = 0) {
    kube::Pod pod = MakeRunningPod("b", "b", {{"cpu", "1"}}, "n1");
    pod.meta.uid = "b1";
    std::string text = WriteEvictions(records);
    if (length > 0) text.resize(length - Seal(signer_, "evictions", "b1", "").size(), ' ');
    pod.meta.annotations.Set(model::annotations::kEvictions,
                             Seal(signer_, "evictions", "b1", text));
    given_.Add(std::move(pod));
    EvictionMemory next({.signer = &signer_});
    next.Restore(given_.cluster, kTestNow);
    return next.size();
  };
  EXPECT_EQ(restored(), kMostCarriedEvictions);
  EXPECT_EQ(restored(kLongestEvictions), kMostCarriedEvictions);
  EXPECT_EQ(restored(kLongestEvictions + 1), 0u);
  records[0].victim = "of no namespace";
  EXPECT_EQ(restored(), kMostCarriedEvictions) << "there is no such pod";
  for (EvictionRecord& record : records) record.at = kTestNow + 1min;
  EXPECT_EQ(restored(), kMostCarriedEvictions) << "clocks differ";
  for (EvictionRecord& record : records) record.at = kTestNow + 1min + 1s;
  EXPECT_EQ(restored(), 0u);
}

TEST_F(EvictionMemoryTest, WhatIsNoRecordIsLeftOut) {
  for (const char* text :
       {"", "[", "{}", "[1]", R"([{"pod":"ns/a"}])",
        R"([{"pod":"a","uid":"1","origin":"o","for":"b","forUid":"2","at":"?"}])"}) {
    EXPECT_TRUE(ReadEvictions(text).empty()) << text;
  }
  const std::vector<EvictionRecord> one{{.victim_uid = "1",
                                         .victim = "ns/a",
                                         .victim_origin = "pod ns/a 5",
                                         .beneficiary_uid = "2",
                                         .beneficiary = "ns/b",
                                         .at = kTestNow}};
  EXPECT_EQ(ReadEvictions(WriteEvictions(one)), one);
}

}  // namespace
}  // namespace basalt::scheduler
