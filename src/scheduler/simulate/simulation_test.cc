#include "scheduler/simulate/simulation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "model/annotations.h"
#include "testing/settling/random_set.h"

namespace basalt::scheduler::simulate {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class SimulationTest : public testing::Test {
 protected:
  SimulationTest() : cluster_({.config = testutil::EvictingConfig("capacity")}) {
    for (const auto& [name, value] : {std::pair{"low", 1}, std::pair{"high", 1000}}) {
      kube::PriorityClass priority_class;
      priority_class.meta.name = name;
      priority_class.value = value;
      cluster_.Add(std::move(priority_class));
    }
    kube::Queue queue;
    queue.meta.name = "default";
    queue.state = kube::QueueState::kOpen;
    queue.capability.Set("cpu", kube::Quantity::Of(6));
    cluster_.Add(std::move(queue));
    AddNode("n1");
    cluster_.loop().RunFor(1s);
  }

  void AddNode(const std::string& name) {
    kube::Node node;
    node.meta.name = name;
    node.meta.labels.Set("kubernetes.io/hostname", name);
    node.status.allocatable.Set("cpu", kube::Quantity::Of(4));
    node.status.allocatable.Set("pods", kube::Quantity::Of(20));
    node.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
    cluster_.Add(std::move(node));
  }
  void Run(const std::string& name, int cpu, const std::string& run_time = "") {
    kube::Pod pod;
    pod.meta.ns = "ns";
    pod.meta.name = name;
    if (!run_time.empty()) pod.meta.annotations.Set("basalt.sh/run-duration", run_time);
    pod.spec.scheduler_name = "volcano";
    pod.spec.priority = 1;
    pod.spec.termination_grace_period_seconds = 20;
    kube::Container container;
    container.name = "main";
    container.resources.requests.Set("cpu", kube::Quantity::Of(cpu));
    pod.spec.containers.push_back(std::move(container));
    cluster_.Add(std::move(pod));
    cluster_.loop().RunFor(1s);
  }
  static std::string Pod(const std::string& name, int cpu, const std::string& more = "",
                         const std::string& annotations = "{}") {
    return fmt::format(
        R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","annotations":{}}},)"
        R"("spec":{{"schedulerName":"volcano","containers":[{{"name":"main","resources":)"
        R"({{"requests":{{"cpu":"{}"}}}}}}]{}}}}})",
        name, annotations, cpu, more);
  }

  json::object Ask(const std::string& body) {
    const auto request = ParseRequest(body);
    EXPECT_TRUE(request.has_value()) << (request ? "" : request.error().message);
    const std::uint64_t hash = cluster_.scheduler().state().cluster().Hash();
    const auto answer = Simulate(*cluster_.scheduler().TakeImage(), *request, [] { return true; });
    EXPECT_TRUE(answer.has_value()) << (answer ? "" : answer.error().message);
    EXPECT_EQ(cluster_.scheduler().state().cluster().Hash(), hash);
    return answer.value_or(json::object{});
  }
  std::string Refused(const std::string& body) {
    const auto request = ParseRequest(body);
    if (!request) return request.error().message;
    const auto answer = Simulate(*cluster_.scheduler().TakeImage(), *request, [] { return true; });
    return answer ? "" : answer.error().message;
  }
  static std::string Show(const json::object& answer) {
    std::string out;
    for (const char* list : {"pods", "others"}) {
      for (const json::value& value : answer.at(list).as_array()) {
        const json::object& row = value.as_object();
        out += fmt::format("{} {}", std::string_view(row.at("name").as_string()),
                           std::string_view(row.at("outcome").as_string()));
        if (row.contains("node")) {
          out += fmt::format(" {}", std::string_view(row.at("node").as_string()));
        }
        if (row.contains("after"))
          out += fmt::format(" {:.0f}", row.at("after").to_number<double>());
        out += "; ";
      }
    }
    for (const json::value& value : answer.at("evictions").as_array()) {
      out += fmt::format("evicts {} for {}; ",
                         std::string_view(value.as_object().at("name").as_string()),
                         std::string_view(value.as_object().at("for").as_string()));
    }
    return out;
  }

  testutil::FastCluster cluster_;
};

TEST_F(SimulationTest, WhatFitsRunsAndWhatDoesNotSaysWhyAndWhatHelps) {
  const json::object answer =
      Ask(fmt::format(R"({{"namespace":"ns","objects":[{},{}]}})", Pod("a", 3), Pod("b", 2)));
  EXPECT_EQ(Show(answer), "a runs n1 0; b waits; ");
  EXPECT_EQ(answer.at("waiting"), 1);
  const json::object& waits = answer.at("pods").as_array()[1].as_object();
  EXPECT_THAT(std::string(waits.at("message").as_string()), HasSubstr("not enough cpu"));
  EXPECT_THAT(std::string(waits.at("change").as_string()), HasSubstr("finish or evict pod ns/a"));
  EXPECT_EQ(waits.at("autoscalers").at("karpenter").at("sight"), "seen");
  EXPECT_EQ(answer.at("fragmentation").at("before").at("cpu"), 0.0);
  EXPECT_EQ(answer.at("fragmentation").at("after").at("cpu"), 1.0);
  EXPECT_EQ(answer.at("queues").as_array().at(0).at("after").at("allocated").at("cpu"), "3");
}

TEST_F(SimulationTest, NodesQueuesAndPodsThatWouldBeOthersAreTried) {
  Run("old", 4);
  Run("waits", 1);
  struct Case {
    std::string change, want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {R"()", "waits waits; "},
           {R"("addNodes":[{"count":1,"like":"n1"}])", "waits runs n1-more-1 0; "},
           {R"("finish":["pod/old"])", "waits runs n1 0; "},
           {R"("delete":["pod/old"])", "waits promised n1; "},
           {R"("delete":["pod/old"],"untilQuiet":true)", "waits runs n1 20; "},
           {R"("removeNodes":["n1"])", "waits waits; "},
           {R"("addNodes":[{"like":"n1"}],"cordon":["n1-more-1"])", "waits waits; "},
           {R"("addNodes":[{"like":"n1"}],"cordon":["n1-more-1"],"uncordon":["n1-more-1"])",
            "waits runs n1-more-1 0; "},
           {R"("finish":["pod/old"],"set":["node/n1.unschedulable=true"])", "waits waits; "},
           {R"("cordon":["n1"],"addNodes":[{"like":"n1"}])", "waits runs n1-more-1 0; "},
           {R"("removeNodes":["n1"],"addNodes":[{"like":"n1"}])", "waits runs n1-more-1 0; "},
           {R"("set":["node/n1.allocatable.cpu=5"])", "waits runs n1 0; "},
           {R"("set":["queue/default.weight=7","queue/default.priority=3",)"
            R"("queue/default.reclaimable=false","queue/default.deserved.cpu=1",)"
            R"("queue/default.guarantee.cpu=1"])",
            "waits waits; "},
           {R"("addNodes":[{"like":"n1"}],"set":["queue/default.capability.cpu=4"])",
            "waits waits; "}}) {
    const std::string body =
        c.change.empty() ? R"({"namespace":"ns"})" : R"({"namespace":"ns",)" + c.change + "}";
    EXPECT_EQ(Show(Ask(body)), c.want) << c.change;
  }
}

TEST_F(SimulationTest, PodsEndByTheirRunTimesAndTheNextOnesStart) {
  Run("first", 4, "10m");
  const json::object answer =
      Ask(fmt::format(R"({{"namespace":"ns","untilQuiet":true,"objects":[{},{}]}})",
                      Pod("a", 4, "", R"({"basalt.sh/run-duration":"5m"})"), Pod("b", 4)));
  EXPECT_EQ(Show(answer), "a ended n1 599; b runs n1 899; ");
  EXPECT_EQ(answer.at("played").at("quiet"), true);
}

TEST_F(SimulationTest, GatesThatWouldOpenAreTold) {
  const std::string annotations =
      fmt::format(R"({{"{}":"true"}})", model::annotations::kQueueAllocationGate);
  const json::object answer =
      Ask(fmt::format(R"({{"namespace":"ns","objects":[{},{}]}})", Pod("a", 4, "", annotations),
                      Pod("b", 4, "", annotations)));
  EXPECT_EQ(Show(answer), "a runs n1 0; b waits; ");
  EXPECT_EQ(answer.at("gatesOpened").as_array().size(), 1u);
  EXPECT_EQ(answer.at("pods").as_array()[1].at("stage"), "gated");
}

TEST_F(SimulationTest, AReservationSaysWhereItWouldBe) {
  const json::object answer =
      Ask(R"({"namespace":"ns","objects":[{"apiVersion":"batch.volcano.sh/v1alpha1",)"
          R"("kind":"Reservation","metadata":{"name":"r"},"spec":{"queue":"default","tasks":[)"
          R"({"name":"t","replicas":2,"template":{"spec":{"containers":[{"name":"main",)"
          R"("resources":{"requests":{"cpu":"2"}}}]}}}]}}]})");
  const json::object& row = answer.at("reservations").as_array().at(0).as_object();
  EXPECT_EQ(row.at("phase"), "Available") << json::serialize(answer);
  EXPECT_EQ(json::serialize(row.at("nodes")), R"(["n1","n1"])");
  EXPECT_EQ(answer.at("waiting"), 0);
}

TEST_F(SimulationTest, APodOfAnotherSchedulerIsNotPlaced) {
  std::string pod = Pod("a", 1);
  pod.replace(pod.find("volcano"), 7, "another");
  testutil::FastClusterOptions options{.config = testutil::EvictingConfig("capacity")};
  options.scheduler.state.scheduler_names = {"volcano"};
  testutil::FastCluster named(std::move(options));
  named.loop().RunFor(1s);
  const auto request = ParseRequest(R"({"namespace":"ns","objects":[)" + pod + "]}");
  const auto answer = Simulate(*named.scheduler().TakeImage(), *request, [] { return true; });
  EXPECT_EQ(answer->at("pods").as_array()[0].at("reason"), "OtherScheduler");
}

TEST_F(SimulationTest, WhatCannotBeAskedIsNamed) {
  EXPECT_THAT(Refused("nonsense"), HasSubstr("no JSON"));
  EXPECT_THAT(Refused("[]"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(Refused(R"({"adNodes":[]})"), HasSubstr("there is no such field"));
  EXPECT_THAT(Refused(R"({"adNodes":["n"]})"), HasSubstr("there is no such field"));
  EXPECT_THAT(Refused(R"({"objects":[{"apiVersion":"v1","kind":"Service"}]})"),
              HasSubstr("objects: [0]: v1 Service cannot be simulated"));
  EXPECT_THAT(Refused(R"({"objects":[{"apiVersion":"v1","kind":"Pod","metadata":{}}]})"),
              HasSubstr("metadata.name is missing"));
  EXPECT_THAT(Refused(R"({"addNodes":[{"count":0,"like":"n1"}]})"), HasSubstr("from 1 to"));
  EXPECT_THAT(Refused(R"({"addNodes":[{"like":"n9"}]})"), HasSubstr("node n9 is not known"));
  EXPECT_THAT(Refused(R"({"set":["queue/default.colour=red"]})"), HasSubstr("no field that can"));
  EXPECT_THAT(Refused(R"({"set":["queue/default.capability.cpu=much"]})"), HasSubstr("a quantity"));
  EXPECT_THAT(Refused(R"({"set":["queue/none.weight=1"]})"), HasSubstr("queue none is not known"));
  EXPECT_THAT(Refused(R"({"finish":["pod/none"]})"), HasSubstr("pod default/none is not known"));
  EXPECT_THAT(Refused(R"({"finish":["house/none"]})"), HasSubstr("with KIND one of"));
  EXPECT_THAT(Refused(R"({"horizon":"soon"})"), HasSubstr("horizon"));
}

TEST_F(SimulationTest, WhatCannotBeChangedIsNamedWithWhatWasAskedFor) {
  Run("alone", 1);
  struct Case {
    const char* body;
    const char* want;
  };
  for (const Case& c : {
           Case{R"({"set":["queue/default.weight=0"]})",
                "weight of queue default cannot be \"0\": a whole number from 1 on is needed"},
           Case{R"({"set":["queue/default.weight=2x"]})", "a whole number from 1 on is needed"},
           Case{R"({"set":["queue/default.priority=-1"]})", "a whole number from 0 on is needed"},
           Case{R"({"set":["queue/default.reclaimable=maybe"]})", "true or false is needed"},
           Case{R"({"set":["queue/default.minMember=1"]})", "a queue has no such field here"},
           Case{R"({"set":["node/n1.weight=1"]})", "a node has no such field here"},
           Case{R"({"set":["node/n1.allocatable.=1"]})", "a node has no such field here"},
           Case{R"({"set":["node/n1.unschedulable=1"]})", "true or false is needed"},
           Case{R"({"set":["node/n9.allocatable.cpu=1"]})", "set: node n9 is not known"},
           Case{R"({"set":["podgroup/g.minMember=1"]})", "podgroup default/g is not known"},
           Case{R"({"removeNodes":["n9"]})", "removeNodes: node n9 is not known"},
           Case{R"({"cordon":["n9"]})", "cordon: node n9 is not known"},
           Case{R"({"uncordon":["n9"]})", "uncordon: node n9 is not known"},
           Case{R"({"finish":["podgroup/g"]})", "finish: podgroup default/g is not known"},
           Case{R"({"finish":["job/g"]})", "finish: job default/g is not known"},
           Case{R"({"delete":["pod/g"]})", "delete: pod default/g is not known"},
       }) {
    EXPECT_THAT(Refused(c.body), HasSubstr(c.want)) << c.body;
  }
}

// A gang of two that runs, and one that waits for its room.
class SimulatedGangTest : public SimulationTest {
 protected:
  SimulatedGangTest() {
    for (const char* group : {"runs", "waits"}) {
      kube::PodGroup object;
      object.meta.ns = "ns";
      object.meta.name = group;
      object.queue = "default";
      object.min_member = 2;
      cluster_.Add(std::move(object));
      for (const char* number : {"-0", "-1"}) {
        kube::Pod pod;
        pod.meta.ns = "ns";
        pod.meta.name = std::string(group) + number;
        pod.meta.annotations.Set(model::annotations::kGroupName, group);
        pod.meta.annotations.Set("volcano.sh/job-name", std::string("job-") + group);
        pod.spec.scheduler_name = "volcano";
        pod.spec.priority = 1;
        kube::Container container;
        container.name = "main";
        container.resources.requests.Set("cpu", kube::Quantity::Of(2));
        pod.spec.containers.push_back(std::move(container));
        cluster_.Add(std::move(pod));
      }
      cluster_.loop().RunFor(1s);
    }
  }
};

TEST_F(SimulatedGangTest, GroupsAndJobsEndWithAllTheirPods) {
  for (const auto& [change, want] : std::vector<std::pair<std::string, std::string>>{
           {R"("finish":["podgroup/runs"])", "waits-0 runs n1 0; waits-1 runs n1 0; "},
           {R"("finish":["vcjob/job-runs"])", "waits-0 runs n1 0; waits-1 runs n1 0; "},
           {R"("finish":["pod/runs-0"])", "waits-0 waits; waits-1 waits; "},
           {R"("set":["podgroup/waits.minMember=3"],"finish":["podgroup/runs"])",
            "waits-0 waits; waits-1 waits; "},
       }) {
    EXPECT_EQ(Show(Ask(R"({"namespace":"ns",)" + change + "}")), want) << change;
  }
}

TEST_F(SimulatedGangTest, AGroupThatWouldNeedFewerStartsWithThem) {
  const json::object answer =
      Ask(R"({"namespace":"ns","set":["podgroup/waits.minMember=1"],"finish":["pod/runs-0"]})");
  EXPECT_EQ(answer.at("waiting"), 1) << Show(answer);
}

TEST_F(SimulatedGangTest, AGroupIsSetInItsOwnNamespace) {
  EXPECT_THAT(Refused(R"({"set":["podgroup/waits.minMember=1"]})"),
              HasSubstr("podgroup default/waits is not known"));
  EXPECT_EQ(Refused(R"({"set":["podgroup/ns/waits.minMember=1"]})"), "");
  EXPECT_THAT(Refused(R"({"set":["podgroup/ns/waits.minMember=0"]})"),
              HasSubstr("a whole number from 1 on"));
  EXPECT_THAT(Refused(R"({"set":["podgroup/ns/waits.weight=1"]})"),
              HasSubstr("a group has no such field here"));
}

TEST_F(SimulationTest, AbsurdSizesAreRefused) {
  EXPECT_THAT(Refused(R"({"addNodes":[{"count":1000000,"like":"n1"}]})"), HasSubstr("from 1 to"));
  EXPECT_THAT(Refused(R"({"addNodes":[{"count":-1,"like":"n1"}]})"), HasSubstr("from 1 to"));
  EXPECT_THAT(Refused(R"({"addNodes":[{"count":1e300,"like":"n1"}]})"), HasSubstr("is needed"));
  EXPECT_THAT(Refused(R"({"addNodes":[{"count":15000,"like":"n1"},{"count":15000,"like":"n1"}]})"),
              HasSubstr("in all"));
  EXPECT_THAT(Refused(R"({"horizon":"9999999999h"})"), HasSubstr("horizon"));
  EXPECT_THAT(Refused(R"({"horizon":"-1h"})"), HasSubstr("more than 0s"));
  EXPECT_THAT(Refused(R"({"set":["queue/default.weight=99999999999999999999"]})"),
              HasSubstr("a whole number"));
  EXPECT_THAT(Refused(R"({"set":["queue/default.capability.cpu=-4"]})"), HasSubstr("a quantity"));
  std::string many = R"({"cordon":["n1")";
  for (int i = 0; i < 20'000; ++i) many += R"(,"n1")";
  EXPECT_THAT(Refused(many + "]}"), HasSubstr("at most 20000"));
  EXPECT_THAT(Refused(R"({"objects":)" + std::string(500, '[') + std::string(500, ']') + "}"),
              HasSubstr("no JSON"));
}

TEST_F(SimulationTest, OddObjectsAreAnsweredLikeAnyOthers) {
  Run("old", 2);
  const std::string for_ever = R"({"basalt.sh/run-duration":"2562047h"})";
  const std::string negative = R"({"basalt.sh/run-duration":"-5m"})";
  const std::string no_queue = R"({"scheduling.volcano.sh/queue-name":"nowhere"})";
  struct Case {
    std::string pod, want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {Pod("a", 1, "", for_ever), "a runs n1 0; "},
           {Pod("a", 1, "", negative), "a runs n1 0; "},
           {Pod("a", 1'000'000'000), "a waits; "},
           {Pod("a", 0), "a runs n1 0; "},
           {Pod("a", 1, R"(,"terminationGracePeriodSeconds":9223372036854775807)"),
            "a runs n1 0; "},
           {Pod("a", 1, R"(,"nodeSelector":{"<b>x</b>":"y"})"), "a waits; "},
           {Pod("a", 1, "", no_queue), "a waits; "},
           // It is there already: a newer version of it, which stays where it is.
           {Pod("old", 3), "old runs n1; "}}) {
    const std::string body =
        R"({"namespace":"ns","untilQuiet":true,"horizon":"1h","objects":[)" + c.pod + "]}";
    EXPECT_EQ(Show(Ask(body)), c.want) << c.pod;
  }
}

TEST_F(SimulationTest, OneThatIsToldToStopStops) {
  const auto request = ParseRequest(R"({"untilQuiet":true})");
  const auto answer = Simulate(*cluster_.scheduler().TakeImage(), *request, [] { return false; });
  ASSERT_FALSE(answer.has_value());
  EXPECT_THAT(answer.error().message, HasSubstr("takes too long"));
}

}  // namespace
}  // namespace basalt::scheduler::simulate
