#include "testing/scheduling/eviction_scenario.h"

namespace basalt::testutil {
namespace {

EvictionScenario::Step PodsOfAGroup(const EvictionScenario::Group& group, int count,
                                    const std::string& cpu) {
  EvictionScenario::Step step{.groups = {group}, .pods = {}};
  for (int i = 0; i < count; ++i) {
    step.pods.push_back(
        {.name = group.name + "-" + std::to_string(i), .cpu = cpu, .group = group.name});
  }
  return step;
}

// The victim comes back, and its queue is the worst off then, so that it takes the room that was
// made, and is evicted again: for ever.
EvictionScenario CyclicEvictions() {
  return {.id = "CyclicEvictions",
          .name = "cyclic evictions (4947, seed 003)",
          .nodes = {{"n1", "8"}},
          .queues = {{"q1", "3"}, {"q2", "5"}},
          .first = {.groups = {{.name = "g1", .queue = "q1"}, {.name = "g2", .queue = "q2"}},
                    .pods = {{.name = "pod1", .cpu = "4", .group = "g1", .comes_back = true},
                             {.name = "pod2", .cpu = "1", .group = "g2"}}},
          .then = {.groups = {{.name = "g3", .queue = "q2"}},
                   .pods = {{.name = "pod3", .cpu = "4", .group = "g3"}}},
          .late = {},
          .later_nodes = {},
          .run = {"pod2", "pod3"},
          .evictions = 1};
}

// What was decided for a gang that waits for its victims is lost, and those who come later take its
// room bit by bit.
EvictionScenario LostStatements() {
  EvictionScenario scenario{
      .id = "LostStatements",
      .name = "lost statements (5044)",
      .nodes = {{"n1", "4"}, {"n2", "4"}},
      .queues = {{"q", ""}},
      .first = PodsOfAGroup({.name = "old", .queue = "q", .priority = "low"}, 8, "1"),
      .then =
          PodsOfAGroup({.name = "gang", .min_member = 2, .queue = "q", .priority = "high"}, 2, "3"),
      .late = {},
      .later_nodes = {},
      .run = {"gang-0", "gang-1"},
      .evictions = 6};
  for (int i = 0; i < 30; ++i) {
    const std::string name = "late-" + std::to_string(i);
    scenario.late.groups.push_back({.name = name, .queue = "q", .priority = "low"});
    scenario.late.pods.push_back({.name = name, .cpu = "500m", .group = name});
  }
  return scenario;
}

// A part of a gang would fit if others left, the whole never: what was tried is discarded, and
// nothing of it may be left, neither a nomination nor an eviction. When there is room it starts.
EvictionScenario DiscardedStatement() {
  EvictionScenario scenario{
      .id = "DiscardedStatement",
      .name = "a discarded statement (5131)",
      .nodes = {{"n1", "4"}},
      .queues = {{"q", ""}},
      .first = PodsOfAGroup({.name = "old", .queue = "q", .priority = "low"}, 4, "1"),
      .then =
          PodsOfAGroup({.name = "gang", .min_member = 3, .queue = "q", .priority = "high"}, 3, "2"),
      .late = {},
      .later_nodes = {{"n2", "8"}},
      .run = {"gang-0", "gang-1", "gang-2", "old-0", "old-1", "old-2", "old-3"},
      .evictions = 0,
      .nominates = false};
  return scenario;
}

}  // namespace

std::vector<EvictionScenario> EvictionScenarios() {
  return {CyclicEvictions(), LostStatements(), DiscardedStatement()};
}

}  // namespace basalt::testutil
