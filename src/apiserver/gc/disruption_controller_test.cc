#include "apiserver/gc/disruption_controller.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <optional>

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

}  // namespace
}  // namespace basalt::apiserver
