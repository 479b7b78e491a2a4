// deps: basalt_testing_scheduling
// Reservations from end to end: the scheduler as a role on an embedded cluster, on virtual time.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <functional>
#include <set>
#include <utility>

#include "kube/types/time.h"
#include "tests/reservations/reservation_cluster.h"

namespace basalt::systemtest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testutil::MakeObject;
using testutil::MakePodGroup;
using testutil::TextAt;
namespace resources = kube::resources;
using Phase = kube::ReservationPhase;

class ReservationsTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(c_.Check(), ""); }

  ReservationCluster c_;
};

constexpr std::string_view kExample = R"({
  "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Reservation",
  "metadata": {"name": "complex-reservation", "namespace": "default"},
  "spec": {"schedulerName": "volcano", "queue": "default", "minAvailable": 3, "ttl": "600s",
    "owners": [{"labelSelector": {"matchLabels": {"volcano.sh/reservation-job": "job-multi"}}}],
    "tasks": [
      {"name": "nginx", "replicas": 2, "template": {"spec": {"restartPolicy": "Never",
        "containers": [{"name": "nginx", "image": "nginx:latest", "command": ["sleep", "300"],
          "resources": {"requests": {"cpu": "500m", "memory": "500Mi"}}}]}}},
      {"name": "busybox", "replicas": 1, "template": {"spec": {"restartPolicy": "Never",
        "containers": [{"name": "busybox", "image": "busybox:latest", "command": ["sleep", "300"],
          "resources": {"requests": {"cpu": "250m", "memory": "256Mi"}}}]}}}]}})";

// A pod of the job that the example is for.
json::object ExamplePod(std::string_view name, std::string_view image, std::string_view cpu,
                        std::string_view memory) {
  return json::object{
      {"apiVersion", "v1"},
      {"kind", "Pod"},
      {"metadata",
       json::object{{"name", name},
                    {"namespace", "default"},
                    {"labels", json::object{{"volcano.sh/reservation-job", "job-multi"}}},
                    {"annotations", json::object{{"scheduling.k8s.io/group-name", "job-multi"}}}}},
      {"spec",
       json::object{
           {"schedulerName", "volcano"},
           {"containers",
            json::array{json::object{
                {"name", image.substr(0, image.find(':'))},
                {"image", image},
                {"resources",
                 json::object{{"requests", json::object{{"cpu", cpu}, {"memory", memory}}}}}}}}}}};
}

TEST_F(ReservationsTest, TheExampleIsHeldAndThenTakenByItsJob) {
  c_.AddNode("n1", "1");
  c_.AddNode("n2", "500m");
  c_.Start();
  c_.cluster().MustCreate(resources::kReservations, "default", json::parse(kExample).as_object());
  c_.Run(2s);
  kube::Reservation reservation = c_.Get("complex-reservation");
  EXPECT_EQ(reservation.status.phase, Phase::kAvailable);
  EXPECT_EQ(reservation.status.available, 3);
  EXPECT_EQ(reservation.status.min_available, 3);
  EXPECT_THAT(reservation.status.placements, SizeIs(3));
  EXPECT_EQ(reservation.status.allocatable.Get("cpu").ToString(), "1250m");
  EXPECT_EQ(reservation.status.allocatable.Get("memory"), *kube::Quantity::Parse("1256Mi"));
  EXPECT_TRUE(reservation.status.allocated.empty());
  EXPECT_THAT(reservation.status.conditions, SizeIs(1));
  EXPECT_THAT(c_.cluster().List(resources::kPods), IsEmpty());
  EXPECT_THAT(c_.cluster().List(resources::kPodGroups), IsEmpty());

  c_.cluster().Create(c_.Pod("other", "500m"));
  c_.Run(2s);
  EXPECT_EQ(c_.NodeOf("other"), "") << "the room is not for others";

  c_.cluster().Create(MakePodGroup("job-multi", 3));
  for (const char* name : {"a", "b"}) {
    c_.cluster().MustCreate(resources::kPods, "default",
                            ExamplePod(name, "nginx:latest", "0.5", "500Mi"));
  }
  c_.cluster().MustCreate(resources::kPods, "default",
                          ExamplePod("c", "busybox:latest", "250m", "256Mi"));
  c_.Run(3s);
  EXPECT_EQ(c_.cluster().Bound(), 3);
  std::multiset<std::string> placed, bound;
  reservation = c_.Get("complex-reservation");
  for (const auto& placement : reservation.status.placements) placed.insert(placement.node);
  for (const char* name : {"a", "b", "c"}) bound.insert(c_.NodeOf(name));
  EXPECT_EQ(placed, bound);
  EXPECT_EQ(reservation.status.phase, Phase::kSucceeded);
  EXPECT_EQ(reservation.status.succeeded, 3);
  EXPECT_EQ(reservation.status.allocated.Get("cpu").ToString(), "1250m");
  ASSERT_TRUE(reservation.status.current_owner);
  EXPECT_EQ(reservation.status.current_owner->kind, "PodGroup");
  EXPECT_EQ(reservation.status.current_owner->name, "job-multi");
  EXPECT_NE(reservation.status.current_owner->uid, "");

  // It serves once: what its pods leave is for everybody.
  for (const char* name : {"a", "b", "c"}) c_.DeletePod(name);
  c_.Run(12min);
  EXPECT_NE(c_.NodeOf("other"), "");
  EXPECT_EQ(c_.PhaseOf("complex-reservation"), "Succeeded");
  EXPECT_EQ(c_.Get("complex-reservation").status.allocated.Get("cpu").ToString(), "1250m");
}

TEST_F(ReservationsTest, OneThatFindsNoRoomSaysWhatIsShortAndIsPlacedWhenThereIsSome) {
  c_.AddNode("n1", "2");
  c_.Start();
  c_.cluster().Create(c_.Pod("old", "1"));
  c_.Run(2s);
  c_.cluster().Create(c_.Reservation("r", 2));
  c_.Run(3s);
  kube::Reservation r = c_.Get("r");
  EXPECT_EQ(r.status.phase, Phase::kPending);
  EXPECT_EQ(r.status.reason, "Unschedulable");
  EXPECT_THAT(r.status.message, HasSubstr("cpu"));
  EXPECT_EQ(r.status.pending, 2);
  EXPECT_THAT(c_.PlacementsOf("r"), IsEmpty()) << "a part of it holds nothing";
  c_.Run(20s);
  c_.DeletePod("old");
  c_.Run(2s);
  EXPECT_THAT(c_.PlacementsOf("r"), ElementsAre("t/0 n1 Available", "t/1 n1 Available"));
  EXPECT_EQ(c_.PhaseOf("r"), "Available");
  EXPECT_THAT(c_.Get("r").status.conditions, SizeIs(2));
}

TEST_F(ReservationsTest, WhileSomebodyLeavesItWaitsForTheRoom) {
  c_.AddNode("n1", "1");
  c_.AddNode("n2", "9");  // a cluster that is not overcommitted by one pod more
  c_.Start();
  c_.cluster().Create(c_.Pod("big", "9"));
  c_.Run(1s);
  c_.cluster().Create(
      c_.Pod("old", "1").Finalizer("x.io/stay").Set("spec.terminationGracePeriodSeconds", 0));
  c_.Run(2s);
  ASSERT_TRUE(c_.cluster().Delete({resources::kPods, "default", "old"}));
  c_.cluster().Create(c_.Reservation("r", 1));
  c_.Run(3s);
  EXPECT_EQ(c_.PhaseOf("r"), "Waiting");
  EXPECT_THAT(c_.PlacementsOf("r"), ElementsAre("t/0 n1 Waiting"));
  EXPECT_EQ(c_.Get("r").status.pending, 1);
  c_.cluster().Create(c_.Pod("late", "1"));
  c_.Run(1s);
  ASSERT_TRUE(c_.cluster().Patch({resources::kPods, "default", "old"}, kube::PatchKind::kMerge,
                                 R"({"metadata":{"finalizers":null}})"));
  c_.Run(3s);
  EXPECT_EQ(c_.PhaseOf("r"), "Available");
  EXPECT_EQ(c_.NodeOf("late"), "") << "the promise was not for it";
}

TEST_F(ReservationsTest, ItCountsInItsQueueAndNeverExceedsItsLimit) {
  c_.AddNode("n1", "8");
  c_.AddQueue("q", "2");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 2).Set("spec.queue", "q"));
  c_.cluster().Create(c_.Reservation("s", 1).Set("spec.queue", "q"));
  c_.Run(3s);
  EXPECT_EQ(c_.PhaseOf("r"), "Available");
  EXPECT_EQ(c_.PhaseOf("s"), "Pending");
  EXPECT_THAT(c_.Get("s").status.message, HasSubstr("q"));
  const json::value queue = c_.cluster().Get(resources::kQueues, "", "q");
  EXPECT_EQ(TextAt(queue, "status.allocated.cpu"), "2");
  EXPECT_EQ(TextAt(queue, "status.reservation.resource.cpu"), "2");
  EXPECT_EQ(TextAt(queue, "status.reservation.nodes.0"), "n1");
  // Its limit, full with the reservation itself, does not hold back the job that it is for.
  c_.cluster().Create(c_.PodOf("r", "user").Annotation("scheduling.volcano.sh/queue-name", "q"));
  c_.cluster().Create(c_.Pod("other").Annotation("scheduling.volcano.sh/queue-name", "q"));
  c_.Run(3s);
  EXPECT_EQ(c_.NodeOf("user"), "n1");
  EXPECT_EQ(c_.NodeOf("other"), "");
  EXPECT_EQ(c_.Get("r").status.succeeded, 1);
  EXPECT_EQ(c_.Get("r").status.current_owner->kind, "Pod");
}

TEST_F(ReservationsTest, APodOfAnotherQueueTakesTheRoomAlongWithinItsLimit) {
  c_.AddNode("n1", "2");
  c_.AddQueue("small", "1");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 2));
  c_.Run(2s);
  for (const char* name : {"a", "b"}) {
    c_.cluster().Create(
        c_.PodOf("r", name).Annotation("scheduling.volcano.sh/queue-name", "small"));
  }
  c_.Run(3s);
  EXPECT_EQ(c_.cluster().Bound(), 1);
  EXPECT_EQ(c_.Get("r").status.succeeded, 1);
  EXPECT_EQ(c_.Get("r").status.available, 1);
}

TEST_F(ReservationsTest, AGangLargerThanWhatIsReservedStartsWithFreeRoomBesideIt) {
  c_.AddNode("n1", "1");
  c_.AddNode("n2", "1");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 1));
  c_.Run(2s);
  c_.cluster().Create(MakePodGroup("gang", 2));
  for (const char* name : {"a", "b"}) c_.cluster().Create(c_.PodOf("r", name).Group("gang"));
  c_.Run(3s);
  EXPECT_EQ(c_.cluster().Bound(), 2);
  EXPECT_EQ(c_.PhaseOf("r"), "Succeeded");
}

TEST_F(ReservationsTest, AGangThatCannotStartLeavesTheReservationUntouched) {
  c_.AddNode("n1", "2");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 1));
  c_.Run(2s);
  const std::string version = TextAt(c_.cluster().Get(resources::kReservations, "default", "r"),
                                     "metadata.resourceVersion");
  c_.cluster().Create(MakePodGroup("gang", 3));
  for (const char* name : {"a", "b", "c"}) c_.cluster().Create(c_.PodOf("r", name).Group("gang"));
  c_.Run(10s);
  EXPECT_EQ(c_.cluster().Bound(), 0);
  EXPECT_EQ(TextAt(c_.cluster().Get(resources::kReservations, "default", "r"),
                   "metadata.resourceVersion"),
            version);
  EXPECT_EQ(c_.PhaseOf("r"), "Available");
}

TEST_F(ReservationsTest, TwoPodsForOnePlacementAndTheOldestReservationFirst) {
  c_.AddNode("n1", "2");
  c_.Start();
  c_.cluster().Create(
      c_.Reservation("b-first", 1).Set("spec.owners.0.labelSelector", json::object()));
  c_.Run(2s);
  c_.cluster().Create(
      c_.Reservation("a-second", 1).Set("spec.owners.0.labelSelector", json::object()));
  c_.Run(2s);
  c_.cluster().Create(c_.Pod("one"));
  c_.Run(2s);
  EXPECT_EQ(c_.PhaseOf("b-first"), "Succeeded");
  EXPECT_EQ(c_.PhaseOf("a-second"), "Available");
  c_.cluster().Create(c_.Pod("two"));
  c_.cluster().Create(c_.Pod("three"));
  c_.Run(3s);
  EXPECT_EQ(c_.cluster().Bound(), 2);
  EXPECT_EQ(c_.PhaseOf("a-second"), "Succeeded");
}

TEST_F(ReservationsTest, WhoNamesAReservationGetsThatOneOrIsToldWhyNot) {
  c_.AddNode("n1", "8");
  c_.Start();
  const auto named = [&](const char* pod, const char* reservation, const char* app,
                         const char* cpu = "1") {
    c_.cluster().Create(
        c_.PodOf(app, pod, cpu).Annotation("volcano.sh/reservation-name", reservation));
  };
  named("early", "r", "r");
  c_.Run(3s);
  EXPECT_EQ(c_.ReasonOf("early"), "InvalidReservation");
  EXPECT_THAT(c_.MessageOf("early"), HasSubstr("r"));
  EXPECT_EQ(c_.NodeOf("early"), "");
  c_.cluster().Create(c_.Reservation("r", 3));
  c_.Run(3s);
  EXPECT_EQ(c_.NodeOf("early"), "n1") << "it goes on by itself";
  named("stranger", "r", "other");
  named("large", "r", "r", "2");
  named("fits", "r", "r");
  c_.Run(3s);
  EXPECT_EQ(c_.ReasonOf("stranger"), "ReservationOwnerNotMatch");
  EXPECT_EQ(c_.ReasonOf("large"), "ReservationSpecNotMatch");
  EXPECT_EQ(c_.NodeOf("fits"), "n1");
  EXPECT_EQ(c_.Get("r").status.succeeded, 2);

  c_.cluster().Create(MakePodGroup("gang", 2).Annotation("volcano.sh/reservation-name", "r"));
  for (const char* name : {"g-0", "g-1"}) c_.cluster().Create(c_.PodOf("r", name).Group("gang"));
  c_.Run(3s);
  EXPECT_EQ(c_.ReasonOf("g-0"), "ReservationSpecNotMatch") << "larger than what is left";
  const json::value group = c_.cluster().Get(resources::kPodGroups, "default", "gang");
  EXPECT_EQ(TextAt(group, "status.conditions.0.type"), "Unschedulable");
  EXPECT_EQ(TextAt(group, "status.conditions.0.reason"), "ReservationSpecNotMatch");
  c_.Delete("r");
  c_.Run(3s);
  EXPECT_EQ(c_.ReasonOf("g-0"), "InvalidReservation");
  EXPECT_EQ(c_.cluster().Bound(), 2);
}

TEST_F(ReservationsTest, OneWithoutOwnersServesThoseWhoNameIt) {
  c_.AddNode("n1", "2");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 1).Set("spec.owners", json::array()));
  c_.Run(2s);
  c_.cluster().Create(c_.PodOf("r", "a"));
  c_.Run(2s);
  EXPECT_EQ(c_.PhaseOf("r"), "Available") << "it is on the free half";
  c_.cluster().Create(c_.PodOf("r", "b").Annotation("volcano.sh/reservation-name", "r"));
  c_.Run(2s);
  EXPECT_EQ(c_.PhaseOf("r"), "Succeeded");
}

TEST_F(ReservationsTest, ItEndsWithItsTimeAndWhatWasTakenStays) {
  c_.AddNode("n1", "2");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 2).Set("spec.ttl", "1m"));
  c_.Run(2s);
  c_.cluster().Create(c_.PodOf("r", "user"));
  c_.Run(2s);
  c_.cluster().Create(c_.Pod("other"));
  c_.Run(50s);
  EXPECT_EQ(c_.NodeOf("other"), "");
  c_.Run(12s);
  const kube::Reservation r = c_.Get("r");
  EXPECT_EQ(r.status.phase, Phase::kFailed);
  EXPECT_EQ(r.status.reason, "Expired");
  EXPECT_EQ(r.status.succeeded, 1);
  EXPECT_EQ(r.status.failed, 1);
  EXPECT_EQ(r.status.allocatable.Get("cpu").ToString(), "1");
  EXPECT_THAT(c_.PlacementsOf("r"), ElementsAre("t/0 n1 Succeeded", "t/1 n1 Failed"));
  EXPECT_EQ(c_.NodeOf("other"), "n1");
  EXPECT_EQ(c_.NodeOf("user"), "n1");
}

TEST_F(ReservationsTest, TheEarlierOfTtlAndExpiresCountsAndZeroIsNone) {
  c_.AddNode("n1", "8");
  c_.Start();
  c_.Run(1s);
  const auto at = [&](Duration d) { return kube::FormatTime(c_.cluster().loop().Now() + d); };
  c_.cluster().Create(c_.Reservation("past", 1).Set("spec.expires", at(-1h)));
  c_.cluster().Create(c_.Reservation("never", 1).Set("spec.ttl", "0s"));
  c_.cluster().Create(
      c_.Reservation("both", 1).Set("spec.ttl", "10m").Set("spec.expires", at(1min)));
  c_.cluster().Create(
      c_.Reservation("zero", 1).Set("spec.ttl", "0s").Set("spec.expires", at(1min)));
  c_.cluster().Create(c_.Reservation("longer", 1).Set("spec.ttl", "1m"));
  c_.Run(5s);
  EXPECT_EQ(c_.PhaseOf("past"), "Failed");
  EXPECT_THAT(c_.Get("past").status.conditions, SizeIs(1)) << "it never held anything";
  ASSERT_TRUE(c_.cluster().Patch({resources::kReservations, "default", "longer"},
                                 kube::PatchKind::kMerge, R"({"spec":{"ttl":"1h"}})"));
  for (const char* name : {"never", "both", "zero"}) EXPECT_EQ(c_.PhaseOf(name), "Available");
  c_.Run(65s);
  EXPECT_EQ(c_.PhaseOf("both"), "Failed");
  EXPECT_EQ(c_.PhaseOf("zero"), "Failed");
  EXPECT_EQ(c_.PhaseOf("longer"), "Available");
  c_.Run(5min);
  EXPECT_EQ(c_.PhaseOf("never"), "Available");
}

TEST_F(ReservationsTest, ADeletedOneHoldsNothingThoughItsObjectIsKept) {
  c_.AddNode("n1", "1");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 1).Finalizer("x.io/keep"));
  c_.Run(2s);
  c_.cluster().Create(c_.Pod("other"));
  c_.Run(2s);
  EXPECT_EQ(c_.NodeOf("other"), "");
  c_.Delete("r");
  c_.Run(2s);
  EXPECT_FALSE(c_.cluster().Get(resources::kReservations, "default", "r").is_null());
  EXPECT_EQ(c_.NodeOf("other"), "n1");
}

TEST_F(ReservationsTest, APlaceThatCannotBeUsedAnyMoreIsGivenUpAndFoundAnew) {
  const auto patch_node = [&](const char* body) {
    ASSERT_TRUE(c_.cluster().Patch({resources::kNodes, "", "n1"}, kube::PatchKind::kMerge, body));
    ASSERT_TRUE(
        c_.cluster().Patch({resources::kNodes, "", "n1", "status"}, kube::PatchKind::kMerge, body));
  };
  struct Case {
    const char* what;
    std::function<void()> spoil;
  };
  const Case cases[] = {
      {"deleted",
       [&] {
         ASSERT_TRUE(c_.cluster().Delete({resources::kNodes, "", "n1"}));
       }},
      {"cordoned", [&] { patch_node(R"({"spec":{"unschedulable":true}})"); }},
      {"tainted",
       [&] { patch_node(R"({"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}})"); }},
      {"shrunk", [&] { patch_node(R"({"status":{"allocatable":{"cpu":"500m"}}})"); }},
      {"filled by another scheduler",
       [&] {
         c_.cluster().Create(c_.Pod("foreign", "1").Scheduler("default-scheduler").Node("n1"));
       }},
  };
  c_.Start();
  int number = 0;
  for (const Case& c : cases) {
    const std::string name = fmt::format("r{}", number++);
    c_.AddNode("n1", "1");
    c_.Run(1s);
    c_.cluster().Create(c_.Reservation(name, 1));
    c_.Run(2s);
    EXPECT_THAT(c_.PlacementsOf(name), ElementsAre("t/0 n1 Available")) << c.what;
    c_.AddNode("n2", "1");
    c.spoil();
    c_.Run(3s);
    EXPECT_THAT(c_.PlacementsOf(name), ElementsAre("t/0 n2 Available")) << c.what;
    EXPECT_EQ(c_.Check(), "") << c.what;
    c_.Delete(name);
    if (!c_.cluster().Get(resources::kPods, "default", "foreign").is_null())
      c_.DeletePod("foreign");
    (void)c_.cluster().Delete({resources::kNodes, "", "n1"});
    (void)c_.cluster().Delete({resources::kNodes, "", "n2"});
    c_.Run(1s);
  }
}

TEST_F(ReservationsTest, ItGoesToTheNodesThatItNames) {
  for (const char* name : {"n1", "n2", "n3"}) c_.AddNode(name, "1");
  c_.Start();
  c_.cluster().Create(
      c_.Reservation("preferred", 2).Set("spec.tasks.0.reservationNodeNames", json::array{"n3"}));
  c_.Run(2s);
  EXPECT_THAT(c_.PlacementsOf("preferred"), ElementsAre("t/0 n3 Available", "t/1 n1 Available"));
  c_.cluster().Create(c_.Reservation("required", 1)
                          .Set("spec.tasks.0.reservationNodeNames", json::array{"n3", "n4"})
                          .Set("spec.tasks.0.reservationNodePolicy", "Required"));
  c_.Run(3s);
  EXPECT_EQ(c_.PhaseOf("required"), "Pending") << "n2 is free, and not for it";
  c_.AddNode("n4", "1");
  c_.Run(3s);
  EXPECT_THAT(c_.PlacementsOf("required"), ElementsAre("t/0 n4 Available"));
}

TEST_F(ReservationsTest, AStatusThatSomebodyElseWritesIsPutRightAndGivesNoRoomAway) {
  c_.AddNode("n1", "1");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 1));
  c_.Run(2s);
  const kube::Reservation::Status before = c_.Get("r").status;
  c_.cluster().Create(c_.Pod("other"));
  ASSERT_TRUE(c_.cluster().Patch(
      {resources::kReservations, "default", "r", "status"}, kube::PatchKind::kMerge,
      R"({"status":{"state":{"phase":"Succeeded"},"placements":[],"available":0,"succeeded":1,
          "allocatable":{"x":"1"}}})"));
  c_.Run(3s);
  EXPECT_EQ(c_.Get("r").status, before);
  EXPECT_EQ(c_.NodeOf("other"), "");
}

TEST_F(ReservationsTest, NothingIsWrittenWhenNothingChangesAlsoAfterARestart) {
  c_.AddNode("n1", "2");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 2));
  c_.Run(2s);
  c_.cluster().Create(c_.PodOf("r", "user"));
  c_.Run(3s);
  const json::value before = c_.cluster().Get(resources::kReservations, "default", "r");
  EXPECT_THAT(c_.PlacementsOf("r"), ElementsAre("t/0 n1 Succeeded", "t/1 n1 Available"));
  c_.Run(1min);
  c_.Kill();
  c_.cluster().Create(c_.Pod("other"));
  c_.Start();
  c_.Run(1min);
  EXPECT_EQ(c_.cluster().Get(resources::kReservations, "default", "r"), before);
  EXPECT_EQ(c_.NodeOf("other"), "") << "held before anything else is placed";
  c_.cluster().Create(c_.PodOf("r", "second"));
  c_.Run(3s);
  EXPECT_EQ(c_.NodeOf("second"), "n1");
  EXPECT_EQ(c_.PhaseOf("r"), "Succeeded");
}

TEST_F(ReservationsTest, WhatHappenedWhileNobodyLookedIsPutRightAtTheStart) {
  for (const char* name : {"n1", "n2", "n3"}) c_.AddNode(name, "1");
  c_.Start();
  for (const char* name : {"taken", "gone", "moved"}) {
    c_.cluster().Create(
        c_.Reservation(name, 1).Set("spec.ttl", name == std::string("gone") ? "1m" : "1h"));
    c_.Run(2s);
  }
  const std::string taken = c_.Get("taken").status.placements[0].node;
  const std::string moved = c_.Get("moved").status.placements[0].node;
  c_.Kill();
  // Bound by the scheduler that died before it could say so.
  c_.cluster().Create(c_.PodOf("taken", "user").Node(taken));
  ASSERT_TRUE(c_.cluster().Delete({resources::kNodes, "", moved}));
  c_.Run(2min);
  c_.AddNode("n4", "1");
  c_.Start();
  c_.Run(5s);
  EXPECT_EQ(c_.PhaseOf("taken"), "Succeeded");
  EXPECT_EQ(c_.PhaseOf("gone"), "Failed");
  EXPECT_EQ(c_.PhaseOf("moved"), "Available");
  EXPECT_NE(c_.Get("moved").status.placements[0].node, moved);
}

TEST_F(ReservationsTest, HeldRoomIsNobodysVictimAndReservationsPreemptAsTheirPodsWould) {
  ReservationCluster c{R"(actions: "enqueue, reserve, allocate, preempt, reclaim, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
  - name: reservation
- plugins:
  - name: predicates
  - name: capacity
  - name: nodeorder
)"};
  for (const auto& [name, value] : {std::pair("high", 1000), std::pair("low", 10)}) {
    c.cluster().Create(MakeObject(resources::kPriorityClasses, name).Set("value", value));
  }
  c.AddNode("n1", "2");
  c.Start();
  c.cluster().Create(c.Reservation("r", 2)
                         .Set("spec.minAvailable", 1)
                         .Set("spec.tasks.0.template.spec.priorityClassName", "low"));
  c.Run(2s);
  EXPECT_EQ(c.Get("r").status.available, 2);
  c.cluster().Create(c.Pod("urgent").PriorityClass("high"));
  c.Run(5s);
  EXPECT_EQ(c.Get("r").status.available, 2) << "though one would be enough for it";
  EXPECT_EQ(c.NodeOf("urgent"), "");
  c.AddNode("n2", "2");
  c.Run(2s);
  EXPECT_EQ(c.NodeOf("urgent"), "n2");
  c.DeletePod("urgent");
  c.cluster().Create(MakePodGroup("lowly", 1).Set("spec.priorityClassName", "low"));
  for (const char* name : {"l-0", "l-1"}) {
    c.cluster().Create(c.Pod(name).PriorityClass("low").Group("lowly"));
  }
  c.Run(2s);
  EXPECT_EQ(c.cluster().Bound(), 2);
  c.cluster().Create(
      c.Reservation("s", 1).Set("spec.tasks.0.template.spec.priorityClassName", "high"));
  c.Run(5s);
  EXPECT_EQ(c.PhaseOf("s"), "Available");
  EXPECT_EQ(c.cluster().Bound(), 1);
  EXPECT_EQ(c.Check(), "");
}

TEST_F(ReservationsTest, AGatedPodIsLetThroughToWhatIsReservedForIt) {
  c_.AddNode("n1", "8");
  c_.AddQueue("q", "1");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 1).Set("spec.queue", "q"));
  c_.Run(2s);
  c_.cluster().Create(c_.PodOf("r", "gated")
                          .Annotation("scheduling.volcano.sh/queue-name", "q")
                          .Annotation(testutil::kGate, "true")
                          .Gate(testutil::kGate));
  c_.Run(3s);
  EXPECT_EQ(c_.NodeOf("gated"), "n1");
  EXPECT_EQ(c_.PhaseOf("r"), "Succeeded");
}

TEST_F(ReservationsTest, ThoseOfAnotherSchedulerAreNotTouched) {
  c_.AddNode("n1", "1");
  c_.Start();
  c_.cluster().Create(c_.Reservation("r", 1).Set("spec.schedulerName", "other"));
  c_.Run(3s);
  EXPECT_EQ(c_.PhaseOf("r"), "");
}

TEST_F(ReservationsTest, TwoHundredAtOnceAreAllAvailable) {
  for (int i = 0; i < 20; ++i) c_.AddNode(fmt::format("n{:02}", i), "20");
  c_.Start();
  for (int i = 0; i < 200; ++i) c_.cluster().Create(c_.Reservation(fmt::format("r{:03}", i), 2));
  c_.Run(5s);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(c_.PhaseOf(fmt::format("r{:03}", i)), "Available") << i;
  }
}

}  // namespace
}  // namespace basalt::systemtest
