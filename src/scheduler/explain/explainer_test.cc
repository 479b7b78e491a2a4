#include "scheduler/explain/explainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/explain/explainer_test_util.h"

namespace basalt::scheduler::explain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::Resources;

TEST_F(ExplainerTest, ThereIsNothingToSayAboutWhatIsNotThere) {
  Explainer explainer(given_.cluster, *plugins_, testutil::kTestNow);
  EXPECT_FALSE(explainer.Pod("ns", "none").has_value());
  EXPECT_FALSE(explainer.PodGroup("ns", "none").has_value());
  EXPECT_FALSE(explainer.Queue("none").has_value());
}

TEST_F(ExplainerTest, AQueueThatIsFullNamesTheResourceTheHolderAndWhatIsMissing) {
  kube::Queue queue = MakeQueue("q");
  queue.capability = Resources({{"cpu", "4"}});
  given_.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "16"}, {"memory", "16Gi"}}));
  given_.Add(MakeGroup("old", "q", 1)).Add(MakeRunningPod("old-0", "old", {{"cpu", "3"}}, "n1"));
  AddGang("new", "q", 3, 3, {{"cpu", "1"}});
  for (const char* pod : {"new-0", "new-2"}) {
    const Explanation got = Pod(pod);
    EXPECT_EQ(got.stage, Stage::kQueue);
    EXPECT_EQ(got.reason, "QueueFull");
    EXPECT_THAT(got.message, HasSubstr("queue q has not enough cpu left"));
    ASSERT_TRUE(got.queue.has_value());
    EXPECT_EQ(got.queue->name, "q");
    EXPECT_EQ(got.queue->resource, "cpu");
    ASSERT_EQ(got.queue->holders.size(), 1u);
    EXPECT_EQ(got.queue->holders[0].name, "old");
    EXPECT_EQ(got.queue->holders[0].amount, "3");
    EXPECT_EQ(got.change, "queue q: capability cpu +2");
  }
}

TEST_F(ExplainerTest, TheQueueInTheTreeThatIsShortIsNamed) {
  kube::Queue parent = MakeQueue("team");
  parent.capability = Resources({{"cpu", "4"}});
  given_.Add(std::move(parent)).Add(MakeNode("n1", {{"cpu", "16"}}));
  for (const char* name : {"a", "b"}) {
    kube::Queue child = MakeQueue(name);
    child.parent = "team";
    given_.Add(std::move(child));
  }
  given_.Add(MakeGroup("old", "b", 1)).Add(MakeRunningPod("old-0", "old", {{"cpu", "3"}}, "n1"));
  AddGang("new", "a", 1, 1, {{"cpu", "2"}});
  const Explanation got = Pod("new-0");
  EXPECT_EQ(got.stage, Stage::kQueue);
  ASSERT_TRUE(got.queue.has_value());
  EXPECT_EQ(got.queue->name, "team");
  ASSERT_EQ(got.queue->holders.size(), 1u);
  EXPECT_EQ(got.queue->holders[0].queue, "b");
  EXPECT_EQ(got.change, "queue team: capability cpu +1");
}

TEST_F(ExplainerTest, WhereTheNodesHaveTooLittleTheQueueIsShortOfNothing) {
  given_.Add(MakeQueue("q"));
  kube::PodGroup group = MakeGroup("big", "q", 1, kube::PodGroupPhase::kPending);
  group.min_resources = Resources({{"cpu", "100"}});
  given_.Add(std::move(group)).Add(MakePod("big-0", "big", {{"cpu", "100"}}));
  Explanation got = Pod("big-0");
  EXPECT_EQ(got.stage, Stage::kEnqueue);
  EXPECT_THAT(got.message, StartsWith("the cluster has no nodes"));
  EXPECT_FALSE(got.queue.has_value());
  given_.Add(MakeNode("n1", {{"cpu", "16"}}));
  got = Pod("big-0");
  EXPECT_THAT(got.message, StartsWith("a pod asks for more cpu than any node has"));
  EXPECT_FALSE(got.queue.has_value());
}

TEST_F(ExplainerTest, APodsOwnClaimIsNotWhatItIsShortOf) {
  AddQueueForCpu("q", "1");
  given_.Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakeGroup("g", "q", 1));
  kube::Pod admitted = Gated("a", "g", "2");
  admitted.spec.scheduling_gates.clear();
  given_.Add(std::move(admitted));
  ASSERT_TRUE(given_.task("a").holding.queue_claim);
  const Explanation got = Pod("a");
  EXPECT_THAT(got.message, HasSubstr("queue q: cpu 1 short of a limit of 1"));
  EXPECT_EQ(got.change, "queue q: capability cpu +1");
}

TEST_F(ExplainerTest, WithoutAHierarchyTheCapabilityOfAParentIsNotInTheWay) {
  AddQueueForCpu("top", "1");
  kube::Queue below = MakeQueue("below");
  below.parent = "top";
  below.capability = Resources({{"cpu", "4"}});
  given_.Add(std::move(below)).Add(MakeNode("n1", {{"cpu", "16"}}));
  given_.Add(MakeGroup("runs", "below", 1));
  given_.Add(MakeRunningPod("runs-0", "runs", {{"cpu", "4"}}, "n1"));
  AddGang("first", "below", 1, 1, {{"cpu", "2"}});
  AddGang("second", "below", 1, 1, {{"cpu", "2"}});
  EXPECT_EQ(Pod("first-0").change, "queue below: capability cpu +2; queue top: capability cpu +5");
  WithoutHierarchy();
  const Explanation got = Pod("first-0");
  EXPECT_THAT(got.message, HasSubstr("queue below: cpu 2 short of a limit of 4"));
  EXPECT_EQ(got.change, "queue below: capability cpu +2");
  EXPECT_EQ(Pod("second-0").change, "queue below: capability cpu +4") << "with the one ahead";
}

TEST_F(ExplainerTest, WithoutAHierarchyWhoCountsInAQueueBelowHoldsNothingOfIt) {
  AddQueueForCpu("team", "4");
  kube::Queue below = MakeQueue("below");
  below.parent = "team";
  given_.Add(std::move(below)).Add(MakeNode("n1", {{"cpu", "64"}}));
  given_.Add(MakeGroup("large", "below", 1)).Add(MakeGroup("small", "team", 1));
  given_.Add(MakeRunningPod("large-0", "large", {{"cpu", "40"}}, "n1"));
  given_.Add(MakeRunningPod("small-0", "small", {{"cpu", "3"}}, "n1"));
  AddGang("waits", "team", 1, 1, {{"cpu", "2"}});
  WithoutHierarchy();
  const Explanation got = Pod("waits-0");
  EXPECT_THAT(got.message, HasSubstr("cpu is held by ns/small (3)"));
  EXPECT_THAT(got.message, testing::Not(HasSubstr("large")));
  ASSERT_TRUE(got.queue);
  EXPECT_EQ(got.queue->holders.size(), 1u);
}

TEST_F(ExplainerTest, AGroupThatIsNotLetInSaysWhy) {
  kube::Queue queue = MakeQueue("q");
  queue.capability = Resources({{"cpu", "4"}});
  given_.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "16"}}));
  kube::PodGroup group = MakeGroup("big", "q", 1, kube::PodGroupPhase::kPending);
  group.min_resources = Resources({{"cpu", "6"}});
  given_.Add(std::move(group)).Add(MakePod("big-0", "big", {{"cpu", "6"}}));
  const Explanation got = Pod("big-0");
  EXPECT_EQ(got.stage, Stage::kEnqueue);
  EXPECT_THAT(got.message, HasSubstr("queue q has not enough cpu left"));
  EXPECT_EQ(got.queue->resource, "cpu");
  EXPECT_EQ(got.change, "queue q: capability cpu +2");
}

TEST_F(ExplainerTest, APodThatFitsWaitsForTheOtherKindOfPodInItsGang) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "4"}}));
  AddGang("mixed", "q", 1, 2, {{"cpu", "1"}});
  given_.Add(MakePod("mixed-huge", "mixed", {{"cpu", "8"}}));
  const Explanation got = Pod("mixed-0");
  EXPECT_EQ(got.stage, Stage::kGang);
  EXPECT_THAT(got.message, HasSubstr("mixed-huge: 0/1 nodes are available"));
  // One is enough only where its name does not make the small pod go there first.
  EXPECT_EQ(got.change, "2 more nodes with room for cpu 8 each");
}

TEST_F(ExplainerTest, AQueueTreeOfAnyDepthIsWalked) {
  given_.Add(MakeNode("n1", {{"cpu", "4"}}));
  std::string parent = "root";
  for (int i = 0; i < 300; ++i) {
    kube::Queue queue = MakeQueue("q" + std::to_string(i));
    queue.parent = parent;
    parent = queue.meta.name;
    given_.Add(std::move(queue));
  }
  AddGang("deep", parent, 1, 1, {{"cpu", "8"}});
  Explainer explainer(given_.cluster, *plugins_, testutil::kTestNow);
  EXPECT_EQ(explainer.Queue("root")->waiting_total, 1);
}

TEST_F(ExplainerTest, MissingAndClosedObjectsAreNamed) {
  given_.Add(MakeNode("n1", {{"cpu", "8"}}));
  given_.Add(MakePod("lost", "nowhere", {{"cpu", "1"}}));
  EXPECT_EQ(Pod("lost").reason, "PodGroupNotFound");
  EXPECT_EQ(Pod("lost").change, "create PodGroup ns/nowhere");
  AddGang("a", "missing", 1, 1, {{"cpu", "1"}});
  EXPECT_EQ(Pod("a-0").stage, Stage::kEnqueue);
  EXPECT_EQ(Pod("a-0").reason, "QueueNotFound");
  EXPECT_EQ(Pod("a-0").change, "create Queue missing");
  kube::Queue closed = MakeQueue("closed");
  closed.state = kube::QueueState::kClosed;
  given_.Add(std::move(closed));
  AddGang("b", "closed", 1, 1, {{"cpu", "1"}});
  EXPECT_EQ(Pod("b-0").reason, "QueueClosed");
  EXPECT_EQ(Pod("b-0").change, "open queue closed");
}

TEST_F(ExplainerTest, AQueueThatIsItsOwnAncestorIsNamed) {
  given_.Add(MakeNode("n1", {{"cpu", "8"}}));
  for (const auto& [name, parent] : {std::pair("a", "b"), std::pair("b", "a")}) {
    kube::Queue queue = MakeQueue(name);
    queue.parent = parent;
    given_.Add(std::move(queue));
  }
  AddGang("new", "a", 1, 1, {{"cpu", "1"}});
  const Explanation got = Pod("new-0");
  EXPECT_EQ(got.reason, "QueueCycle");
  EXPECT_EQ(got.change, "queue b: another parent than a");
}

TEST_F(ExplainerTest, GatesThatBasaltDoesNotTouchAreNamed) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakeGroup("g", "q", 1));
  kube::Pod foreign = MakePod("foreign", "g", {{"cpu", "1"}});
  foreign.spec.scheduling_gates = {"example.com/wait", std::string(kGate)};
  foreign.meta.annotations.Set(kGate, "true");
  given_.Add(std::move(foreign));
  EXPECT_EQ(Pod("foreign").stage, Stage::kGated);
  EXPECT_EQ(Pod("foreign").message,
            "scheduling gate example.com/wait is somebody else's: Basalt does not touch it");
  EXPECT_EQ(Pod("foreign").change, "remove scheduling gate example.com/wait from pod ns/foreign");
  kube::Pod mismatch = MakePod("mismatch", "g", {{"cpu", "1"}});
  mismatch.spec.scheduling_gates = {std::string(kGate)};
  given_.Add(std::move(mismatch));
  EXPECT_EQ(Pod("mismatch").stage, Stage::kGated);
  EXPECT_EQ(Pod("mismatch").reason, "QueueGateMismatch");
}

TEST_F(ExplainerTest, OfVeryManyGatesAFewAreNamed) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakeGroup("g", "q", 1));
  kube::Pod pod = MakePod("p", "g", {{"cpu", "1"}});
  for (int i = 0; i < 300; ++i) pod.spec.scheduling_gates.push_back("x" + std::to_string(i));
  given_.Add(std::move(pod));
  EXPECT_EQ(Pod("p").message,
            "scheduling gates x0, x1, x2 and 297 more are somebody else's: Basalt does not touch "
            "them");
  for (const Explanation& got : {Pod("p"), Group("g")}) {
    EXPECT_EQ(got.change, "remove scheduling gates x0, x1, x2 and 297 more from pod ns/p");
  }
}

TEST_F(ExplainerTest, AGangWithAMemberBehindAGateOfOthersWaitsForThatGate) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakeGroup("h", "q", 2));
  kube::Pod held = MakePod("h-2", "h", {{"cpu", "1"}});
  held.spec.scheduling_gates = {"example.com/x"};
  given_.Add(MakePod("h-1", "h", {{"cpu", "1"}})).Add(std::move(held));
  for (const Explanation& got : {Pod("h-1"), Group("h")}) {
    EXPECT_EQ(got.stage, Stage::kGang);
    EXPECT_EQ(got.reason, "WaitingForGates");
    EXPECT_THAT(got.message, HasSubstr("h-2 is held back by scheduling gate example.com/x"));
    EXPECT_EQ(got.change, "remove scheduling gate example.com/x from pod ns/h-2");
  }
  EXPECT_EQ(Pod("h-1").condition, "WaitingForGates") << "no node can help";
}

TEST_F(ExplainerTest, APodsOwnClaimDoesNotStandInItsWay) {
  AddQueueForCpu("q", "1");
  given_.Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakeGroup("a", "q", 1));
  kube::Pod admitted = Gated("a", "a", "2");
  admitted.spec.scheduling_gates.clear();  // admitted before the capability was lowered
  given_.Add(std::move(admitted));
  ASSERT_TRUE(given_.task("a").holding.queue_claim);
  const Explanation got = Pod("a");
  EXPECT_EQ(got.reason, "QueueFull");
  EXPECT_THAT(got.message, HasSubstr("queue q: cpu 1 short of a limit of 1"));
  EXPECT_THAT(got.message, testing::Not(HasSubstr("waits for ns/a")));
  EXPECT_EQ(got.change, "queue q: capability cpu +1");
  EXPECT_THAT(got.queue->holders, IsEmpty());

  // Nor does that of another: who has a claim does not compete with claims.
  kube::Pod other = Gated("b", "b", "2");
  other.spec.scheduling_gates.clear();
  given_.Add(MakeGroup("b", "q", 1)).Add(std::move(other));
  ASSERT_TRUE(given_.task("b").holding.queue_claim);
  const Explanation beside = Pod("a");
  EXPECT_THAT(beside.message, HasSubstr("queue q: cpu 1 short of a limit of 1"));
  EXPECT_THAT(beside.message, testing::Not(HasSubstr("ns/b")));
  EXPECT_EQ(beside.change, "queue q: capability cpu +1");
  EXPECT_THAT(beside.queue->holders, IsEmpty());
  const Explanation behind = Pod("b");
  EXPECT_THAT(behind.message, HasSubstr("queue q: cpu 1 short of a limit of 1"));
  EXPECT_EQ(behind.change, "queue q: capability cpu +3") << "ns/a is ahead of it";
}

TEST_F(ExplainerTest, AGangOfWhichAPartIsAdmittedWaitsBehindTheClaimsOfOthersWithTheRest) {
  AddQueueForCpu("q", "5");
  given_.Add(MakeNode("n1", {{"cpu", "8"}}))
      .Add(MakeGroup("a", "q", 1))
      .Add(MakeGroup("g", "q", 2));
  kube::Pod other = Gated("other", "a", "2"), admitted = Gated("g-0", "g", "2");
  for (kube::Pod* pod : {&other, &admitted}) pod->spec.scheduling_gates.clear();
  other.spec.node_selector.Set("disk", "none-has-it");
  given_.Add(std::move(other)).Add(std::move(admitted)).Add(Gated("g-1", "g", "2"));
  const Explanation got = Pod("g-1");
  EXPECT_THAT(got.message, HasSubstr("queue q: cpu 1 short of a limit of 5"));
  EXPECT_THAT(got.message, HasSubstr("waits for ns/other (cpu 2"));
  EXPECT_EQ(got.change, "queue q: capability cpu +1");
}

TEST_F(ExplainerTest, ABadMinimumIsToBeCorrected) {
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  pod.meta.annotations.Set(model::annotations::kGroupMinMember, "zero");
  pod.meta.uid = "1";
  given_.cluster.SetPod(std::make_shared<const kube::Pod>(pod), "podgroup-1", {});
  EXPECT_EQ(Pod("p").change,
            "correct the annotation scheduling.volcano.sh/group-min-member "
            "(\"zero\") to a positive integer");
  pod.meta.annotations = {{model::annotations::kGroupMinResources, "plenty"}};
  given_.cluster.SetPod(std::make_shared<const kube::Pod>(pod), "podgroup-1", {});
  EXPECT_EQ(Pod("p").change,
            "correct the annotation scheduling.volcano.sh/group-min-resources (\"plenty\") to an "
            R"(object of amounts such as {"cpu":"4","memory":"8Gi"})");
}

TEST_F(ExplainerTest, AGatedPodTellsItsPlaceWhatIsShortAndWhoHoldsIt) {
  AddQueueForCpu("q", "3");
  given_.Add(MakeNode("n1", {{"cpu", "8"}}));
  given_.Add(MakeGroup("old", "q", 1)).Add(MakeRunningPod("old-0", "old", {{"cpu", "2"}}, "n1"));
  for (const char* name : {"a", "b", "c"}) {
    given_.Add(MakeGroup(name, "q", 1)).Add(Gated(name, name, "2"));
  }
  const Explanation got = Pod("b");
  EXPECT_EQ(got.stage, Stage::kGated);
  EXPECT_EQ(got.reason, "QueueFull");
  EXPECT_EQ(got.message,
            "queue q has not enough cpu left; queue q: cpu 1 short of a limit of 3; 2nd of 3 jobs "
            "waiting in queue q; cpu is held by ns/old (2); its queue-allocation gate stays "
            "meanwhile, so that no autoscaler sees it");
  ASSERT_TRUE(got.queue.has_value());
  EXPECT_EQ(got.queue->resource, "cpu");
  ASSERT_EQ(got.queue->holders.size(), 1u);
  EXPECT_EQ(got.queue->holders[0].name, "old");
  EXPECT_EQ(got.queue->holders[0].kind, "PodGroup");
  EXPECT_EQ(got.change, "queue q: capability cpu +3") << "ns/a is ahead of it";
  EXPECT_EQ(Group("b").stage, Stage::kGated);
}

TEST_F(ExplainerTest, AGangThatItsQueueCannotTakeWaitsForTheQueueAlsoWhereThereIsNoNode) {
  AddQueueForCpu("q", "3");
  given_.Add(MakeGroup("g", "q", 4));
  for (int i = 0; i < 4; ++i) given_.Add(Gated("g-" + std::to_string(i), "g", "1"));
  const Explanation got = Pod("g-0");
  EXPECT_EQ(got.stage, Stage::kGated);
  EXPECT_EQ(got.reason, "QueueFull");
  EXPECT_THAT(got.message, HasSubstr("3 of 4 pods that the group still needs could be admitted"));
  EXPECT_THAT(got.message, HasSubstr("queue q: cpu 1 short of a limit of 3; 1st of 1 job waiting"));
  EXPECT_THAT(got.change, StartsWith("queue q: capability cpu +1; and "));
}

TEST_F(ExplainerTest, AGatedJobIsNotHeldToWhatTheNodesHave) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "1"}})).Add(MakeGroup("g", "q", 1));
  given_.Add(Gated("big", "g", "4"));
  const Explanation got = Pod("big");
  EXPECT_EQ(got.stage, Stage::kNode);
  EXPECT_THAT(got.nodes, ElementsAre(NodeCount{"Insufficient cpu", 1}));
}

TEST_F(ExplainerTest, WhoWaitsBehindAClaimWithoutANodeIsToldForWhomHowLongAndTheRemedy) {
  AddQueueForCpu("q", "1");
  given_.Add(MakeNode("n1", {{"cpu", "8"}}));
  kube::Pod picky = Gated("picky", "first", "1");
  picky.spec.scheduling_gates.clear();
  picky.spec.node_selector.Set("disk", "none-has-it");
  given_.Add(MakeGroup("first", "q", 1)).Add(std::move(picky));
  given_.cluster.SetClaimedSince(given_.task("picky").id, testutil::kTestNow - 5min);
  given_.Add(MakeGroup("second", "q", 1)).Add(Gated("good", "second", "1"));

  Explanation got = Pod("good");
  EXPECT_EQ(got.stage, Stage::kGated);
  EXPECT_THAT(got.message, HasSubstr("1st of 1 job waiting in queue q"));
  EXPECT_THAT(got.message, HasSubstr("waits for ns/picky (cpu 1, for 5m0s), which has a claim and "
                                     "no node that fits: a claim is kept until its pod gets a node "
                                     "or is deleted; with gateHoldTimeout"));
  ASSERT_EQ(got.queue->holders.size(), 1u);
  EXPECT_EQ(got.queue->holders[0].claimed_since, testutil::kTestNow - 5min);

  Configure("gateHoldTimeout", "8m");
  got = Pod("good");
  EXPECT_THAT(got.message,
              HasSubstr("blocks nobody after gateHoldTimeout (8m0s), this one in 3m0s"));

  got = Pod("picky");
  EXPECT_EQ(got.stage, Stage::kNode);
  EXPECT_THAT(got.message, HasSubstr("its queue has admitted it 5m0s ago and keeps its room"));
}

TEST_F(ExplainerTest, APlainPodThatHoldsWhatIsShortIsNamedByItsOwnName) {
  AddQueueForCpu("q", "1");
  given_.Add(MakeNode("n1", {{"cpu", "8"}}));
  given_.Add(MakeRunningPod("plain", "podgroup-uid", {{"cpu", "1"}}, "n1"));
  auto shadow = std::make_shared<kube::PodGroup>(MakeGroup("podgroup-uid", "q", 1));
  given_.cluster.SetShadow(given_.task("plain").id, std::move(shadow), "q");
  given_.Add(MakeGroup("g", "q", 1)).Add(Gated("waits", "g", "1"));
  const Explanation got = Pod("waits");
  ASSERT_EQ(got.queue->holders.size(), 1u);
  EXPECT_EQ(got.queue->holders[0].kind, "Pod");
  EXPECT_EQ(got.queue->holders[0].name, "plain");
  EXPECT_THAT(got.message, HasSubstr("cpu is held by ns/plain (1)"));
}

TEST_F(ExplainerTest, WhatIsPlacedOrPromisedSaysWhere) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}})).Add(MakeGroup("g", "q", 1));
  given_.Add(MakeRunningPod("runs", "g", {{"cpu", "1"}}, "n1"));
  EXPECT_EQ(Pod("runs").stage, Stage::kBound);
  kube::Pod leaving = MakeRunningPod("leaves", "g", {{"cpu", "1"}}, "n1");
  leaving.meta.deletion_timestamp = testutil::kTestNow;
  given_.Add(std::move(leaving)).Add(MakePod("waits", "g", {{"cpu", "1"}}));
  given_.cluster.Move(given_.task("waits").id,
                      {.status = model::TaskStatus::kPipelined, .node = given_.node("n1").id});
  const Explanation got = Pod("waits");
  EXPECT_EQ(got.stage, Stage::kPipelined);
  EXPECT_THAT(got.message, HasSubstr("ns/leaves"));
  EXPECT_EQ(got.until, testutil::kTestNow + 2min);
  EXPECT_THAT(got.message, HasSubstr("node n1 is promised to the pod, once ns/leaves has left it"));
}

TEST_F(ExplainerTest, AMemberOfAGangWhoseNodeIsFreeWaitsForThoseWhoLeaveTheOthers) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  given_.Add(MakeNode("n2", {{"cpu", "2"}})).Add(MakeGroup("old", "q", 1));
  kube::Pod leaving = MakeRunningPod("leaves", "old", {{"cpu", "2"}}, "n2");
  given_.Add(leaving);
  AddGang("gang", "q", 2, 2, {{"cpu", "2"}});
  const auto promise = [&](const char* pod, const char* node) {
    given_.cluster.Move(given_.task(pod).id,
                        {.status = model::TaskStatus::kPipelined, .node = given_.node(node).id});
  };
  // Its eviction is under way.
  given_.cluster.Move(given_.task("leaves").id,
                      {.status = model::TaskStatus::kReleasing, .node = given_.node("n2").id});
  promise("gang-0", "n1");
  promise("gang-1", "n2");
  Explanation got = Pod("gang-0");
  EXPECT_EQ(got.stage, Stage::kPipelined);
  EXPECT_THAT(got.message, HasSubstr("node n1 is promised to the pod, which has room for it; the "
                                     "rest of its group waits until ns/leaves has left"));
  EXPECT_THAT(got.message, HasSubstr("yet to confirm an eviction"));
  EXPECT_EQ(got.until, std::nullopt);
  leaving.meta.deletion_timestamp = testutil::kTestNow + 30s;
  given_.Add(std::move(leaving));
  got = Pod("gang-0");
  EXPECT_EQ(got.until, testutil::kTestNow + 30s + 2min);
  EXPECT_EQ(Pod("gang-1").until, got.until);
  EXPECT_EQ(got.change, "wait for ns/leaves to leave");
}

TEST_F(ExplainerTest, AQueueTellsWhatIsNextAndWhatWaits) {
  kube::Queue queue = MakeQueue("q");
  queue.capability = Resources({{"cpu", "2"}});
  given_.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "16"}}));
  Explainer explainer(given_.cluster, *plugins_, testutil::kTestNow);
  EXPECT_EQ(explainer.Queue("q")->next.stage, Stage::kBound);
  AddGang("a", "q", 1, 1, {{"cpu", "3"}});
  AddGang("b", "q", 1, 1, {{"cpu", "4"}});
  const QueueExplanation got = *explainer.Queue("q");
  EXPECT_EQ(got.waiting_total, 2);
  EXPECT_EQ(got.waiting.size(), 2u);
  EXPECT_THAT(got.next.message, StartsWith("ns/a: "));
  EXPECT_EQ(got.next.change, "queue q: capability cpu +1");
  EXPECT_THAT(got.waiting[0].change, IsEmpty());
}

TEST_F(ExplainerTest, WhereAQueueMayHaveAllThereIsTheNodesAreShortAndNotTheQueue) {
  // Without the tree a queue is held to what the nodes have.
  Config config = testutil::OneTier({"gang", "predicates", "capacity"});
  config.actions = {"enqueue", "allocate"};
  plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  AddGang("train", "q", 3, 3, {{"cpu", "1"}});
  const Explanation got = Pod("train-1");
  EXPECT_EQ(got.stage, Stage::kNode);
  EXPECT_THAT(got.nodes, ElementsAre(NodeCount{"Insufficient cpu", 1}));
  EXPECT_EQ(got.change, "one more node like n1");
}

TEST_F(ExplainerTest, TheKeysAreThoseOfTheContract) {
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  AddGang("train", "q", 1, 1, {{"cpu", "4"}});
  const boost::json::object got = ToJson(Pod("train-0"));
  for (const char* key :
       {"stage", "reason", "message", "nodes", "queue", "until", "change", "kind", "name"}) {
    EXPECT_TRUE(got.contains(key)) << key;
  }
  EXPECT_EQ(got.at("stage"), "node");
  EXPECT_EQ(got.at("nodes").as_array()[0].at("count"), 1);
  EXPECT_TRUE(got.at("queue").is_null());
}

TEST_F(ExplainerTest, APodThatIsSparedBecauseOfAnEvictionBeforeIsNamed) {
  Config config = testutil::OneTier({"priority", "gang", "predicates"});
  config.actions = {"enqueue", "allocate", "preempt"};
  plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}}));
  const auto with_priority = [](kube::Pod pod, int priority) {
    pod.spec.priority = priority;
    return pod;
  };
  given_.Add(MakeGroup("low", "q", 1)).Add(MakeGroup("high", "q", 1));
  given_.Add(with_priority(MakeRunningPod("lp", "low", {{"cpu", "2"}}, "n1"), 1));
  // With a second pod the gang can do without one.
  given_.Add(MakeNode("n2", {{"cpu", "2"}}));
  given_.Add(with_priority(MakeRunningPod("lp-2", "low", {{"cpu", "2"}}, "n2"), 1));
  given_.Add(with_priority(MakePod("hp", "high", {{"cpu", "2"}}), 1000));
  given_.cluster.SetJobPriority(given_.job("low").id, 1);
  given_.cluster.SetJobPriority(given_.job("high").id, 1000);
  EvictionMemory memory;
  const auto said = [&](const char* pod) {
    return Explainer(given_.cluster, *plugins_, testutil::kTestNow, &memory)
        .Pod("ns", pod)
        ->message;
  };
  EXPECT_THAT(said("hp"), testing::Not(HasSubstr("not evicted")));
  memory.Record(given_.cluster, given_.task("lp"), given_.task("hp"), testutil::kTestNow);
  EXPECT_THAT(said("hp"), HasSubstr("; ns/lp is not evicted for this pod: a pod of that name was "
                                    "evicted for it before"));
  EXPECT_THAT(Pod("hp").message, testing::Not(HasSubstr("not evicted"))) << "there is no memory";
  given_.cluster.SetJobPriority(given_.job("low").id, 1000);
  given_.Add(with_priority(MakeRunningPod("lp", "low", {{"cpu", "2"}}, "n1"), 1000));
  EXPECT_THAT(said("hp"), testing::Not(HasSubstr("not evicted"))) << "no policy would evict it";
}

TEST_F(ExplainerTest, AGroupWhosePodsAreMadeOnceItIsInIsToldWhatItsQueueLacks) {
  AddQueueForCpu("small", "8");
  given_.Add(MakeNode("n1", {{"cpu", "64"}}));
  kube::PodGroup group = MakeGroup("later", "small", 4, kube::PodGroupPhase::kPending);
  group.min_resources = Resources({{"cpu", "16"}});
  given_.Add(std::move(group));
  const Explanation why = Group("later");
  EXPECT_EQ(why.stage, Stage::kEnqueue);
  EXPECT_THAT(why.message, HasSubstr("queue small: cpu 8 short of a limit of 8"));
  EXPECT_EQ(why.change, "queue small: capability cpu +8");
}

}  // namespace
}  // namespace basalt::scheduler::explain
