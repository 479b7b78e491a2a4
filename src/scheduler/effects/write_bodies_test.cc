#include "scheduler/effects/write_bodies.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace basalt::scheduler {
namespace {

namespace json = boost::json;

const Time kNow{std::chrono::seconds(1'767'225'600)};  // 2026-01-01

kube::Pod WaitingPod(std::string reason, std::string message) {
  kube::Pod pod;
  pod.meta.name = "a";
  pod.meta.ns = "ns";
  pod.meta.uid = "u1";
  pod.status.conditions.push_back({.type = "PodScheduled",
                                   .status = kube::ConditionStatus::kFalse,
                                   .reason = std::move(reason),
                                   .message = std::move(message)});
  return pod;
}

WaitingStatus Waits(std::string reason, std::string message) {
  return {.not_scheduled = WaitingStatus::Condition{std::move(reason), std::move(message)}};
}

TEST(WriteBodiesTest, ABindingNamesTheUidItIsMeantFor) {
  EXPECT_EQ(json::parse(BindingBody(WaitingPod("", ""), "n1")),
            json::parse(R"({"apiVersion":"v1","kind":"Binding",
              "metadata":{"name":"a","namespace":"ns","uid":"u1"},
              "target":{"apiVersion":"v1","kind":"Node","name":"n1"}})"));
}

TEST(WriteBodiesTest, ABindingPutsTheQueueOnThePodInTheSameWrite) {
  const json::value body = json::parse(BindingBody(WaitingPod("", ""), "n1", "team-a.tag"));
  EXPECT_EQ(body.at("metadata").at("annotations"),
            json::parse(R"({"basalt.sh/queue":"team-a.tag"})"));
  EXPECT_EQ(body.at("metadata").at("uid"), "u1");
}

TEST(WriteBodiesTest, OnlyOurGateIsRemoved) {
  EXPECT_EQ(json::parse(UngatePatch(WaitingPod("", ""))),
            json::parse(R"({"metadata":{"uid":"u1"},"spec":{"schedulingGates":[
              {"$patch":"delete","name":"scheduling.volcano.sh/queue-allocation-gate"}]}})"));
}

TEST(WriteBodiesTest, ANewMessageKeepsTheTimeOfTheTransition) {
  EXPECT_EQ(json::parse(WaitingStatusPatch(WaitingPod("Unschedulable", "old"),
                                           Waits("Unschedulable", "new"), kNow)),
            json::parse(R"({"metadata":{"uid":"u1"},"status":{"conditions":[
              {"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"new"}]}})"));
}

TEST(WriteBodiesTest, NominationAndConditionGoInOnePatch) {
  kube::Pod pod = WaitingPod("Unschedulable", "old");
  pod.status.nominated_node_name = "n1";
  WaitingStatus status = Waits("Unschedulable", "new");
  status.nominated_node = "";
  EXPECT_EQ(
      json::parse(WaitingStatusPatch(pod, status, kNow)),
      json::parse(R"({"metadata":{"uid":"u1"},"status":{"nominatedNodeName":null,"conditions":[
              {"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"new"}]}})"));
}

TEST(WriteBodiesTest, WhoLeavesForThePodGoesWithItsNomination) {
  const WaitingStatus status{.nominated_node = "n1", .evictions = "[1]"};
  EXPECT_EQ(json::parse(WaitingStatusPatch(WaitingPod("", ""), status, kNow)),
            json::parse(R"({"metadata":{"uid":"u1","annotations":{"basalt.sh/evictions":"[1]"}},
                            "status":{"nominatedNodeName":"n1"}})"));
}

TEST(WriteBodiesTest, AGroupThatSaysItAllAlreadyIsNotWritten) {
  kube::PodGroup group;
  group.phase = kube::PodGroupPhase::kInqueue;
  EXPECT_EQ(GroupStatusPatch(group, {.phase = model::JobPhase::kInqueue}, kNow), "");
}

TEST(WriteBodiesTest, AGroupIsScheduledOrUnschedulableAndItsOtherConditionsStay) {
  kube::PodGroup group;
  group.meta.uid = "g";
  group.meta.resource_version = "7";
  group.phase = kube::PodGroupPhase::kInqueue;
  const auto has = [&](const char* type) {
    group.conditions.push_back({.type = type,
                                .status = kube::ConditionStatus::kTrue,
                                .transition_id = "t",
                                .last_transition_time = kNow,
                                .reason = "r",
                                .message = "m"});
  };
  has("Other");
  has("Unschedulable");
  const auto patch = [&](const char* type) {
    return GroupStatusPatch(group,
                            {.phase = model::JobPhase::kInqueue,
                             .conditions = {{.type = type, .reason = "r", .message = "m"}},
                             .transition_id = "12-5"},
                            kNow);
  };
  EXPECT_EQ(patch("Unschedulable"), "") << "it says so";
  EXPECT_EQ(json::parse(patch("Scheduled")), json::parse(R"({
      "metadata":{"uid":"g","resourceVersion":"7"},
      "status":{"conditions":[
        {"type":"Other","status":"True","transitionID":"t","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"r","message":"m"},
        {"type":"Scheduled","status":"True","transitionID":"12-5","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"r","message":"m"}]}})"));
  has("Scheduled");
  EXPECT_NE(patch("Unschedulable"), "") << "both cannot be";
}

}  // namespace
}  // namespace basalt::scheduler
