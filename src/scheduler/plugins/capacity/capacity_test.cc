#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;

class CapacityTest : public testing::Test {
 protected:
  CapacityTest() { given_.Add(MakeNode("n", {{"cpu", "10"}, {"memory", "10Gi"}})); }
  Session& Open(bool hierarchy, int level = 0) {
    Config config = testutil::OneTier({"capacity"});
    config.tiers[0].plugins[0].Set(Switch::kHierarchy, hierarchy);
    config.tiers[0].plugins[0].arguments = Arguments({{"ancestorReclaimLevel", level}});
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    return session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  }
  kube::Queue QueueOf(const char* name, const char* parent, testutil::Amounts deserved,
                      testutil::Amounts capability = {}) {
    kube::Queue queue = MakeQueue(name);
    queue.parent = parent;
    queue.deserved = testutil::Resources(deserved);
    queue.capability = testutil::Resources(capability);
    return queue;
  }
  kube::PodGroup GroupOf(const char* name, const char* queue, const char* cpu,
                         kube::PodGroupPhase phase) {
    kube::PodGroup group = MakeGroup(name, queue, 1, phase);
    group.min_resources = testutil::Resources({{"cpu", cpu}});
    return group;
  }
  // The pod "claim" of the group "claims": its queue has admitted it, and it has no node.
  void AddClaim(const char* queue, const char* cpu) {
    given_.Add(GroupOf("claims", queue, cpu, kube::PodGroupPhase::kInqueue));
    kube::Pod pod = MakePod("claim", "claims", {{"cpu", cpu}});
    pod.meta.annotations.Set(model::annotations::kQueueAllocationGate, "true");
    given_.Add(std::move(pod));
    given_.cluster.Move(given_.task("claim").id, {.queue_claim = true});
  }
  // The pod "p" of 1 CPU of the group "g", which waits to be let in.
  void AddOrdinary(const char* queue) {
    given_.Add(GroupOf("g", queue, "1", kube::PodGroupPhase::kPending));
    given_.Add(MakePod("p", "g", {{"cpu", "1"}}));
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(CapacityTest, ATaskMustFitIntoEveryAncestor) {
  given_.Add(MakeQueue("root")).Add(QueueOf("dept", "", {}, {{"cpu", "2"}}));
  given_.Add(QueueOf("team", "dept", {})).Add(QueueOf("other", "dept", {}));
  given_.Add(MakeGroup("g", "team", 1)).Add(MakeGroup("h", "other", 1));
  given_.Add(MakeRunningPod("x", "h", {{"cpu", "1"}}, "n"));
  given_.Add(MakePod("small", "g", {{"cpu", "1"}})).Add(MakePod("big", "g", {{"cpu", "2"}}));
  const Session& session = Open(true);
  EXPECT_TRUE(session.MayAllocate(given_.queue("team"), given_.task("small")).ok());
  EXPECT_EQ(session.MayAllocate(given_.queue("team"), given_.task("big")).reason,
            "queue dept has not enough cpu left");
  EXPECT_FALSE(session.MayAllocate(given_.queue("dept"), given_.task("small")).ok());
}

TEST_F(CapacityTest, ABrokenQueueDoesNotStopTheOthers) {
  given_.Add(MakeQueue("root")).Add(QueueOf("good", "", {})).Add(QueueOf("lost", "nowhere", {}));
  given_.Add(QueueOf("a", "b", {})).Add(QueueOf("b", "a", {}));
  given_.Add(MakeGroup("g", "good", 1)).Add(MakePod("p", "g", {{"cpu", "1"}}));
  const Session& session = Open(true);
  EXPECT_TRUE(session.MayAllocate(given_.queue("good"), given_.task("p")).ok());
  for (const char* queue : {"lost", "a", "b"}) {
    EXPECT_EQ(session.MayAllocate(given_.queue(queue), given_.task("p")).reason,
              "queue is not a leaf of the queue tree")
        << queue;
  }
}

TEST_F(CapacityTest, AQueueThatCameAfterTheSessionWasOpenedGetsNothingYet) {
  given_.Add(QueueOf("q", "", {{"cpu", "4"}})).Add(MakeGroup("old", "q", 0));
  given_.Add(MakeRunningPod("old", "old", {{"cpu", "1"}}, "n"));
  const Session& session = Open(false);
  given_.Add(QueueOf("late", "", {{"cpu", "4"}})).Add(MakeGroup("g", "late", 1));
  given_.Add(MakePod("p", "g", {{"cpu", "1"}}));
  const Queue &late = given_.queue("late"), &q = given_.queue("q");
  EXPECT_TRUE(session.QueueBefore(q, late));
  EXPECT_FALSE(session.QueueBefore(late, q));
  EXPECT_FALSE(session.MayAllocate(late, given_.task("p")).ok());
  const Task* task = &given_.task("p");
  EXPECT_FALSE(session.MayReclaim(late, std::span(&task, 1)));
  EXPECT_THAT(session.Reclaimable(*task, given_.tasks({"old"})), IsEmpty());
  const auto* order = plugins_->hooks<VictimQueueOrder>().front().front();
  EXPECT_TRUE(order->CompareVictimQueues(late, q, q) == 0);
  EXPECT_TRUE(order->CompareVictimQueues(q, late, q) == 0);
  EXPECT_TRUE(order->CompareVictimQueues(q, q, late) == 0);
}

TEST_F(CapacityTest, ResourceClaimsAreRefused) {
  for (const char* key :
       {"capacity.DynamicResourceAllocationEnable", "capacity.DRAConsumableCapacityEnable"}) {
    Config config = testutil::OneTier({"capacity"});
    config.tiers[0].plugins[0].arguments = Arguments({{key, true}});
    const auto made = PluginSet::Make(std::move(config), BuiltinPlugins());
    ASSERT_FALSE(made.has_value()) << key;
    EXPECT_THAT(made.error().message, testing::HasSubstr(key));
  }
}

TEST_F(CapacityTest, QueueClaimsCountAndACandidatesOwnClaimNotTwice) {
  given_.Add(QueueOf("q", "", {}, {{"cpu", "2"}}));
  given_.Add(MakeGroup("g", "q", 1));
  given_.Add(MakePod("a", "g", {{"cpu", "2"}})).Add(MakePod("b", "g", {{"cpu", "1"}}));
  Session& session = Open(false);
  Statement statement(session);
  EXPECT_TRUE(session.MayAllocate(given_.queue("q"), given_.task("a")).ok());
  statement.GrantQueueClaim(given_.task("a").id);
  EXPECT_TRUE(session.MayAllocate(given_.queue("q"), given_.task("a")).ok());
  EXPECT_FALSE(session.MayAllocate(given_.queue("q"), given_.task("b")).ok());
}

TEST_F(CapacityTest, AClaimThatNoNodeFitsKeepsNobodyOutOfRoomThatIsThere) {
  for (const bool hierarchy : {false, true}) {
    given_.Add(MakeQueue("root")).Add(QueueOf("q", "", {}));
    AddClaim("q", "100000");
    AddOrdinary("q");
    const Session& session = Open(hierarchy);
    EXPECT_TRUE(session.MayAllocate(given_.queue("q"), given_.task("p")).ok()) << hierarchy;
    EnqueueRefusal why;
    EXPECT_TRUE(session.MayEnqueue(given_.job("g"), &why)) << hierarchy << ' ' << why.text;
    session_.reset();
  }
}

TEST_F(CapacityTest, AClaimCountsAgainstTheCapabilityOfItsQueueAndOfThoseAbove) {
  given_.Add(MakeQueue("root")).Add(QueueOf("top", "", {}, {{"cpu", "4"}}));
  given_.Add(QueueOf("q", "top", {})).Add(QueueOf("other", "top", {}));
  AddClaim("other", "4");
  AddOrdinary("q");
  const Session& session = Open(true);
  EXPECT_FALSE(session.MayAllocate(given_.queue("q"), given_.task("p")).ok());
  EnqueueRefusal why;
  EXPECT_FALSE(session.MayEnqueue(given_.job("g"), &why));
}

TEST_F(CapacityTest, OnlyWhatIsBeyondTheDeservedAndTheGuaranteeIsReclaimed) {
  kube::Queue rich = QueueOf("rich", "", {{"cpu", "1"}});
  rich.guarantee = testutil::Resources({{"cpu", "2"}});
  given_.Add(std::move(rich)).Add(QueueOf("poor", "", {{"cpu", "5"}}));
  given_.Add(MakeGroup("g", "rich", 1)).Add(MakeGroup("h", "poor", 1));
  for (const char* pod : {"a", "b", "c"}) {
    given_.Add(MakeRunningPod(pod, "g", {{"cpu", "1"}}, "n"));
  }
  given_.Add(MakePod("p", "h", {{"cpu", "1"}}));
  const Session& session = Open(false);
  EXPECT_EQ(session.Reclaimable(given_.task("p"), given_.tasks({"a", "b", "c"})).size(), 1u);
  const Task* reclaimer = &given_.task("p");
  EXPECT_TRUE(session.MayReclaim(given_.queue("poor"), std::span(&reclaimer, 1)));
}

TEST_F(CapacityTest, VictimsComeFromTheNearestRelativesFirst) {
  given_.Add(MakeQueue("root")).Add(QueueOf("d1", "", {{"cpu", "4"}}));
  given_.Add(QueueOf("d2", "", {{"cpu", "1"}}));
  given_.Add(QueueOf("mine", "d1", {{"cpu", "4"}})).Add(QueueOf("sister", "d1", {{"cpu", "1"}}));
  given_.Add(QueueOf("cousin", "d2", {{"cpu", "1"}}));
  const Session& session = Open(true);
  (void)session;
  const auto* capacity = plugins_->hooks<VictimQueueOrder>().front().front();
  EXPECT_TRUE(capacity->CompareVictimQueues(given_.queue("sister"), given_.queue("cousin"),
                                            given_.queue("mine")) < 0);
}

// ---- how far up the tree those that take back and those that give are looked at

TEST_F(CapacityTest, AQueueTakesBackWhatThoseAboveItDeserveAndNotWhatTheRootDoes) {
  given_.Add(MakeQueue("root"));
  given_.Add(QueueOf("poor", "", {{"cpu", "2"}})).Add(QueueOf("poor-1", "poor", {}));
  given_.Add(QueueOf("full", "", {{"cpu", "4"}})).Add(QueueOf("full-1", "full", {}));
  for (const char* queue : {"poor-1", "full-1"}) {
    given_.Add(MakeGroup(queue, queue, 1)).Add(MakePod(queue, queue, {{"cpu", "1"}}));
  }
  given_.Add(MakeRunningPod("x", "full-1", {{"cpu", "4"}}, "n"));
  for (const int level : {0, 1, 2, 9}) {
    const Session& session = Open(true, level);
    const auto may = [&](const char* queue) {
      const Task* task = &given_.task(queue);
      return session.MayReclaim(given_.queue(queue), std::span(&task, 1));
    };
    EXPECT_EQ(may("poor-1"), level > 0) << level;
    EXPECT_FALSE(may("full-1")) << level;
    session_.reset();
  }
}

TEST_F(CapacityTest, RelativesThatDeserveNothingDoNotTakeItFromEachOther) {
  given_.Add(MakeQueue("root")).Add(QueueOf("left", "", {{"cpu", "9"}}));
  given_.Add(QueueOf("mine", "left", {})).Add(QueueOf("worthy", "left", {{"cpu", "1"}}));
  given_.Add(QueueOf("sister", "left", {})).Add(QueueOf("aunt", "left", {}));
  given_.Add(QueueOf("niece", "aunt", {})).Add(QueueOf("right", "", {}));
  given_.Add(QueueOf("stranger", "right", {}));
  for (const char* queue : {"mine", "worthy", "sister", "niece", "stranger"}) {
    given_.Add(MakeGroup(queue, queue, 0));
    given_.Add(MakePod(std::string(queue) + "-waits", queue, {{"cpu", "1"}}));
    given_.Add(MakeRunningPod(queue, queue, {{"cpu", "1"}}, "n"));
  }
  const auto gives = [&](int level, const char* reclaimer, const char* victim) {
    const Session& session = Open(true, level);
    const bool named = !session.Reclaimable(given_.task(reclaimer), given_.tasks({victim})).empty();
    session_.reset();
    return named;
  };
  EXPECT_TRUE(gives(0, "mine-waits", "sister")) << "nobody looks";
  EXPECT_FALSE(gives(1, "mine-waits", "sister"));
  EXPECT_TRUE(gives(1, "worthy-waits", "sister")) << "it deserves some";
  EXPECT_TRUE(gives(1, "mine-waits", "niece")) << "they have nobody in common one level up";
  EXPECT_FALSE(gives(2, "mine-waits", "niece"));
  EXPECT_FALSE(gives(2, "niece-waits", "mine"));
  for (const int level : {1, 2, 9}) {
    EXPECT_TRUE(gives(level, "mine-waits", "stranger")) << "the root is everybody's, " << level;
  }
}

TEST_F(CapacityTest, ABranchGivesWhatItHasBeyondWhatItDeservesAndNoMore) {
  given_.Add(MakeQueue("root")).Add(QueueOf("a", "", {{"cpu", "4"}}));
  given_.Add(QueueOf("b", "", {{"cpu", "1"}})).Add(QueueOf("b-1", "b", {}));
  given_.Add(MakeGroup("new", "a", 1)).Add(MakePod("p", "new", {{"cpu", "1"}}));
  given_.Add(MakeGroup("g", "b-1", 0));
  for (const char* pod : {"x", "y", "z"}) {
    given_.Add(MakeRunningPod(pod, "g", {{"cpu", "1"}}, "n"));
  }
  EXPECT_EQ(Open(true, 1).Reclaimable(given_.task("p"), given_.tasks({"x", "y", "z"})).size(), 2u);
}

TEST_F(CapacityTest, TheRootItselfGivesWhatItsChildrenTogetherNeitherDeserveNorAreGuaranteed) {
  kube::Queue safe = QueueOf("safe", "", {});
  safe.guarantee = testutil::Resources({{"cpu", "2"}});
  given_.Add(MakeQueue("root")).Add(std::move(safe)).Add(MakeGroup("g", "root", 0));
  given_.Add(MakeRunningPod("one", "g", {{"cpu", "1"}}, "n"));
  given_.Add(MakeRunningPod("two", "g", {{"cpu", "2"}}, "n"));
  given_.Add(MakeGroup("new", "safe", 1)).Add(MakePod("p", "new", {{"cpu", "1"}}));
  const auto gives = [&](const char* pod) {
    return !session_->Reclaimable(given_.task("p"), given_.tasks({pod})).empty();
  };
  Open(true);
  EXPECT_TRUE(gives("one"));
  EXPECT_FALSE(gives("two")) << "two of three are guaranteed";
  session_.reset();
  given_.Add(QueueOf("rich", "", {{"cpu", "1"}}));
  Open(true);
  EXPECT_FALSE(gives("one")) << "all three are deserved";
}

// ---- whole gangs

class GangEvictionTest : public CapacityTest {
 protected:
  GangEvictionTest() {
    given_.Add(QueueOf("mine", "", {})).Add(QueueOf("rich", "", {{"cpu", "1"}}));
    given_.Add(QueueOf("bare", "", {}));
    kube::Queue safe = QueueOf("safe", "", {{"cpu", "1"}});
    safe.guarantee = testutil::Resources({{"cpu", "2"}});
    given_.Add(std::move(safe));
    for (const char* queue : {"rich", "bare", "safe"}) {
      given_.Add(MakeGroup(queue, queue, 0));
      for (const char* number : {"-0", "-1", "-2"}) {
        given_.Add(MakeRunningPod(std::string(queue) + number, queue, {{"cpu", "1"}}, "n"));
      }
    }
    given_.Add(MakeGroup("new", "mine", 1)).Add(MakePod("p", "new", {{"cpu", "1"}}));
    given_.Add(MakeRunningPod("stray", "", {{"cpu", "1"}}, "n"));
  }
  std::vector<std::string> Evictable(GangEviction::Kind kind,
                                     std::initializer_list<std::string_view> candidates) {
    Session& session = Open(false);
    return testutil::Names(session.Evictable({.kind = kind, .beneficiary = &given_.job("new")},
                                             given_.tasks(candidates)));
  }
};

TEST_F(GangEvictionTest, PreemptionIsNotTheQueuesBusiness) {
  EXPECT_THAT(Evictable(GangEviction::Kind::kPreempt, {"rich-0", "safe-0", "stray"}),
              ElementsAre("rich-0", "safe-0", "stray"));
}

TEST_F(GangEvictionTest, WhatAQueueHasBeyondWhatItDeservesIsTakenBackAndNoMore) {
  EXPECT_THAT(Evictable(GangEviction::Kind::kReclaim, {"rich-0", "rich-1", "rich-2"}),
              ElementsAre("rich-0", "rich-1"));
}

TEST_F(GangEvictionTest, AQueueThatDeservesNothingMayLoseAll) {
  EXPECT_THAT(Evictable(GangEviction::Kind::kReclaim, {"bare-0", "bare-1", "bare-2"}),
              ElementsAre("bare-0", "bare-1", "bare-2"));
}

TEST_F(GangEvictionTest, WhatIsGuaranteedIsNeverTaken) {
  EXPECT_THAT(Evictable(GangEviction::Kind::kReclaim, {"safe-0", "safe-1", "safe-2"}),
              ElementsAre("safe-0"));
}

TEST_F(GangEvictionTest, APodOfNoQueueIsNotTakenBack) {
  EXPECT_THAT(Evictable(GangEviction::Kind::kReclaim, {"stray"}), IsEmpty());
}

TEST_F(GangEvictionTest, OfOneQueuesPodsThoseThatShouldGoFirstAreTakenBack) {
  Session& session = Open(false);
  EXPECT_THAT(testutil::Names(session.Reclaimable(given_.task("p"),
                                                  given_.tasks({"rich-0", "rich-1", "rich-2"}))),
              ElementsAre("rich-2", "rich-1"))
      << "two are beyond what it deserves, and of equals the last goes first";
}

TEST_F(GangEvictionTest, APodOfNoQueueTakesNothingBackAndGivesNothing) {
  Session& session = Open(false);
  EXPECT_THAT(session.Reclaimable(given_.task("stray"), given_.tasks({"rich-0"})), IsEmpty());
  EXPECT_THAT(session.Reclaimable(given_.task("p"), given_.tasks({"stray"})), IsEmpty());
}

// ---- votes and orders

TEST_F(CapacityTest, AClosedQueueOrOneThatIsNoLeafLetsNobodyIn) {
  kube::Queue closed = QueueOf("closed", "", {});
  closed.state = kube::QueueState::kClosed;
  given_.Add(MakeQueue("root")).Add(std::move(closed)).Add(QueueOf("dept", "", {}));
  given_.Add(QueueOf("team", "dept", {}));
  for (const char* queue : {"closed", "dept", "team"}) {
    given_.Add(GroupOf(queue, queue, "1", kube::PodGroupPhase::kPending));
  }
  const Session& session = Open(true);
  const auto why = [&](const char* job) {
    EnqueueRefusal refusal;
    const bool may = session.MayEnqueue(given_.job(job), &refusal);
    EXPECT_EQ(may, refusal.text.empty());
    return refusal.text;
  };
  EXPECT_EQ(why("closed"), "queue closed is not open");
  EXPECT_EQ(why("dept"), "queue dept is not a leaf of the queue tree");
  EXPECT_EQ(why("team"), "");
}

TEST_F(CapacityTest, QueuesGoByPriorityThenByShareAndThoseThatDeserveNothingLast) {
  kube::Queue urgent = QueueOf("urgent", "", {{"cpu", "1"}});
  urgent.priority = 5;
  given_.Add(std::move(urgent));
  given_.Add(QueueOf("empty", "", {{"cpu", "4"}})).Add(QueueOf("half", "", {{"cpu", "4"}}));
  given_.Add(QueueOf("none", "", {})).Add(QueueOf("full", "", {{"cpu", "1"}}));
  given_.Add(MakeGroup("h", "half", 1)).Add(MakeRunningPod("h", "h", {{"cpu", "2"}}, "n"));
  given_.Add(MakeGroup("f", "full", 1)).Add(MakeRunningPod("f", "f", {{"cpu", "1"}}, "n"));
  const Session& session = Open(false);
  const auto before = [&](const char* a, const char* b) {
    return session.QueueBefore(given_.queue(a), given_.queue(b)) &&
           !session.QueueBefore(given_.queue(b), given_.queue(a));
  };
  EXPECT_TRUE(before("urgent", "empty"));
  EXPECT_TRUE(before("empty", "half"));
  EXPECT_TRUE(before("half", "full"));
  EXPECT_TRUE(before("full", "none")) << "it deserves what it has, and the other nothing";
}

TEST_F(CapacityTest, InATreeQueuesAreComparedWhereTheirWaysPartAndLeavesGoFirst) {
  given_.Add(MakeQueue("root"));
  given_.Add(QueueOf("a", "", {{"cpu", "4"}})).Add(QueueOf("b", "", {{"cpu", "4"}}));
  given_.Add(QueueOf("a-full", "a", {{"cpu", "1"}})).Add(QueueOf("a-empty", "a", {{"cpu", "3"}}));
  given_.Add(QueueOf("b-half", "b", {{"cpu", "4"}}));
  given_.Add(MakeGroup("f", "a-full", 1)).Add(MakeRunningPod("f", "f", {{"cpu", "1"}}, "n"));
  given_.Add(MakeGroup("h", "b-half", 1)).Add(MakeRunningPod("h", "h", {{"cpu", "2"}}, "n"));
  const Session& session = Open(true);
  const auto before = [&](const char* a, const char* b) {
    return session.QueueBefore(given_.queue(a), given_.queue(b)) &&
           !session.QueueBefore(given_.queue(b), given_.queue(a));
  };
  EXPECT_TRUE(before("a-empty", "a-full"));
  EXPECT_TRUE(before("a-full", "b-half")) << "a has a quarter of what it deserves, b a half";
  EXPECT_TRUE(before("b-half", "a")) << "a leaf before a branch";
}

TEST_F(CapacityTest, AQueueDeservesNoMoreThanItMayHaveAndNoLessThanItsGuarantee) {
  kube::Queue safe = QueueOf("safe", "", {{"cpu", "1"}});
  safe.guarantee = testutil::Resources({{"cpu", "3"}});
  kube::Queue closed = QueueOf("closed", "", {{"cpu", "8"}});
  closed.state = kube::QueueState::kClosed;
  given_.Add(MakeQueue("root")).Add(QueueOf("capped", "", {{"cpu", "8"}}, {{"cpu", "2"}}));
  given_.Add(std::move(safe)).Add(std::move(closed));
  for (const char* queue : {"capped", "safe", "closed"}) {
    given_.Add(MakeGroup(queue, queue, 1)).Add(MakePod(queue, queue, {{"cpu", "3"}}));
  }
  for (const bool hierarchy : {false, true}) {
    const Session& session = Open(hierarchy);
    const auto may = [&](const char* queue) {
      const Task* task = &given_.task(queue);
      return session.MayReclaim(given_.queue(queue), std::span(&task, 1));
    };
    EXPECT_FALSE(may("capped")) << hierarchy;
    EXPECT_TRUE(may("safe")) << hierarchy;
    EXPECT_FALSE(may("closed")) << hierarchy;
    session_.reset();
  }
}

}  // namespace
}  // namespace basalt::scheduler::plugins
