#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <optional>

#include "apiserver/gc/controllers.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

TEST(DisruptionTest, ABudgetCountsReadyPodsAgainstTheirControllersScale) {
  const json::object ready = json::parse(R"({"metadata":{"name":"a","ownerReferences":[
      {"controller":true,"kind":"ReplicaSet","name":"r","uid":"u"}]},
      "status":{"conditions":[{"type":"Ready","status":"True"}]}})")
                                 .as_object();
  json::object other = ready;
  other["metadata"].as_object()["name"] = "b";
  const json::object budget = json::parse(R"({"metadata":{"name":"x","generation":2},
      "spec":{"maxUnavailable":"50%"},"status":{}})")
                                  .as_object();
  const auto scale = [](const json::object&) { return std::optional<std::int64_t>(3); };
  const json::object status = BudgetStatus(budget, {ready, other}, scale, Time());
  EXPECT_EQ(GetInt(status, {"expectedPods"}), 3);
  EXPECT_EQ(GetInt(status, {"desiredHealthy"}), 1);
  EXPECT_EQ(GetInt(status, {"currentHealthy"}), 2);
  EXPECT_EQ(GetInt(status, {"disruptionsAllowed"}), 1);
  EXPECT_EQ(GetInt(status, {"observedGeneration"}), 2);
}

struct BudgetRow {
  const char* spec;
  int ready;  // of four pods
  int scale;  // what their controller wants; -1: it cannot be told
  int desired;
  int allowed;
};

TEST(DisruptionTest, HowManyMayGo) {
  const BudgetRow rows[] = {
      {R"({"minAvailable":3})", 4, 4, 3, 1},
      {R"({"minAvailable":3})", 3, 4, 3, 0},
      {R"({"minAvailable":3})", 1, 4, 3, 0},
      {R"({"minAvailable":3})", 4, -1, 3, 1},  // a number needs no scale
      {R"({"minAvailable":"50%"})", 4, 4, 2, 2},
      {R"({"minAvailable":"51%"})", 4, 4, 3, 1},  // rounded up
      {R"({"minAvailable":"50%"})", 4, -1, 0, 0},
      {R"({"maxUnavailable":1})", 4, 4, 3, 1},
      {R"({"maxUnavailable":1})", 4, 8, 7, 0},
      {R"({"maxUnavailable":9})", 4, 4, 0, 4},
      {R"({})", 4, 4, 0, 4},
  };
  for (const BudgetRow& row : rows) {
    const json::object budget{{"metadata", {{"name", "b"}, {"generation", 1}}},
                              {"spec", json::parse(row.spec)},
                              {"status", json::object()}};
    std::vector<json::object> pods;
    for (int i = 0; i < 4; ++i) {
      json::object pod = json::parse(R"({"metadata":{"ownerReferences":[{"controller":true,
          "kind":"ReplicaSet","name":"r","uid":"u"}]},"status":{"conditions":[]}})")
                             .as_object();
      Metadata(pod)["name"] = std::to_string(i);
      const char* ready = i < row.ready ? "True" : "False";
      SetCondition(Child(pod, "status"), {{"type", "Ready"}, {"status", ready}});
      pods.push_back(std::move(pod));
    }
    const auto scale = [&](const json::object&) -> std::optional<std::int64_t> {
      if (row.scale < 0) return std::nullopt;
      return row.scale;
    };
    const json::object status = BudgetStatus(budget, pods, scale, Time());
    EXPECT_EQ(GetInt(status, {"desiredHealthy"}), row.desired) << row.spec << " " << row.ready;
    EXPECT_EQ(GetInt(status, {"disruptionsAllowed"}), row.allowed) << row.spec << " " << row.ready;
    const json::object& condition = AsObject(FindArray(status, {"conditions"})->at(0));
    EXPECT_EQ(GetString(condition, {"status"}), row.allowed > 0 ? "True" : "False") << row.spec;
  }
}

}  // namespace
}  // namespace basalt::apiserver
