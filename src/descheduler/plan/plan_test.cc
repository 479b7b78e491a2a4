#include "descheduler/plan/plan.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace basalt::descheduler {
namespace {

namespace json = boost::json;

// The object of contract C8, W14, field by field: whoever reads plans relies on all of them.
TEST(PlanTest, IsTheObjectOfTheContract) {
  Plan plan{.id = "p1", .profile = "default", .trigger = Trigger::kCron};
  plan.state = PlanState::kRunning;
  plan.resource_type = "cpu";
  plan.nodes = {
      {.name = "n1", .role = NodeRole::kSource, .before = {{"cpu", 25}}, .after = {{"cpu", 0}}},
      {.name = "n2", .role = NodeRole::kTarget, .before = {{"cpu", 50}}, .after = {{"cpu", 75}}},
      {.name = "n3", .role = NodeRole::kNone, .before = {{"cpu", 1}}, .after = {{"cpu", 1}}}};
  plan.moves = {{.ns = "a", .pod = "web-x", .uid = "u", .from = "n1", .to = "n2"}};
  plan.moves[0].request = {
      {"memory", kube::Quantity::Of(1 << 20, kube::Quantity::Format::kBinarySI)},
      {"cpu", kube::Quantity::OfMilli(1500)}};
  plan.moves[0].state = MoveState::kFailed;
  plan.moves[0].reason = "PodGone";
  plan.moves[0].message = "the pod is gone";
  plan.blocked = {{.node = "n3",
                   .ns = "a",
                   .pod = "db-0",
                   .reason = "NoTarget",
                   .message = "no target can take it",
                   .nodes = {{.reason = "Taints", .count = 2}}},
                  {.node = "n4", .reason = "Critical", .message = "its label", .nodes = {}}};
  plan.freed_nodes = {"n1"};
  plan.freed_resources = {{"cpu", kube::Quantity::Of(4)}};
  plan.disrupted = 1;
  plan.fragmentation_before = {{"cpu", 1.0}};
  plan.fragmentation_after = {{"cpu", 0.25}};
  plan.score = 1;
  EXPECT_EQ(json::value(ToJson(plan)), json::parse(R"({
    "id": "p1", "profile": "default", "trigger": "cron", "dryRun": false, "state": "Running",
    "resourceType": "cpu",
    "nodes": [{"name": "n1", "role": "source", "before": {"cpu": 25.0}, "after": {"cpu": 0.0}},
              {"name": "n2", "role": "target", "before": {"cpu": 50.0}, "after": {"cpu": 75.0}},
              {"name": "n3", "role": "none", "before": {"cpu": 1.0}, "after": {"cpu": 1.0}}],
    "moves": [{"namespace": "a", "pod": "web-x", "uid": "u", "from": "n1", "to": "n2",
               "request": {"cpu": "1500m", "memory": "1Mi"}, "state": "Failed",
               "reason": "PodGone", "message": "the pod is gone"}],
    "blocked": [{"node": "n3", "namespace": "a", "pod": "db-0", "reason": "NoTarget",
                 "message": "no target can take it", "nodes": [{"reason": "Taints", "count": 2}]},
                {"node": "n4", "namespace": "", "pod": "", "reason": "Critical",
                 "message": "its label", "nodes": []}],
    "freed": {"nodes": ["n1"], "resources": {"cpu": "4"}}, "disrupted": 1,
    "fragmentation": {"before": {"cpu": 1.0}, "after": {"cpu": 0.25}}, "score": 1.0})"));
}

TEST(PlanTest, NothingIsLeftOutOfAPlanWithoutMoves) {
  EXPECT_EQ(json::value(ToJson(Plan{})), json::parse(R"({
    "id": "", "profile": "", "trigger": "api", "dryRun": false, "state": "Planned",
    "resourceType": "", "nodes": [], "moves": [], "blocked": [],
    "freed": {"nodes": [], "resources": {}}, "disrupted": 0,
    "fragmentation": {"before": {}, "after": {}}, "score": 0.0})"));
}

TEST(PlanTest, StatesAndTriggersHaveTheWordsOfTheContract) {
  const std::pair<MoveState, std::string_view> moves[] = {
      {MoveState::kPlanned, "Planned"},     {MoveState::kReserving, "Reserving"},
      {MoveState::kEvicting, "Evicting"},   {MoveState::kRebinding, "Rebinding"},
      {MoveState::kSucceeded, "Succeeded"}, {MoveState::kFailed, "Failed"},
      {MoveState::kCancelled, "Cancelled"}};
  for (const auto& [state, word] : moves) EXPECT_EQ(ToString(state), word);
  const std::pair<PlanState, std::string_view> plans[] = {{PlanState::kPlanned, "Planned"},
                                                          {PlanState::kRunning, "Running"},
                                                          {PlanState::kSucceeded, "Succeeded"},
                                                          {PlanState::kFailed, "Failed"}};
  for (const auto& [state, word] : plans) EXPECT_EQ(ToString(state), word);
  EXPECT_EQ(ToString(Trigger::kApi), "api");
  EXPECT_EQ(ToString(Trigger::kInterval), "interval");
}

}  // namespace
}  // namespace basalt::descheduler
