// deps: basalt_simnode basalt_testing_scheduling basalt_scheduler_service basalt_cli
// Reservations on the real API server, whose admission adds tolerations, volumes and service
// accounts to pods. The same in detail on virtual time: tests/reservations.
#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <memory>
#include <set>
#include <string>

#include "testing/scheduling/scheduling_cluster.h"
#include "tests/cluster/simulated_cluster.h"

namespace basalt::testutil {
namespace {

namespace resources = kube::resources;

class ReservationsOnRealClusterTest : public SimulatedClusterTest {
 protected:
  void SetUp() override {
    SimulatedClusterTest::SetUp();
    if (HasFatalFailure()) return;
    Add(MakeQueue(ns_));
  }
  void TearDown() override {
    scheduler_.reset();
    SimulatedClusterTest::TearDown();
  }
  void StartWithNodes(std::string_view first, std::string_view second) {
    AddNode(MakeNode(Own("n1")).Cpu(first));
    AddNode(MakeNode(Own("n2")).Cpu(second));
    StartScheduler();
  }
  // After the death of the one before.
  void StartScheduler() {
    scheduler_.reset();
    scheduler_ = std::make_unique<scheduler::SchedulerService>(loop_, *client_, OwnScheduler());
    scheduler_->Start();
    RunUntil("the nodes are ready", [&] { return nodes_->Settled(); });
    RunUntil("the scheduler knows everything", [&] { return scheduler_->ready(); });
  }

  static json::object Container(std::string_view image, std::string_view cpu) {
    return {{"name", image.substr(0, image.find(':'))},
            {"image", image},
            {"command", json::array{"sleep", "300"}},
            {"resources", json::object{{"requests", json::object{{"cpu", cpu}}}}}};
  }
  json::object Spec(std::string_view image, std::string_view cpu) {
    return {{"schedulerName", ns_},
            {"restartPolicy", "Never"},
            {"terminationGracePeriodSeconds", 1},
            {"containers", json::array{Container(image, cpu)}}};
  }
  json::object Task(std::string_view name, int replicas, json::object spec) {
    return {{"name", name},
            {"replicas", replicas},
            {"template", json::object{{"spec", std::move(spec)}}}};
  }
  // For pods with the label job=NAME.
  void Reserve(std::string_view name, json::array tasks, std::string_view ttl = "600s") {
    json::object owner{
        {"labelSelector", json::object{{"matchLabels", json::object{{"job", name}}}}}};
    const Answer made = Create({resources::kReservations, ns_},
                               MakeObject(resources::kReservations, name)
                                   .Ns(ns_)
                                   .Set("spec.schedulerName", ns_)
                                   .Set("spec.queue", ns_)
                                   .Set("spec.ttl", ttl)
                                   .Set("spec.owners", json::array{std::move(owner)})
                                   .Set("spec.tasks", std::move(tasks))
                                   .Text());
    ASSERT_TRUE(made) << made.error().message;
  }
  // Of the reservation's job; in the group where that is named.
  void CreatePodOf(std::string_view job, std::string_view name, std::string_view image,
                   std::string_view cpu, std::string_view group = {}) {
    json::object annotations{{"scheduling.volcano.sh/queue-name", ns_}};
    if (!group.empty()) annotations["scheduling.k8s.io/group-name"] = group;
    CreatePod(json::serialize(
        json::object{{"apiVersion", "v1"},
                     {"kind", "Pod"},
                     {"metadata", json::object{{"name", name},
                                               {"namespace", ns_},
                                               {"labels", json::object{{"job", job}}},
                                               {"annotations", std::move(annotations)}}},
                     {"spec", Spec(image, cpu)}}));
  }
  json::value Reservation(std::string_view name) {
    return Get({resources::kReservations, ns_, std::string(name)}).value_or(json::value());
  }
  void WaitForPhase(std::string_view name, std::string_view phase) {
    WaitFor(fmt::format("{} is {}", name, phase),
            [&] { return TextAt(Reservation(name), "status.state.phase") == phase; });
  }
  std::multiset<std::string> NodesOf(std::string_view reservation) {
    std::multiset<std::string> nodes;
    const json::value object = Reservation(reservation);
    const json::value* placements = FindPath(object, "status.placements");
    if (!placements) return nodes;
    for (const json::value& placement : placements->as_array()) {
      nodes.insert(TextAt(placement, "node"));
    }
    return nodes;
  }
  std::string NodeOf(std::string_view pod) {
    return TextAt(Get({resources::kPods, ns_, std::string(pod)}).value_or(json::value()),
                  "spec.nodeName");
  }

  std::unique_ptr<scheduler::SchedulerService> scheduler_;
};

TEST_F(ReservationsOnRealClusterTest, TheExampleIsHeldOverARestartAndThenTakenByItsJob) {
  StartWithNodes("750m", "250m");
  Reserve("multi", {Task("nginx", 2, Spec("nginx:latest", "500m")),
                    Task("busybox", 1, Spec("busybox:latest", "250m"))});
  // One of three finds no room: nothing of it is held.
  WaitForPhase("multi", "Pending");
  AddNode(MakeNode(Own("n3")).Cpu("500m"));
  WaitForPhase("multi", "Available");
  EXPECT_EQ(Items(resources::kPods).size(), 0u);
  EXPECT_EQ(Items(resources::kPodGroups).size(), 0u);
  const std::multiset<std::string> placed = NodesOf("multi");
  EXPECT_EQ(placed.size(), 3u);
  const std::string version = TextAt(Reservation("multi"), "metadata.resourceVersion");

  StartScheduler();
  CreatePodOf("other", "other", "nginx:latest", "500m");
  WaitFor("others are told that there is no room", [&] {
    const Answer pod = Get({resources::kPods, ns_, "other"});
    const json::value* conditions = pod ? FindPath(*pod, "status.conditions") : nullptr;
    return conditions != nullptr && !conditions->as_array().empty();
  });
  EXPECT_EQ(NodeOf("other"), "");
  EXPECT_EQ(TextAt(Reservation("multi"), "metadata.resourceVersion"), version)
      << "a restart writes nothing";

  ASSERT_TRUE(Create({resources::kPodGroups, ns_}, MakePodGroup("multi", 3, ns_).Ns(ns_).Text()));
  CreatePodOf("multi", "a", "nginx:latest", "0.5", "multi");
  CreatePodOf("multi", "b", "nginx:latest", "500m", "multi");
  CreatePodOf("multi", "c", "busybox:latest", "250m", "multi");
  WaitForPhase("multi", "Succeeded");
  EXPECT_EQ((std::multiset<std::string>{NodeOf("a"), NodeOf("b"), NodeOf("c")}), placed);
  const json::value taken = Reservation("multi");
  EXPECT_EQ(TextAt(taken, "status.currentOwner.kind"), "PodGroup");
  EXPECT_EQ(TextAt(taken, "status.currentOwner.name"), "multi");
  EXPECT_EQ(TextAt(taken, "status.allocated.cpu"), "1250m");
  EXPECT_EQ(NodeOf("other"), "");
}

TEST_F(ReservationsOnRealClusterTest, APlaceWhoseNodeGoesIsFoundAnewAndEndsWithItsTime) {
  StartWithNodes("1", "500m");
  Reserve("held", {Task("t", 1, Spec("nginx:latest", "500m"))}, "25s");
  WaitForPhase("held", "Available");
  const std::string first = *NodesOf("held").begin();
  ASSERT_TRUE(Patch({resources::kNodes, "", first}, kube::PatchKind::kMerge,
                    R"({"spec":{"unschedulable":true}})"));
  WaitFor("it is placed elsewhere", [&] {
    const std::multiset<std::string> nodes = NodesOf("held");
    return TextAt(Reservation("held"), "status.state.phase") == "Available" && nodes.size() == 1 &&
           *nodes.begin() != first;
  });
  WaitForPhase("held", "Failed");
  EXPECT_EQ(TextAt(Reservation("held"), "status.state.reason"), "Expired");
}

TEST_F(ReservationsOnRealClusterTest, OfTwoPodsForOnePlaceOneGetsIt) {
  StartWithNodes("1", "500m");
  Reserve("one", {Task("t", 1, Spec("nginx:latest", "500m"))});
  Reserve("rest", {Task("t", 2, Spec("nginx:latest", "500m"))});
  WaitForPhase("one", "Available");
  WaitForPhase("rest", "Available");
  for (const char* name : {"a", "b"}) CreatePodOf("one", name, "nginx:latest", "500m");
  WaitForPhase("one", "Succeeded");
  Pause(2s);
  EXPECT_NE(NodeOf("a").empty(), NodeOf("b").empty()) << "one of them has it";
  EXPECT_EQ(TextAt(Reservation("rest"), "status.state.phase"), "Available");
  // A tenant's own words about the room give none away.
  ASSERT_TRUE(Patch({resources::kReservations, ns_, "rest", "status"}, kube::PatchKind::kMerge,
                    R"({"status":{"placements":null,"state":{"phase":"Failed","reason":"X"}}})"));
  WaitForPhase("rest", "Available");
  EXPECT_NE(NodeOf("a").empty(), NodeOf("b").empty());
}

}  // namespace
}  // namespace basalt::testutil
