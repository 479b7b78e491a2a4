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
    EXPECT_FALSE(session.MayAllocate(given_.queue(queue), given_.task("p")).ok()) << queue;
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
  kube::Queue capped = QueueOf("capped", "", {{"cpu", "8"}}, {{"cpu", "2"}});
  kube::Queue safe = QueueOf("safe", "", {{"cpu", "1"}});
  safe.guarantee = testutil::Resources({{"cpu", "3"}});
  given_.Add(std::move(capped)).Add(std::move(safe));
  for (const char* queue : {"capped", "safe"}) {
    given_.Add(MakeGroup(queue, queue, 1)).Add(MakePod(queue, queue, {{"cpu", "3"}}));
  }
  const Session& session = Open(false);
  const auto may = [&](const char* queue) {
    const Task* task = &given_.task(queue);
    return session.MayReclaim(given_.queue(queue), std::span(&task, 1));
  };
  EXPECT_FALSE(may("capped"));
  EXPECT_TRUE(may("safe"));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
