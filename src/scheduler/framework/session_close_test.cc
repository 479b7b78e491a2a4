// What a session says in the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"
#include "scheduler/framework/reasons.h"
#include "scheduler/framework/session_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeRunningPod;

class SessionCloseTest : public SessionCycleTest {
 protected:
  // A pod that was created now.
  static kube::Pod PodOf(const std::string& group, const std::string& name) {
    kube::Pod pod = MakePod(name, group, {{"cpu", "1"}});
    pod.meta.creation_timestamp = kTestNow;
    return pod;
  }
  // How many pods a session of that time tells why they wait.
  std::size_t WaitsAt(Time now) {
    const auto session = Open(now);
    session->Close();
    return Said<model::PodWaits>(*session).size();
  }
};

TEST_F(SessionCloseTest, WordsThatAGroupDoesNotSayYetAreSaidAgainUntilItDoes) {
  opinions_.condition = "new words";
  kube::PodGroup group = MakeGroup("a", "q", 1);
  group.conditions.push_back({.type = "Unschedulable",
                              .status = kube::ConditionStatus::kTrue,
                              .reason = "R",
                              .message = "old words"});
  given_.Add(group).Add(MakePod("a-0", "a", {{"cpu", "1"}}));
  const auto close = [&] {
    const auto session = Open();
    session->Close();
    return Said<model::GroupStatus>(*session).size();
  };
  EXPECT_EQ(close(), 1u);
  EXPECT_FALSE(given_.job("a").parked()) << "the write may have to wait its turn";
  EXPECT_EQ(close(), 1u);
  group.conditions[0].message = "new words";
  given_.Add(std::move(group));
  EXPECT_EQ(close(), 0u);
  EXPECT_TRUE(given_.job("a").parked());
}

TEST_F(SessionCloseTest, WordsOfAKindThatAGroupHasNotSaidAreSaidOnceAndTheJobWaits) {
  opinions_.condition = "words";
  AddWaiting("a");
  const auto session = Open();
  session->Close();
  EXPECT_EQ(Said<model::GroupStatus>(*session).size(), 1u);
  EXPECT_TRUE(given_.job("a").parked());
}

TEST_F(SessionCloseTest, ASessionClosesOnce) {
  opinions_.condition = "words";
  AddWaiting("a");
  const auto session = Open();
  session->Close();
  const std::size_t said = session->intents().size();
  session->Close();
  EXPECT_EQ(session->intents().size(), said);
}

TEST_F(SessionCloseTest, APodWhoseNominationIsVoidLosesItWithTheReasonUnlessItIsGated) {
  AddWaiting("a");
  AddWaiting("b", "q", "2");
  for (const char* name : {"a-0", "b-0"}) {
    kube::Pod pod = *given_.task(name).pod;
    pod.status.nominated_node_name = "n1";
    if (name == std::string_view("b-0")) pod.spec.scheduling_gates = {"example.com/x"};
    given_.cluster.SetPod(std::make_shared<const kube::Pod>(std::move(pod)),
                          name == std::string_view("a-0") ? "a" : "b", {});
  }
  const auto session = Open();
  session->RecordFailure(given_.task("a-0"), {.other = "no room"});
  session->Close();
  std::vector<std::string> said;
  for (const auto* promise : Said<model::Promise>(*session)) {
    said.push_back(promise->pod->meta.name + " '" + promise->node + "' " + promise->reason + ": " +
                   promise->message);
  }
  EXPECT_THAT(said, UnorderedElementsAre("a-0 '' Unschedulable: no room", "b-0 '' : "))
      << "a gated pod is never called unschedulable";
  EXPECT_THAT(Said<model::PodWaits>(*session), IsEmpty()) << "it is one write";
}

TEST_F(SessionCloseTest, APodThatIsPromisedANodeSaysSoUnlessItDoesOrIsGated) {
  struct Row {
    const char* when;
    const char* nominated;
    bool says_why, gated, said;
  };
  for (const Row& row : {Row{"its write was lost", "", false, false, true},
                         Row{"it names another node", "n9", true, false, true},
                         Row{"it does not say why it waits", "n1", false, false, true},
                         Row{"it says all of it", "n1", true, false, false},
                         Row{"a gate of others holds it back", "", false, true, false}}) {
    AddWaiting("a");
    kube::Pod pod = *given_.task("a-0").pod;
    pod.status.nominated_node_name = row.nominated;
    if (row.says_why) {
      pod.status.conditions.push_back(
          {.type = "PodScheduled",
           .status = kube::ConditionStatus::kFalse,
           .reason = "Unschedulable",
           .message = "promised node n1, once the pods that leave it are gone"});
    }
    if (row.gated) pod.spec.scheduling_gates = {"x"};
    given_.cluster.SetPod(std::make_shared<const kube::Pod>(std::move(pod)), "a",
                          {.status = TaskStatus::kPipelined, .node = given_.node("n1").id});
    const auto session = Open();
    session->Close();
    EXPECT_EQ(Said<model::Promise>(*session).size(), row.said ? 1u : 0u) << row.when;
    given_.cluster.RemovePod("ns", "a-0");
  }
}

TEST_F(SessionCloseTest, AShadowRunsOnOnlyWhileItsPodLeaves) {
  for (const bool leaves : {false, true}) {
    kube::Pod pod = leaves ? MakeRunningPod("p", "shadow", {{"cpu", "1"}}, "n1")
                           : MakePod("p", "shadow", {{"cpu", "1"}});
    if (leaves) pod.meta.deletion_timestamp = kTestNow;
    given_.Add(std::move(pod));
    given_.cluster.SetShadow(given_.task("p").id,
                             std::make_shared<const kube::PodGroup>(MakeGroup("shadow", "q", 1)),
                             "q");
    Open()->Close();
    EXPECT_EQ(given_.job("shadow").phase,
              leaves ? model::JobPhase::kRunning : model::JobPhase::kPending);
    given_.cluster.RemovePod("ns", "p");
  }
}

TEST_F(SessionCloseTest, EachConditionOfACycleHasTheCyclesId) {
  opinions_.condition = "words";
  AddWaiting("a");
  AddWaiting("b", "q", "2");
  const auto session = Open();
  session->Close();
  const auto said = Said<model::GroupStatus>(*session);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0]->transition_id, said[1]->transition_id);
  EXPECT_THAT(said[0]->transition_id, testing::StartsWith("7-"));
}

TEST_F(SessionCloseTest, WordsThatAPodDoesNotSayYetAreSaidAgainUntilItDoes) {
  const model::Job& a = AddWaiting("a");
  const auto say = [&](std::string message) {
    kube::Pod pod = *given_.task("a-0").pod;
    pod.status.conditions = {{.type = "PodScheduled",
                              .status = kube::ConditionStatus::kFalse,
                              .reason = "Unschedulable",
                              .message = std::move(message)}};
    given_.Add(std::move(pod));
  };
  const auto close = [&] {
    const auto session = Open();
    session->RecordFailure(given_.task("a-0"), {.other = "new words"});
    session->Close();
    return Said<model::PodWaits>(*session).size();
  };
  say("old words");
  EXPECT_EQ(close(), 1u);
  EXPECT_FALSE(a.parked()) << "the write may have to wait its turn";
  say("new words");
  EXPECT_EQ(close(), 0u);
  EXPECT_TRUE(a.parked());
}

TEST_F(SessionCloseTest, AConditionIsSaidUnlessItStandsThereInAllItsParts) {
  opinions_.condition = "words";
  struct Row {
    const char* type;
    kube::ConditionStatus status;
    const char* reason;
    bool said;
  };
  for (const Row& row : {Row{"Unschedulable", kube::ConditionStatus::kTrue, "R", false},
                         Row{"Unschedulable", kube::ConditionStatus::kFalse, "R", true},
                         Row{"Unschedulable", kube::ConditionStatus::kTrue, "S", true},
                         Row{"Other", kube::ConditionStatus::kTrue, "R", true}}) {
    kube::PodGroup group = MakeGroup("a", "q", 1);
    group.conditions.push_back(
        {.type = row.type, .status = row.status, .reason = row.reason, .message = "words"});
    given_.Add(std::move(group)).Add(MakePod("a-0", "a", {{"cpu", "1"}}));
    const auto session = Open();
    session->Close();
    EXPECT_EQ(Said<model::GroupStatus>(*session).size(), row.said ? 1u : 0u)
        << row.type << " " << static_cast<int>(row.status) << " " << row.reason;
  }
}

// ---- what may pass by itself is not said at once

TEST_F(SessionCloseTest, ThatAGangLacksPodsIsNotSaidWhileTheOthersMayBeOnTheirWay) {
  given_.Add(MakeGroup("a", "q", 1));
  opinions_.condition = "words";
  const auto says = [&](std::string_view reason, Duration age) {
    given_.Add(PodOf("a", "a-0"));
    opinions_.reason = reason;
    const auto session = Open(kTestNow + age);
    session->Close();
    return !Said<model::GroupStatus>(*session).empty();
  };
  EXPECT_TRUE(says(reasons::kNotEnoughResources, 0s));
  for (const std::string_view reason : {reasons::kNotEnoughPods, reasons::kNotEnoughPodsOfTask}) {
    EXPECT_FALSE(says(reason, kPodsMayCome - 1ms)) << reason;
    EXPECT_FALSE(given_.job("a").parked()) << "it is said later";
    EXPECT_TRUE(says(reason, kPodsMayCome)) << reason;
  }
}

TEST_F(SessionCloseTest, NorIsItSaidToThePodsThatAreThere) {
  opinions_.invalid = opinions_.not_ready = {"a"};
  given_.Add(MakeGroup("a", "q", 1)).Add(PodOf("a", "a-0"));
  EXPECT_EQ(WaitsAt(kTestNow + kPodsMayCome - 1ms), 0u);
  EXPECT_FALSE(given_.job("a").parked()) << "it is said later";
  EXPECT_EQ(WaitsAt(kTestNow + kPodsMayCome), 1u);
}

TEST_F(SessionCloseTest, ThatItsGroupIsMissingAPodSaysWhenItIsTwoSecondsOld) {
  given_.Add(PodOf("missing", "early"));
  EXPECT_EQ(WaitsAt(kTestNow + 2s - 1ms), 0u);
  EXPECT_EQ(WaitsAt(kTestNow + 2s), 1u);
}

// ---- why a queue does not admit a task

TEST_F(SessionCloseTest, WhyAQueueRefusesIsToldForEachJobAndEachReason) {
  AddWaiting("a");
  AddWaiting("b", "r");
  const auto session = Open();
  for (const char* queue : {"q", "r"}) {
    const model::Shortfall full{given_.queue(queue).id, model::Bit(model::kCpu)};
    const model::Task& task = given_.task(queue == std::string_view("q") ? "a-0" : "b-0");
    const FitFailure why = session->WhyNotAdmitted(task, Verdict::QueueFull("full", full));
    EXPECT_EQ(why.other, "full");
    EXPECT_EQ(why.shortfall, full) << queue;
    EXPECT_FALSE(why.nodes_would_help);
  }
  EXPECT_EQ(session->WhyNotAdmitted(given_.task("b-0"), Verdict::Unschedulable("shut")).other,
            "shut");
}

TEST_F(SessionCloseTest, WhereTheNodesAreShortTheyAreToldOfUnlessOnlyACapabilityCounts) {
  AddWaiting("a", "q", "100");
  AddWaiting("gated", "q", "100");
  kube::Pod gated = *given_.task("gated-0").pod;
  gated.meta.annotations.Set(model::annotations::kQueueAllocationGate, "true");
  given_.Add(std::move(gated)).Add(MakePod("of-no-job", "", {{"cpu", "100"}}));
  const auto session = Open();
  const auto why = [&](const char* pod) {
    return session->WhyNotAdmitted(given_.task(pod), Verdict::Unschedulable("full"));
  };
  EXPECT_EQ(why("a-0").Message(), "0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_EQ(why("gated-0").Message(), "full");
  EXPECT_FALSE(why("gated-0").nodes_would_help);
  EXPECT_EQ(why("of-no-job").Message(), "full");
}

TEST_F(SessionCloseTest, WithoutNodesItIsSaidThatThereAreNoneAndNodesWouldHelp) {
  AddWaiting("a");
  given_.cluster.RemoveNode("n1");
  const FitFailure why = Open()->WhyNotAdmitted(given_.task("a-0"), Verdict::Unschedulable("full"));
  EXPECT_EQ(why.Message(), "the cluster has no nodes");
  EXPECT_TRUE(why.nodes_would_help);
  EXPECT_EQ(why.step, FitFailure::Step::kNode);
}

TEST_F(SessionCloseTest, OnlyTheFirstSixtyFourThatFailHearOfTheNodes) {
  AddWaiting("a", "q", "100");
  AddWaiting("b", "q", "200");
  const auto session = Open();
  const auto why = [&](const char* pod) {
    return session->WhyNotAdmitted(given_.task(pod), Verdict::Unschedulable("full")).Message();
  };
  session->RecordFailure(given_.job("a"), {});
  for (int i = 1; i < 64; ++i) {
    if (i == 63) {
      EXPECT_NE(why("a-0"), "full");
    }
    const std::string name = "p" + std::to_string(i);
    given_.Add(MakePod(name, "", {{"cpu", "1"}}));
    session->RecordFailure(given_.task(name), {});
  }
  EXPECT_EQ(why("b-0"), "full");
  const model::Shortfall cpu{given_.queue("q").id, model::Bit(model::kCpu)};
  EXPECT_EQ(
      session->WhyNotAdmitted(given_.task("b-0"), Verdict::QueueFull("no cpu", cpu)).Message(),
      "a pod asks for more cpu than any node has")
      << "the nodes lack it, not the queue";
}

}  // namespace
}  // namespace basalt::scheduler
