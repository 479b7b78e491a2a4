// What people find on their objects when something waits or is wrong, on an API server on virtual
// time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scheduler/service/scheduler_service.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testutil::FindPath;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::MakeQueue;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

class WhatUsersSeeTest : public testing::Test {
 protected:
  void Start() {
    service_ = std::make_unique<SchedulerService>(cluster_.loop(), cluster_.client());
    service_->Start();
    cluster_.loop().RunFor(2s);
  }
  void RunFor(Duration duration) { cluster_.loop().RunFor(duration); }

  // "Reason: message" of the condition; "": there is none.
  static std::string Condition(const json::value& object, std::string_view type) {
    const json::value* conditions = FindPath(object, "status.conditions");
    if (!conditions) return "";
    for (const json::value& condition : conditions->as_array()) {
      if (TextAt(condition, "type") != type) continue;
      return TextAt(condition, "reason") + ": " + TextAt(condition, "message");
    }
    return "";
  }
  std::string PodCondition(std::string_view name) {
    return Condition(cluster_.Get(resources::kPods, "default", name), "PodScheduled");
  }
  std::string GroupCondition(std::string_view name) {
    return Condition(cluster_.Get(resources::kPodGroups, "default", name), "Unschedulable");
  }
  // The message of an event with that reason about the object; "": there is none.
  std::string EventAbout(std::string_view name, std::string_view reason) {
    for (const json::value& event : cluster_.List(resources::kEvents)) {
      if (TextAt(event, "involvedObject.name") == name && TextAt(event, "reason") == reason) {
        return TextAt(event, "message");
      }
    }
    return "";
  }
  // Room for two pods of one CPU, and CPUs for three.
  void CreateNodesForTwo() {
    cluster_.Create(MakeNode("n1").Cpu("2500m"));
    cluster_.Create(MakeNode("n2").Cpu("500m"));
  }
  void CreateGang(const std::string& name, int pods, int min_member,
                  std::string_view queue = "default") {
    cluster_.Create(MakePodGroup(name, min_member, queue));
    for (int i = 0; i < pods; ++i) {
      cluster_.Create(MakePod(name + "-" + std::to_string(i)).Cpu("1").Group(name));
    }
  }

  testutil::SchedulingCluster cluster_;
  std::unique_ptr<SchedulerService> service_;
};

TEST_F(WhatUsersSeeTest, EveryPodOfAGangThatIsOneTooLargeIsUnschedulable) {
  CreateNodesForTwo();
  Start();
  CreateGang("train", 3, 3);
  RunFor(5s);
  for (const char* pod : {"train-0", "train-1", "train-2"}) {
    EXPECT_THAT(PodCondition(pod), AllOf(HasSubstr("Unschedulable: "),
                                         HasSubstr("0/2 nodes are available: 2 Insufficient cpu")));
  }
  EXPECT_THAT(GroupCondition("train"), HasSubstr("NotEnoughResources: "));
  EXPECT_THAT(EventAbout("train", "Unschedulable"), HasSubstr("tasks in gang unschedulable"));
  EXPECT_THAT(EventAbout("train-0", "FailedScheduling"), HasSubstr("Insufficient cpu"));
}

TEST_F(WhatUsersSeeTest, AGangIsCalledUnschedulableUntilItRunsAndScheduledThen) {
  CreateNodesForTwo();
  Start();
  CreateGang("train", 3, 3);
  RunFor(5s);
  const auto transition = [&](std::string_view type) {
    const json::value group = cluster_.Get(resources::kPodGroups, "default", "train");
    for (const json::value& condition : FindPath(group, "status.conditions")->as_array()) {
      if (TextAt(condition, "type") == type) return TextAt(condition, "transitionID");
    }
    return std::string("no such condition");
  };
  const std::string waiting = transition("Unschedulable");
  EXPECT_NE(waiting, "");
  EXPECT_EQ(transition("Scheduled"), "no such condition");

  cluster_.Create(MakeNode("n3").Cpu("4"));
  RunFor(5s);
  EXPECT_EQ(transition("Unschedulable"), "no such condition");
  const std::string running = transition("Scheduled");
  EXPECT_NE(running, "no such condition");
  EXPECT_NE(running, "");
  EXPECT_NE(running, waiting);
}

TEST_F(WhatUsersSeeTest, TheCountsInAGroupsConditionFollow) {
  cluster_.Create(MakeNode("n1").Cpu("1"));
  Start();
  CreateGang("train", 2, 2);
  RunFor(2s);
  EXPECT_THAT(GroupCondition("train"), HasSubstr("2 minAvailable"));
  for (const char* name : {"train-2", "train-3"}) {
    cluster_.Create(MakePod(name).Cpu("1").Group("train"));
  }
  ASSERT_TRUE(cluster_
                  .Patch({resources::kPodGroups, "default", "train"}, kube::PatchKind::kMerge,
                         R"({"spec":{"minMember":4}})")
                  .has_value());
  RunFor(15s);
  EXPECT_THAT(GroupCondition("train"), AllOf(HasSubstr("4 Pending"), HasSubstr("4 minAvailable")));
}

TEST_F(WhatUsersSeeTest, AGangWithTooFewPodsSaysSoWhenItsPodsAreFiveSecondsOld) {
  cluster_.Create(MakeNode("n1").Cpu("8"));
  Start();
  CreateGang("train", 1, 3);
  RunFor(4s);
  EXPECT_EQ(GroupCondition("train"), "");
  EXPECT_EQ(EventAbout("train", "Unschedulable"), "");
  RunFor(4s);
  EXPECT_EQ(GroupCondition("train"), "NotEnoughTasks: the group needs 3 pods and has 1");
  EXPECT_EQ(EventAbout("train", "Unschedulable"), "the group needs 3 pods and has 1");
}

// As Volcano's job controller makes them: it makes pods once the group says that it is in its
// queue.
TEST_F(WhatUsersSeeTest, AGroupWithoutPodsThatIsLetInLaterSaysSo) {
  cluster_.Create(MakeNode("n1").Cpu("4"));
  Start();
  cluster_.Create(MakePod("first").Cpu("4"));
  RunFor(2s);
  cluster_.Create(MakePodGroup("second", 4).Set("spec.minResources", json::object{{"cpu", "4"}}));
  RunFor(2s);
  const auto phase = [&] {
    return TextAt(cluster_.Get(resources::kPodGroups, "default", "second"), "status.phase");
  };
  EXPECT_EQ(phase(), "Pending");
  ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", "first"}, {.grace_period_seconds = 0}));
  RunFor(3s);
  EXPECT_EQ(phase(), "Inqueue");
}

TEST_F(WhatUsersSeeTest, WhereAQueueMayHaveAllThereIsTheNodesAreNamed) {
  cluster_.Create(MakeNode("n1").Cpu("2"));
  Start();
  CreateGang("train", 3, 3);
  RunFor(5s);
  EXPECT_THAT(PodCondition("train-0"), HasSubstr("0/1 nodes are available: 1 Insufficient cpu"));
}

TEST_F(WhatUsersSeeTest, NothingIsWrittenAgainWhileNothingChanges) {
  cluster_.Create(MakeNode("n1").Cpu("2"));
  Start();
  CreateGang("train", 3, 3);
  RunFor(30s);
  const auto version = [&](std::string_view pod) {
    return TextAt(cluster_.Get(resources::kPods, "default", pod), "metadata.resourceVersion");
  };
  const std::string before = version("train-0") + version("train-2");
  const std::string group =
      TextAt(cluster_.Get(resources::kPodGroups, "default", "train"), "metadata.resourceVersion");
  RunFor(5min);
  EXPECT_EQ(version("train-0") + version("train-2"), before);
  EXPECT_EQ(
      TextAt(cluster_.Get(resources::kPodGroups, "default", "train"), "metadata.resourceVersion"),
      group);
}

TEST_F(WhatUsersSeeTest, APodThatWaitsForItsQueueSaysSoAndAGatedOneStaysGated) {
  cluster_.Create(MakeNode("n1").Cpu("8"));
  cluster_.Create(MakeQueue("small").Set("spec.capability", json::object{{"cpu", "1"}}));
  Start();
  CreateGang("train", 2, 2, "small");
  cluster_.Create(MakePodGroup("gated", 1, "small"));
  cluster_.Create(MakePod("gated-0")
                      .Cpu("4")
                      .Group("gated")
                      .Gate("scheduling.volcano.sh/queue-allocation-gate")
                      .Annotation("scheduling.volcano.sh/queue-allocation-gate", "true"));
  RunFor(5s);
  EXPECT_EQ(PodCondition("train-0"), "WaitingForQueue: queue small has not enough cpu left");
  EXPECT_THAT(PodCondition("train-1"), HasSubstr("WaitingForQueue: "));
  EXPECT_THAT(GroupCondition("train"), HasSubstr("queue small has not enough cpu left"));
  EXPECT_THAT(PodCondition("gated-0"), HasSubstr("SchedulingGated"));
  EXPECT_NE(GroupCondition("gated"), "");
}

TEST_F(WhatUsersSeeTest, OnlyWhomMoreNodesWouldHelpIsUnschedulable) {
  struct Case {
    std::string_view what;
    json::object queue;
    int cpus;
    std::string_view reason;
  };
  const Case cases[] = {
      {"its queue may have no more", {{"capability", {{"cpu", "1"}}}}, 8, "WaitingForQueue: "},
      {"neither queue nor nodes have room", {{"capability", {{"cpu", "1"}}}}, 1, "WaitingForQueue"},
      {"its queue may have all there is", {}, 1, "Unschedulable: "},
      {"its queue may have more than there is",
       {{"capability", {{"cpu", "4"}}}},
       1,
       "Unschedulable: "},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    testutil::SchedulingCluster cluster;
    SchedulerService service(cluster.loop(), cluster.client());
    cluster.Create(MakeNode("n1").Cpu(std::to_string(c.cpus)));
    cluster.Create(MakeQueue("q").Set("spec", c.queue));
    service.Start();
    cluster.Create(MakePod("first").Cpu("1").Annotation("scheduling.volcano.sh/queue-name", "q"));
    cluster.loop().RunFor(3s);
    ASSERT_EQ(cluster.Bound(), 1);
    cluster.Create(MakePod("second").Cpu("1").Annotation("scheduling.volcano.sh/queue-name", "q"));
    cluster.loop().RunFor(5s);
    EXPECT_THAT(Condition(cluster.Get(resources::kPods, "default", "second"), "PodScheduled"),
                HasSubstr(c.reason));
  }
}

TEST_F(WhatUsersSeeTest, AGroupOfAMissingQueueSaysSoAndTheRestGoesOn) {
  cluster_.Create(MakeNode("n1").Cpu("8"));
  Start();
  CreateGang("lost", 1, 1, "nowhere");
  CreateGang("fine", 1, 1);
  RunFor(5s);
  EXPECT_EQ(GroupCondition("lost"), "QueueNotFound: queue nowhere does not exist");
  EXPECT_EQ(PodCondition("lost-0"), "QueueNotFound: queue nowhere does not exist");
  EXPECT_EQ(EventAbout("lost", "Unschedulable"), "queue nowhere does not exist");
  EXPECT_EQ(cluster_.Bound(), 1);
  cluster_.Create(MakeQueue("nowhere"));
  RunFor(2s);
  EXPECT_EQ(cluster_.Bound(), 2);
}

TEST_F(WhatUsersSeeTest, AGangWithTooFewPodsSaysHowManyAndOnlyAfterAWhile) {
  cluster_.Create(MakeNode("n1").Cpu("8"));
  Start();
  CreateGang("few", 2, 5);
  RunFor(2s);
  EXPECT_EQ(PodCondition("few-0"), "") << "the others may be on their way";
  RunFor(10s);
  EXPECT_EQ(PodCondition("few-0"), "NotEnoughTasks: the group needs 5 pods and has 2");
  EXPECT_EQ(GroupCondition("few"), "NotEnoughTasks: the group needs 5 pods and has 2");
}

// More nodes would not help: no autoscaler should act.
TEST_F(WhatUsersSeeTest, WhatIsNotSupportedYetWaitsAndSaysSo) {
  cluster_.Create(MakeNode("n1").Cpu("8"));
  Start();
  const auto create = [&](const std::string& name, auto group) {
    cluster_.Create(std::move(group));
    cluster_.Create(MakePod(name + "-0").Cpu("1").Group(name));
  };
  create("hard",
         MakePodGroup("hard", 1).Set("spec.networkTopology",
                                     json::object{{"mode", "hard"}, {"highestTierAllowed", 1}}));
  create("soft",
         MakePodGroup("soft", 1).Set("spec.networkTopology", json::object{{"mode", "soft"}}));
  create("parts", MakePodGroup("parts", 1)
                      .Set("spec.subGroupPolicy",
                           json::array{json::object{{"name", "s"}, {"subGroupSize", 1}}}));
  cluster_.Create(MakePod("devices").Cpu("1").Set(
      "spec.resourceClaims",
      json::array{json::object{{"name", "gpu"}, {"resourceClaimName", "gpu"}}}));
  RunFor(5s);
  EXPECT_THAT(PodCondition("hard-0"), HasSubstr("NotSupported: the group asks for a hard network"));
  EXPECT_THAT(GroupCondition("hard"), HasSubstr("NotSupported: the group asks for a hard network"));
  EXPECT_THAT(PodCondition("parts-0"), HasSubstr("NotSupported: the group has sub-groups"));
  EXPECT_THAT(PodCondition("devices"), HasSubstr("NotSupported: pods with resource claims"));
  EXPECT_THAT(EventAbout("hard-0", "FailedScheduling"), HasSubstr("make its mode soft"));
  EXPECT_EQ(cluster_.Bound(), 1) << "a soft topology is a wish";
  json::value queue = cluster_.Get(resources::kQueues, "", "default");
  EXPECT_EQ(*FindPath(queue, "status.pending"), 2)
      << "groups that cannot be scheduled take up no room";
}

TEST_F(WhatUsersSeeTest, APodThatTwoGroupsClaimAndQueuesThatAreTheirOwnAncestorsAreTold) {
  cluster_.Create(MakeNode("n1").Cpu("8"));
  cluster_.Create(MakeQueue("a").Set("spec.parent", "b"));
  cluster_.Create(MakeQueue("b").Set("spec.parent", "a"));
  Start();
  cluster_.Create(MakePodGroup("one", 1));
  cluster_.Create(MakePodGroup("two", 1));
  cluster_.Create(
      MakePod("torn").Cpu("1").Group("one").Annotation("scheduling.volcano.sh/group-name", "two"));
  RunFor(10s);
  EXPECT_THAT(EventAbout("torn", "PodGroupConflict"), HasSubstr("two PodGroups claim the pod"));
  EXPECT_EQ(EventAbout("torn", "TwoPodGroups"), "") << "one mistake, one event";
  EXPECT_THAT(EventAbout("a", "QueueCycle"), HasSubstr("a -> b -> a"));
  EXPECT_EQ(cluster_.Bound(), 1);
}

TEST_F(WhatUsersSeeTest, AQueuesStatusFollowsItsGroups) {
  cluster_.Create(MakeNode("n1").Cpu("2"));
  Start();
  CreateGang("train", 2, 2);
  RunFor(1s);
  CreateGang("next", 1, 1);
  cluster_.Create(MakePod("plain").Cpu("1"));
  RunFor(10s);
  const json::value queue = cluster_.Get(resources::kQueues, "", "default");
  EXPECT_EQ(TextAt(queue, "status.allocated.cpu"), "2");
  EXPECT_EQ(*FindPath(queue, "status.running"), 1);
  EXPECT_EQ(*FindPath(queue, "status.inqueue"), 1);
  EXPECT_EQ(*FindPath(queue, "status.pending"), 1) << "a shadow counts too";
  const std::string version = TextAt(queue, "metadata.resourceVersion");
  RunFor(1min);
  EXPECT_EQ(TextAt(cluster_.Get(resources::kQueues, "", "default"), "metadata.resourceVersion"),
            version);
}

TEST_F(WhatUsersSeeTest, TheSchedulerExplainsWhileItLeads) {
  CreateNodesForTwo();
  Start();
  CreateGang("train", 3, 3);
  RunFor(5s);
  auto explainer = service_->scheduler().MakeExplainer();
  ASSERT_TRUE(explainer.has_value());
  const auto why = explainer->Pod("default", "train-1");
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->stage, explain::Stage::kNode);
  EXPECT_EQ(why->change, "one more node like n1");
  service_->scheduler().Stop();
  EXPECT_FALSE(service_->scheduler().MakeExplainer().has_value());
}

}  // namespace
}  // namespace basalt::scheduler
