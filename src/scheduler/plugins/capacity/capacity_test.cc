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

}  // namespace
}  // namespace basalt::scheduler::plugins
