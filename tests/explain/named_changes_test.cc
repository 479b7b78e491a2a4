// deps: basalt_testing_settling basalt_testing_model basalt_scheduler_simulate
// Every kind of change that an explanation can name, each in a small cluster that needs it: what is
// named is what is expected, and made so, in a simulation and really, the pod runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <functional>
#include <set>

#include "scheduler/simulate/simulation.h"
#include "testing/model/test_cluster.h"
#include "tests/explain/changeable_world.h"

namespace basalt::testutil {
namespace {

constexpr const char* kConfig = R"(actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: overcommit}, {name: predicates}, {name: capacity, enableHierarchy: true}, {name: nodeorder}]
)";
constexpr const char* kGateOfOthers = "example.com/wait";

class World : public ChangeableWorld {
 public:
  World() : ChangeableWorld({.config = kConfig}) {
    Add(MakeQueue(std::string("root")));
    Add(MakeQueue(std::string("default")));
    Add(MakeQueue(std::string("q")));
  }

  using ChangeableWorld::Add;
  void Node(const std::string& name, Amounts allocatable,
            const std::function<void(kube::Node&)>& change = {}) {
    kube::Node node = MakeNode(name, allocatable);
    if (change) change(node);
    Add(std::move(node));
  }
  void Queue(const std::string& name, Amounts capability, const std::string& parent = "") {
    kube::Queue queue = MakeQueue(name);
    queue.capability = Resources(capability);
    queue.parent = parent;
    Add(std::move(queue));
  }
  // name-0 and so on, in a group of that name.
  void Gang(const std::string& name, const std::string& queue, int pods, int min_member,
            Amounts requests, const std::function<void(kube::Pod&)>& change = {}) {
    cluster().Add(MakeGroup(name, queue, min_member, kube::PodGroupPhase::kPending));
    kube::Pod pod = MakePod("", name, requests);
    SetTemplate(name, pod);
    for (int i = 0; i < pods; ++i) {
      kube::Pod member = pod;
      member.meta.name = member.meta.uid = name + "-" + std::to_string(i);
      if (change) change(member);
      cluster().Add(std::move(member));
    }
  }
  void Running(const std::string& name, const std::string& queue, Amounts requests,
               const std::string& node) {
    cluster().Add(MakeGroup(name, queue, 1, kube::PodGroupPhase::kRunning));
    cluster().Add(MakeRunningPod(name + "-0", name, requests, node));
  }
};

struct Scenario {
  std::string name;
  std::function<void(World&)> given;
  std::string change;
  std::string pod = "ns/new-0";
};

void Gate(kube::Pod& pod) { pod.spec.scheduling_gates.emplace_back(kGateOfOthers); }

void Taint(kube::Node& node) {
  node.spec.taints.push_back(
      {.key = "dedicated", .value = "ml", .effect = kube::TaintEffect::kNoSchedule});
}

const std::vector<Scenario>& Scenarios() {
  static const std::vector<Scenario> scenarios = {
      {"AQueueIsFull",
       [](World& world) {
         world.Node("n1", {{"cpu", "16"}});
         world.Queue("q", {{"cpu", "4"}});
         world.Running("old", "q", {{"cpu", "3"}}, "n1");
         world.Gang("new", "q", 3, 3, {{"cpu", "1"}});
       },
       "queue q: capability cpu +2"},
      {"AParentIsFull",
       [](World& world) {
         world.Node("n1", {{"cpu", "16"}});
         world.Queue("team", {{"cpu", "4"}});
         world.Queue("a", {}, "team");
         world.Queue("b", {}, "team");
         world.Running("old", "b", {{"cpu", "3"}}, "n1");
         world.Gang("new", "a", 1, 1, {{"cpu", "2"}});
       },
       "queue team: capability cpu +1"},
      {"AQueueAndItsParentAreFull",
       [](World& world) {
         world.Node("n1", {{"cpu", "16"}});
         world.Queue("team", {{"cpu", "4"}});
         world.Queue("a", {{"cpu", "1"}}, "team");
         world.Gang("new", "a", 1, 1, {{"cpu", "5"}});
       },
       "queue a: capability cpu +4; queue team: capability cpu +1"},
      {"AQueueIsShortOfTwoResources",
       [](World& world) {
         world.Node("n1", {{"cpu", "16"}, {"memory", "16Gi"}});
         world.Queue("q", {{"cpu", "1"}, {"memory", "1Gi"}});
         world.Gang("new", "q", 1, 1, {{"cpu", "2"}, {"memory", "2Gi"}});
       },
       "queue q: capability cpu +1, memory +1Gi"},
      {"AGroupIsNotLetIn",
       [](World& world) {
         world.Node("n1", {{"cpu", "16"}});
         world.Queue("q", {{"cpu", "4"}});
         kube::PodGroup group = MakeGroup("new", "q", 1, kube::PodGroupPhase::kPending);
         group.min_resources = Resources({{"cpu", "7"}});
         world.cluster().Add(std::move(group));
         world.cluster().Add(MakePod("new-0", "new", {{"cpu", "7"}}));
       },
       "queue q: capability cpu +3"},
      {"OthersAreAheadInAFullQueue",
       [](World& world) {
         world.Node("n1", {{"cpu", "32"}});
         world.Queue("q", {{"cpu", "8"}});
         world.Running("old", "q", {{"cpu", "8"}}, "n1");
         world.Gang("first", "q", 1, 1, {{"cpu", "3"}});
         world.cluster().loop().RunFor(2s);
         world.Gang("new", "q", 1, 1, {{"cpu", "5"}});
       },
       "queue q: capability cpu +8"},
      {"AQueueIsClosed",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         kube::Queue queue = MakeQueue(std::string("q"));
         queue.state = kube::QueueState::kClosed;
         world.Add(std::move(queue));
         world.Gang("new", "q", 1, 1, {{"cpu", "1"}});
       },
       "open queue q"},
      {"AQueueIsMissing",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "nowhere", 1, 1, {{"cpu", "1"}});
       },
       "create Queue nowhere"},
      {"QueuesAreEachOthersParents",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Queue("a", {}, "b");
         world.Queue("b", {}, "a");
         world.Gang("new", "a", 1, 1, {{"cpu", "1"}});
       },
       // A queue with children takes no jobs: that it is b which has to go elsewhere is tried out.
       "queue b: another parent than a"},
      {"AGroupIsMissing",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.cluster().Add(MakePod("new-0", "new", {{"cpu", "1"}}));
       },
       "create PodGroup ns/new"},
      {"ANodeIsCordoned",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}}, [](kube::Node& node) { node.spec.unschedulable = true; });
         world.Gang("new", "q", 1, 1, {{"cpu", "1"}});
       },
       "uncordon node n1"},
      {"ANodeIsTainted",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}}, Taint);
         world.Gang("new", "q", 1, 1, {{"cpu", "1"}});
       },
       "remove taint dedicated=ml:NoSchedule from node n1"},
      {"ANodeIsTaintedAndCordoned",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}}, [](kube::Node& node) {
           Taint(node);
           node.spec.unschedulable = true;
         });
         world.Gang("new", "q", 1, 1, {{"cpu", "1"}});
       },
       "remove taint dedicated=ml:NoSchedule from node n1 and uncordon it"},
      {"ANodeLacksALabel",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 1, 1, {{"cpu", "1"}},
                    [](kube::Pod& pod) { pod.spec.node_selector.Set("disk", "ssd"); });
       },
       "label node n1 with disk=ssd"},
      {"APodIsInTheWay",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Running("old", "q", {{"cpu", "3"}}, "n1");
         world.Gang("new", "q", 1, 1, {{"cpu", "2"}});
       },
       "finish or evict pod ns/old-0"},
      {"SeveralPodsAreInTheWay",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Running("one", "q", {{"cpu", "2"}}, "n1");
         world.Running("two", "q", {{"cpu", "2"}}, "n1");
         world.Gang("new", "q", 1, 1, {{"cpu", "4"}});
       },
       "finish or evict pods ns/two-0, ns/one-0"},
      {"ANodeIsMissing",
       [](World& world) {
         world.Node("n1", {{"cpu", "2"}});
         world.Node("n2", {{"cpu", "2"}});
         world.Gang("new", "q", 3, 3, {{"cpu", "2"}});
       },
       "one more node like n1"},
      {"SeveralNodesAreMissing",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 8, 8, {{"cpu", "2"}});
       },
       "3 more nodes like n1"},
      {"ALargerNodeIsMissing",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 1, 1, {{"cpu", "100"}});
       },
       "one more node with room for cpu 100"},
      {"SeveralLargerNodesAreMissing",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 2, 2, {{"cpu", "100"}});
       },
       "2 more nodes with room for cpu 100 each"},
      {"ALargerNodeWithALabelIsMissing",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 1, 1, {{"cpu", "8"}},
                    [](kube::Pod& pod) { pod.spec.node_selector.Set("disk", "ssd"); });
       },
       "one more node with room for cpu 8 and the labels disk=ssd"},
      {"NobodyOffersAResource",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 1, 1, {{"cpu", "1"}, {"example.com/gpu", "1"}});
       },
       "one more node with room for cpu 1, example.com/gpu 1"},
      {"PodsAreMissing",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 2, 3, {{"cpu", "1"}});
       },
       "1 more pod of group ns/new"},
      {"APodHasAGateOfOthers",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 1, 1, {{"cpu", "1"}}, Gate);
       },
       "remove scheduling gate example.com/wait from pod ns/new-0"},
      {"AnotherOfTheGroupHasAGateOfOthers",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Gang("new", "q", 2, 2, {{"cpu", "1"}}, [](kube::Pod& pod) {
           if (pod.meta.name == "new-1") Gate(pod);
         });
       },
       "remove scheduling gate example.com/wait from pod ns/new-1"},
      {"AGateAndThenANode",
       [](World& world) {
         world.Node("n1", {{"cpu", "2"}});
         world.Running("old", "q", {{"cpu", "2"}}, "n1");
         world.Gang("new", "q", 1, 1, {{"cpu", "2"}}, Gate);
       },
       "remove scheduling gate example.com/wait from pod ns/new-0; and finish or evict pod "
       "ns/old-0"},
      {"AQueueAndThenANode",
       [](World& world) {
         world.Node("n1", {{"cpu", "4"}});
         world.Queue("q", {{"cpu", "2"}});
         world.Gang("new", "q", 2, 2, {{"cpu", "3"}});
       },
       "queue q: capability cpu +4; and one more node like n1"},
  };
  return scenarios;
}

class NamedChangesTest : public testing::TestWithParam<Scenario> {};

TEST_P(NamedChangesTest, MadeSoThePodRuns) {
  const auto [name, given, change, pod] = GetParam();
  World asked;
  given(asked);
  asked.Settle();
  ASSERT_FALSE(asked.cluster().FindPod(pod)->bound());
  scheduler::Scheduler& scheduler = asked.cluster().scheduler();
  ASSERT_EQ(scheduler.MakeExplainer()->Pod("ns", pod.substr(3))->change, change);

  scheduler::simulate::Request request{.until_quiet = true, .horizon = 75s};
  ASSERT_EQ(asked.Ask(change, pod, request), "");
  const auto answer =
      scheduler::simulate::Simulate(*scheduler.TakeImage(), request, [] { return true; });
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_TRUE(RunsIn(*answer, pod)) << boost::json::serialize(*answer);

  World made;
  given(made);
  made.Settle();
  ASSERT_EQ(made.Make(change, pod), "");
  made.Settle();
  EXPECT_TRUE(made.cluster().FindPod(pod)->bound())
      << made.cluster().scheduler().MakeExplainer()->Pod("ns", pod.substr(3))->message;
  EXPECT_EQ(made.cluster().violations(), "");
}

INSTANTIATE_TEST_SUITE_P(All, NamedChangesTest, testing::ValuesIn(Scenarios()),
                         [](const auto& each) { return each.param.name; });

TEST(NamedChangesListTest, AreMoreThanTwentyAndNoTwoAreAlike) {
  std::set<std::string> changes;
  for (const Scenario& scenario : Scenarios()) changes.insert(scenario.change);
  EXPECT_EQ(changes.size(), Scenarios().size());
  EXPECT_GE(changes.size(), 20u);
}

}  // namespace
}  // namespace basalt::testutil
