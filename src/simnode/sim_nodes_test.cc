#include "simnode/sim_nodes.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "testing/cluster.h"
#include "testing/seeds.h"

namespace basalt::simnode {
namespace {

using testutil::MakeNode;
using testutil::MakeObject;
using testutil::MakePod;
using testutil::SimCluster;
using testutil::TextAt;
namespace json = boost::json;

constexpr kube::Resource kPods = kube::resources::kPods;
constexpr kube::Resource kNodes = kube::resources::kNodes;

// A bare node object, as a user would create it.
testutil::AnyBuilder BareNode(std::string_view name) {
  return MakeObject(kNodes, name)
      .Set("status.allocatable.cpu", "8")
      .Set("status.capacity.cpu", "8");
}

class SimNodesTest : public testing::Test {
 protected:
  void Start(SimNodesOptions options = {}) {
    nodes_ = std::make_unique<SimNodes>(cluster_.client(), options);
    nodes_->Start();
    cluster_.loop().RunFor(1s);
    ASSERT_TRUE(nodes_->HasSynced());
  }
  std::string Phase(std::string_view name) {
    const json::value pod = cluster_.Get(kPods, "default", name);
    return pod.is_null() ? "gone" : TextAt(pod, "status.phase");
  }
  static std::string Condition(const json::value& object, std::string_view type) {
    const json::value* conditions = testutil::FindPath(object, "status.conditions");
    if (conditions == nullptr) return "";
    for (const json::value& condition : conditions->as_array()) {
      if (TextAt(condition, "type") == type) return TextAt(condition, "status");
    }
    return "";
  }
  void Run(Duration duration) { cluster_.loop().RunFor(duration); }

  SimCluster cluster_;
  std::unique_ptr<SimNodes> nodes_;
};

TEST_F(SimNodesTest, MakesEveryNodeReadyAndKeepsItSo) {
  Start();
  cluster_.Create(BareNode("n1"));
  Run(1s);
  json::value node = cluster_.Get(kNodes, "", "n1");
  EXPECT_EQ(Condition(node, "Ready"), "True");
  EXPECT_EQ(Condition(node, "MemoryPressure"), "False");
  EXPECT_EQ(TextAt(node, "status.addresses.0.type"), "InternalIP");
  EXPECT_EQ(TextAt(node, "status.allocatable.cpu"), "8");
  EXPECT_FALSE(TextAt(node, "status.nodeInfo.kubeletVersion").empty());

  ASSERT_TRUE(cluster_.Patch({kNodes, "", "n1", "status"}, kube::PatchKind::kStrategic,
                             R"({"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}})"));
  Run(1s);
  node = cluster_.Get(kNodes, "", "n1");
  EXPECT_EQ(Condition(node, "Ready"), "True");
}

TEST_F(SimNodesTest, SimulatesOnlyTheNodesItIsToldTo) {
  SimNodesOptions options;
  options.nodes.selector = *kube::LabelSelector::Parse("sim=yes");
  options.nodes.annotation = "basalt.sh/simulated";
  Start(options);
  cluster_.Create(BareNode("both").Label("sim", "yes").Annotation("basalt.sh/simulated", ""));
  cluster_.Create(BareNode("label").Label("sim", "yes"));
  cluster_.Create(BareNode("annotation").Annotation("basalt.sh/simulated", ""));
  cluster_.Create(MakePod("p").Node("label"));
  cluster_.Create(MakePod("q").Node("both"));
  Run(1s);
  EXPECT_EQ(Condition(cluster_.Get(kNodes, "", "both"), "Ready"), "True");
  EXPECT_EQ(Condition(cluster_.Get(kNodes, "", "label"), "Ready"), "");
  EXPECT_EQ(Condition(cluster_.Get(kNodes, "", "annotation"), "Ready"), "");
  EXPECT_EQ(Phase("p"), "Pending");
  EXPECT_EQ(Phase("q"), "Running");
}

TEST_F(SimNodesTest, RunsAPodWithAllThatAKubeletWouldSay) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p").Node("n1"));
  Run(1s);
  const json::value pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.phase"), "Running");
  for (const char* type :
       {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    EXPECT_EQ(Condition(pod, type), "True") << type;
  }
  EXPECT_FALSE(TextAt(pod, "status.podIP").empty());
  EXPECT_EQ(TextAt(pod, "status.hostIP"),
            TextAt(cluster_.Get(kNodes, "", "n1"), "status.addresses.0.address"));
  EXPECT_FALSE(TextAt(pod, "status.startTime").empty());
  EXPECT_FALSE(TextAt(pod, "status.containerStatuses.0.state.running.startedAt").empty());
}

TEST_F(SimNodesTest, PodsGetAddressesOfTheirOwn) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("a").Node("n1"));
  cluster_.Create(MakePod("b").Node("n1"));
  Run(1s);
  EXPECT_NE(TextAt(cluster_.Get(kPods, "default", "a"), "status.podIP"),
            TextAt(cluster_.Get(kPods, "default", "b"), "status.podIP"));
}

TEST_F(SimNodesTest, APodWaitsItsStartDelayAndEndsAfterItsRun) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p")
                      .Node("n1")
                      .RestartPolicy("Never")
                      .Annotation("basalt.sh/start-delay", "10s")
                      .Annotation("basalt.sh/run-duration", "1m")
                      .Annotation("basalt.sh/exit-code", "3"));
  Run(9s);
  json::value pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.phase"), "Pending");
  EXPECT_EQ(TextAt(pod, "status.containerStatuses.0.state.waiting.reason"), "ContainerCreating");
  Run(2s);
  EXPECT_EQ(Phase("p"), "Running");
  Run(58s);
  EXPECT_EQ(Phase("p"), "Running");
  Run(2s);
  pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.phase"), "Failed");
  EXPECT_EQ(Condition(pod, "Ready"), "False");
  EXPECT_EQ(*testutil::FindPath(pod, "status.containerStatuses.0.state.terminated.exitCode"), 3);
}

TEST_F(SimNodesTest, ASleepEndsThePod) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p").Node("n1").RestartPolicy("OnFailure").Command({"sleep", "30"}));
  Run(29s);
  EXPECT_EQ(Phase("p"), "Running");
  Run(2s);
  EXPECT_EQ(Phase("p"), "Succeeded");
}

TEST_F(SimNodesTest, ACrashLoopBacksOffAndCountsRestarts) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p")
                      .Node("n1")
                      .RestartPolicy("Always")
                      .Annotation("basalt.sh/run-duration", "5s")
                      .Annotation("basalt.sh/exit-code", "1"));
  // Starts at 0, again at 5, waits from 10 to 20, runs to 25, waits to 45.
  Run(12s);
  json::value pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.containerStatuses.0.state.waiting.reason"), "CrashLoopBackOff");
  EXPECT_EQ(Condition(pod, "Ready"), "False");
  Run(10s);
  pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(*testutil::FindPath(pod, "status.containerStatuses.0.restartCount"), 2);
  EXPECT_EQ(Condition(pod, "Ready"), "True");
  EXPECT_EQ(*testutil::FindPath(pod, "status.containerStatuses.0.lastState.terminated.exitCode"),
            1);
}

TEST_F(SimNodesTest, EachContainerLivesItsOwnLife) {
  Start();
  cluster_.Create(BareNode("n1"));
  json::value pod = json::parse(R"({"metadata":{"name":"p","annotations":{
      "basalt.sh/exit-code.b":"3","basalt.sh/run-duration.b":"20s"}},
      "spec":{"nodeName":"n1","restartPolicy":"Never",
      "initContainers":[{"name":"prepare","image":"busybox","command":["sh","-c","sleep 5"]}],
      "containers":[{"name":"a","image":"busybox","command":["sh","-c","sleep 10 && exit 2"]},
                    {"name":"b","image":"x"}]}})");
  ASSERT_TRUE(cluster_.Call([&](kube::Client& client, kube::ApiHandler done) {
    client.Create({kPods, "default"}, json::serialize(pod), std::move(done));
  }));
  Run(3s);
  pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.phase"), "Pending");
  EXPECT_NE(testutil::FindPath(pod, "status.initContainerStatuses.0.state.running"), nullptr);
  EXPECT_EQ(TextAt(pod, "status.containerStatuses.0.state.waiting.reason"), "PodInitializing");
  EXPECT_EQ(Condition(pod, "Initialized"), "False");
  Run(5s);
  pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.phase"), "Running");
  EXPECT_EQ(Condition(pod, "Initialized"), "True");
  EXPECT_EQ(Condition(pod, "Ready"), "True");
  Run(10s);
  pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.phase"), "Running");
  EXPECT_EQ(Condition(pod, "Ready"), "False");
  EXPECT_EQ(*testutil::FindPath(pod, "status.containerStatuses.0.state.terminated.exitCode"), 2);
  nodes_.reset();  // a simulator that starts anew goes on where this one was
  nodes_ = std::make_unique<SimNodes>(cluster_.client());
  nodes_->Start();
  Run(10s);
  pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.phase"), "Failed");
  EXPECT_EQ(*testutil::FindPath(pod, "status.containerStatuses.0.state.terminated.exitCode"), 2);
  EXPECT_EQ(*testutil::FindPath(pod, "status.containerStatuses.1.state.terminated.exitCode"), 3);
}

TEST_F(SimNodesTest, AProgramThatIsNotThereFailsWithItsName) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p").Node("n1").RestartPolicy("Never").Set(
      "spec.containers",
      json::array{
          json::object{{"name", "c"}, {"image", "busybox"}, {"command", json::array{"python"}}}}));
  Run(2s);
  const json::value pod = cluster_.Get(kPods, "default", "p");
  EXPECT_EQ(TextAt(pod, "status.phase"), "Failed");
  EXPECT_EQ(TextAt(pod, "status.containerStatuses.0.state.terminated.reason"), "StartError");
  EXPECT_EQ(TextAt(pod, "status.containerStatuses.0.state.terminated.message"),
            "exec: \"python\": executable file not found in $PATH");
}

TEST_F(SimNodesTest, GracefulDeletionTakesItsTime) {
  struct Case {
    const char* name;
    const char* termination;  // annotation; empty: none
    int grace;
    Duration there_until;
  };
  Start();
  cluster_.Create(BareNode("n1"));
  for (const Case& c : std::initializer_list<Case>{{"whole", "", 30, 30s},
                                                   {"shorter", "4s", 30, 4s},
                                                   {"longer", "60s", 10, 10s},
                                                   {"at-once", "", 0, 0s}}) {
    auto pod = MakePod(c.name).Node("n1");
    if (*c.termination != '\0') pod.Annotation("basalt.sh/termination", c.termination);
    cluster_.Create(pod);
    Run(2s);
    ASSERT_EQ(Phase(c.name), "Running") << c.name;
    ASSERT_TRUE(cluster_.Delete({kPods, "default", c.name}, {.grace_period_seconds = c.grace}));
    if (c.there_until > 0s) {
      Run(c.there_until - 1s);
      EXPECT_EQ(Phase(c.name), "Running") << c.name;
      Run(2s);
    }
    EXPECT_EQ(Phase(c.name), "gone") << c.name;
  }
}

TEST_F(SimNodesTest, APodHeldByAFinalizerSaysThatItHasEnded) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p").Node("n1").Finalizer("test.basalt.sh/hold"));
  Run(1s);
  ASSERT_TRUE(cluster_.Delete({kPods, "default", "p"}, {.grace_period_seconds = 5}));
  Run(10s);
  EXPECT_EQ(Phase("p"), "Failed");
  ASSERT_TRUE(cluster_.Patch({kPods, "default", "p"}, kube::PatchKind::kMerge,
                             R"({"metadata":{"finalizers":null}})"));
  Run(1s);
  EXPECT_EQ(Phase("p"), "gone");
}

TEST_F(SimNodesTest, AWrongAnnotationIsAnEventOnThePod) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p").Node("n1").Annotation("basalt.sh/run-duration", "soon"));
  Run(10s);
  EXPECT_EQ(Phase("p"), "Running");
  int found = 0;
  for (const json::value& event : cluster_.List(kube::resources::kEvents, "default")) {
    if (TextAt(event, "reason") == "InvalidAnnotation" &&
        TextAt(event, "involvedObject.name") == "p") {
      ++found;
      EXPECT_NE(TextAt(event, "message").find("basalt.sh/run-duration"), std::string::npos);
    }
  }
  EXPECT_EQ(found, 1);
}

TEST_F(SimNodesTest, GoesOnWhereItStoppedAfterARestart) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p").Node("n1").RestartPolicy("Never").Command({"sleep", "60"}));
  Run(30s);
  nodes_.reset();
  Run(10s);
  nodes_ = std::make_unique<SimNodes>(cluster_.client());
  nodes_->Start();
  Run(18s);
  EXPECT_EQ(Phase("p"), "Running");
  Run(5s);
  EXPECT_EQ(Phase("p"), "Succeeded");
}

TEST_F(SimNodesTest, ANewPodOfTheSameNameIsAnotherPod) {
  Start();
  cluster_.Create(BareNode("n1"));
  cluster_.Create(MakePod("p").Node("n1").RestartPolicy("Never").Command({"sleep", "5"}));
  Run(10s);
  ASSERT_EQ(Phase("p"), "Succeeded");
  ASSERT_TRUE(cluster_.Delete({kPods, "default", "p"}, {.grace_period_seconds = 0}));
  cluster_.Create(MakePod("p").Node("n1"));
  Run(2s);
  EXPECT_EQ(Phase("p"), "Running");
}

TEST_F(SimNodesTest, WritesOnceForEachTransition) {
  Start();
  cluster_.Create(BareNode("n1"));
  Run(1s);
  cluster_.Create(MakePod("p").Node("n1").RestartPolicy("Never").Command({"sleep", "60"}));
  const std::uint64_t before = cluster_.network().counts().requests;
  Run(10min);
  EXPECT_EQ(Phase("p"), "Succeeded");
  // Running and Succeeded. Watches that the server ends are begun again: not writes, few.
  EXPECT_LE(cluster_.network().counts().requests - before, 2u + 2 * 4u);
}

TEST_F(SimNodesTest, HeartbeatsRenewTheLease) {
  SimNodesOptions options;
  options.nodes.heartbeats = true;
  Start(options);
  cluster_.Create(BareNode("n1"));
  Run(25s);
  const json::value lease = cluster_.Get(kube::resources::kLeases, "kube-node-lease", "n1");
  ASSERT_FALSE(lease.is_null());
  EXPECT_EQ(TextAt(lease, "spec.holderIdentity"), "n1");
  const std::string first = TextAt(lease, "spec.renewTime");
  Run(10s);
  EXPECT_GT(
      TextAt(cluster_.Get(kube::resources::kLeases, "kube-node-lease", "n1"), "spec.renewTime"),
      first);
}

// Whatever happens between the simulator and the server, every pod lives its life and is gone when
// it should be.
TEST(SimNodesFaultTest, EveryPodLivesItsLifeThroughFaults) {
  testutil::ForEachSeed(100, [](std::uint64_t seed) {
    SimCluster cluster({.seed = seed,
                        .faults = {.most_latency = 50ms,
                                   .refuse = 0.05,
                                   .lose_response = 0.05,
                                   .too_many_requests = 0.02,
                                   .internal_error = 0.02,
                                   .unavailable = 0.02,
                                   .cut_watch = 0.02,
                                   .delay_piece = 0.05,
                                   .most_delay = 2s,
                                   .compact_every = 2min,
                                   .restart_every = 3min}});
    SimNodes nodes(cluster.client());
    nodes.Start();
    for (const char* node : {"n1", "n2"}) cluster.Create(BareNode(node));
    for (int i = 0; i < 20; ++i) {
      cluster.Create(MakePod("ends-" + std::to_string(i))
                         .Node(i % 2 ? "n1" : "n2")
                         .RestartPolicy("Never")
                         .Command({"sleep", std::to_string(10 * i)}));
      cluster.Create(MakePod("stays-" + std::to_string(i)).Node(i % 2 ? "n1" : "n2"));
    }
    cluster.loop().RunFor(10min);
    for (int i = 0; i < 10; ++i) {
      (void)cluster.Delete({kPods, "default", "stays-" + std::to_string(i)});
    }
    cluster.loop().RunFor(10min);
    int stays = 0;
    for (const json::value& pod : cluster.List(kPods, "default")) {
      const std::string name = TextAt(pod, "metadata.name");
      if (name.starts_with("ends")) {
        EXPECT_EQ(TextAt(pod, "status.phase"), "Succeeded") << name;
      } else {
        ++stays;
        EXPECT_EQ(TextAt(pod, "status.phase"), "Running") << name;
      }
    }
    EXPECT_EQ(stays, 10);
  });
}

}  // namespace
}  // namespace basalt::simnode
