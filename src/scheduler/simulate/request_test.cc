// What may be asked of a simulation, and how it is written.
#include "scheduler/simulate/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

namespace basalt::scheduler::simulate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Request Asked(std::string_view body) {
  auto request = ParseRequest(body);
  EXPECT_TRUE(request.has_value()) << (request ? "" : request.error().message);
  return request ? *std::move(request) : Request{};
}

std::string NotAsked(std::string_view body) {
  const auto request = ParseRequest(body);
  return request ? "" : request.error().message;
}

std::string Text(const Named& named) { return named.kind + " " + named.ns + " " + named.name; }

TEST(SimulationRequestTest, AQuestionWithoutChangesIsOne) {
  const Request request = Asked("{}");
  EXPECT_TRUE(request.objects.empty());
  EXPECT_FALSE(request.until_quiet);
  EXPECT_EQ(request.horizon, 7 * 24h);
}

TEST(SimulationRequestTest, EveryListIsReadInItsOrder) {
  const Request request = Asked(R"({"untilQuiet": true, "horizon": "90m",
      "addNodes": [{"like": "a"}, {"like": "b", "count": 3}], "removeNodes": ["c", "d"],
      "cordon": ["e"], "uncordon": ["f"]})");
  EXPECT_TRUE(request.until_quiet);
  EXPECT_EQ(request.horizon, 90min);
  ASSERT_EQ(request.add_nodes.size(), 2u);
  EXPECT_EQ(request.add_nodes[0].like, "a");
  EXPECT_EQ(request.add_nodes[0].count, 1) << "one where no number is said";
  EXPECT_EQ(request.add_nodes[1].count, 3);
  EXPECT_THAT(request.remove_nodes, ElementsAre("c", "d"));
  EXPECT_THAT(request.cordon, ElementsAre("e"));
  EXPECT_THAT(request.uncordon, ElementsAre("f"));
}

TEST(SimulationRequestTest, NamesAreOfTheQuestionsNamespaceUnlessTheySayTheirs) {
  const Request request = Asked(R"({"namespace": "team",
      "finish": ["pod/a", "pod/other/b", "podgroup/c", "job/d", "vcjob/e"], "delete": ["pod/f"]})");
  ASSERT_EQ(request.finish.size(), 5u);
  EXPECT_EQ(Text(request.finish[0]), "pod team a");
  EXPECT_EQ(Text(request.finish[1]), "pod other b");
  EXPECT_EQ(Text(request.finish[2]), "podgroup team c");
  EXPECT_EQ(Text(request.finish[3]), "job team d");
  EXPECT_EQ(Text(request.finish[4]), "vcjob team e");
  ASSERT_EQ(request.remove.size(), 1u);
  EXPECT_EQ(Text(request.remove[0]), "pod team f");
  EXPECT_EQ(Text(Asked(R"({"finish": ["pod/a"]})").finish[0]), "pod default a");
}

TEST(SimulationRequestTest, TheNamespaceCountsWhereverItStandsInTheQuestion) {
  EXPECT_EQ(Text(Asked(R"({"finish": ["pod/a"], "namespace": "team"})").finish[0]), "pod team a");
}

struct SettingCase {
  const char* text;
  const char* object;  // "kind ns name"
  const char* field;
  const char* value;
};

class SettingTest : public testing::TestWithParam<SettingCase> {};

TEST_P(SettingTest, IsAnObjectAFieldAndAValue) {
  const SettingCase& want = GetParam();
  const Request request =
      Asked(std::string(R"({"namespace": "team", "set": [")") + want.text + "\"]}");
  ASSERT_EQ(request.set.size(), 1u);
  EXPECT_EQ(Text(request.set[0].object), want.object);
  EXPECT_EQ(request.set[0].field, want.field);
  EXPECT_EQ(request.set[0].value, want.value);
}

INSTANTIATE_TEST_SUITE_P(
    Simulate, SettingTest,
    testing::ValuesIn<SettingCase>({
        {"queue/q.capability.cpu=40", "queue  q", "capability.cpu", "40"},
        {"queue/q.weight=2", "queue  q", "weight", "2"},
        {"queue/team.a.deserved.nvidia.com/gpu=8", "queue  team.a", "deserved.nvidia.com/gpu", "8"},
        {"node/n1.example.com.allocatable.memory=16Gi", "node  n1.example.com",
         "allocatable.memory", "16Gi"},
        {"node/n1.unschedulable=true", "node  n1", "unschedulable", "true"},
        {"podgroup/g.minMember=3", "podgroup team g", "minMember", "3"},
        {"podgroup/other/g.minMember=3", "podgroup other g", "minMember", "3"},
        // What stands behind the first equals sign is the value, whatever it is.
        {"queue/q.weight=a=b", "queue  q", "weight", "a=b"},
        {"queue/q.weight=", "queue  q", "weight", ""},
    }));

TEST(SimulationRequestTest, WhatCannotBeReadIsNamedWithItsFieldAndPlace) {
  struct Case {
    const char* body;
    const char* want;
  };
  for (const Case& c : {
           Case{R"("text")", "must be a JSON object"},
           Case{R"({"untilQuiet": "yes"})", "untilQuiet: true or false is needed"},
           Case{R"({"horizon": 5})", "horizon: a duration such as \"24h\" is needed"},
           Case{R"({"horizon": "0s"})", "horizon: it must be more than 0s"},
           Case{R"({"cordon": "n1"})", "cordon: a list is needed"},
           Case{R"({"cordon": ["n1", 2]})", "cordon: [1]: a text is needed"},
           Case{R"({"objects": ["pod"]})", "objects: [0]: an object is needed"},
           Case{R"({"addNodes": ["n1"]})", "{\"count\": NUMBER, \"like\": NODE} is needed"},
           Case{R"({"addNodes": [{"count": 2}]})", "{\"count\": NUMBER, \"like\": NODE} is needed"},
           Case{R"({"addNodes": [{"like": "n", "count": "2"}]})", "is needed"},
           Case{R"({"addNodes": [{"like": "n", "count": 20001}]})",
                "count must be from 1 to 20000"},
           Case{R"({"set": ["queue/q.weight"]})", "KIND/NAME.FIELD=VALUE is needed"},
           Case{R"({"set": ["pod/p.weight=1"]})", "with KIND one of queue, node, podgroup"},
           Case{R"({"set": ["queue/ns/q.weight=1"]})", "\"queue/ns/q\" is no KIND/NAME"},
           Case{R"({"finish": ["pod"]})", "\"pod\" is no KIND/NAME"},
           Case{R"({"finish": ["pod/"]})", "\"pod/\" is no KIND/NAME"},
           Case{R"({"finish": ["pod/a/b/c"]})", "\"pod/a/b/c\" is no KIND/NAME"},
           Case{R"({"delete": ["podgroup/g"]})", "with KIND one of pod"},
           Case{R"({"delete": ["pod/a"], "colour": 1})", "colour: there is no such field"},
       }) {
    EXPECT_THAT(NotAsked(c.body), HasSubstr(c.want)) << c.body;
  }
}

TEST(SimulationRequestTest, AsManyNodesAsMayBeAddedAre) {
  EXPECT_EQ(NotAsked(R"({"addNodes": [{"like": "n", "count": 20000}]})"), "");
  EXPECT_EQ(
      NotAsked(R"({"addNodes": [{"like": "n", "count": 15000}, {"like": "n", "count": 5000}]})"),
      "");
  EXPECT_THAT(
      NotAsked(R"({"addNodes": [{"like": "n", "count": 15000}, {"like": "n", "count": 5001}]})"),
      HasSubstr("at most 20000 nodes are added in all"));
}

TEST(SimulationRequestTest, AnObjectIsOfTheNamespaceThatItNamesOrOfTheQuestions) {
  const auto of = [](std::string_view text) {
    const auto object = ParseObject(boost::json::parse(text).as_object(), "team");
    EXPECT_TRUE(object.has_value()) << (object ? "" : object.error().message);
    return std::visit([](const auto& one) { return one.meta.ns + "/" + one.meta.name; }, *object);
  };
  EXPECT_EQ(of(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}})"), "team/p");
  EXPECT_EQ(of(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p",
                   "namespace": "other"}})"),
            "other/p");
  EXPECT_EQ(of(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}})"), "/n");
  EXPECT_EQ(of(R"({"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue",
                   "metadata": {"name": "q"}})"),
            "/q");
}

TEST(SimulationRequestTest, AKindIsKnownByItsNameAndItsVersionTogether) {
  const auto known = [](std::string_view text) {
    return IsKnownKind(boost::json::parse(text).as_object());
  };
  EXPECT_TRUE(known(R"({"apiVersion": "v1", "kind": "Pod"})"));
  EXPECT_TRUE(known(R"({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget"})"));
  EXPECT_FALSE(known(R"({"apiVersion": "v2", "kind": "Pod"})"));
  EXPECT_FALSE(known(R"({"apiVersion": "apps/v1", "kind": "Deployment"})"));
  EXPECT_FALSE(known(R"({"kind": "Pod"})"));
  EXPECT_FALSE(known(R"({"apiVersion": 1, "kind": "Pod"})"));
}

}  // namespace
}  // namespace basalt::scheduler::simulate
