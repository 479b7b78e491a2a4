#include "scheduler/plugins/predicates/node_rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "scheduler/plugins/predicates/static_rules.h"
#include "testing/model/test_cluster.h"
#include "testing/seeds.h"

namespace basalt::scheduler::plugins {
namespace {

using Operator = kube::NodeSelectorRequirement::Operator;

kube::NodeSelectorRequirement RandomRequirement(Random& random) {
  static constexpr Operator kOperators[] = {Operator::kIn,     Operator::kNotIn,
                                            Operator::kExists, Operator::kDoesNotExist,
                                            Operator::kGt,     Operator::kLt};
  kube::NodeSelectorRequirement made;
  made.key = fmt::format("k{}", random.Below(4));
  made.op = kOperators[random.Below(std::size(kOperators))];
  const bool needs_values = made.op != Operator::kExists && made.op != Operator::kDoesNotExist;
  const std::uint64_t values =
      made.op == Operator::kGt || made.op == Operator::kLt ? 1 : 1 + random.Below(2);
  for (std::uint64_t i = 0; needs_values && i < values; ++i) {
    made.values.push_back(std::to_string(random.Below(4)));
  }
  return made;
}

// Random labels, selectors and terms: leaving out what no node can match changes no answer.
TEST(NodeRulesTest, TermsThatNoNodeCanMatchAreLeftOutWithoutAnyOtherAnswer) {
  testutil::ForEachSeed(300, [](std::uint64_t seed) {
    Random random(seed);
    testutil::TestCluster given;
    for (std::uint64_t n = 0; n < 1 + random.Below(4); ++n) {
      kube::Node node = testutil::MakeNode(fmt::format("n{}", n), {{"cpu", "8"}});
      for (std::uint64_t i = 0; i < random.Below(4); ++i) {
        node.meta.labels.Set(fmt::format("k{}", random.Below(4)), std::to_string(random.Below(4)));
      }
      given.Add(std::move(node));
    }
    for (int p = 0; p < 4; ++p) {
      kube::Pod pod = testutil::MakePod(fmt::format("p{}", p), "", {{"cpu", "1"}});
      if (random.Chance(0.3)) pod.spec.node_selector.Set("k0", std::to_string(random.Below(4)));
      kube::NodeSelector required;
      for (std::uint64_t t = 0; t < random.Below(4); ++t) {
        kube::NodeSelectorTerm term;
        for (std::uint64_t i = 0; i < random.Below(3); ++i) {
          term.match_expressions.push_back(RandomRequirement(random));
        }
        if (random.Chance(0.2)) {
          term.match_fields.push_back({.key = "metadata.name",
                                       .op = random.Chance(0.5) ? Operator::kIn : Operator::kNotIn,
                                       .values = {fmt::format("n{}", random.Below(6))}});
        }
        required.terms.push_back(std::move(term));
      }
      pod.spec.affinity.emplace().node.emplace().required = std::move(required);
      given.Add(std::move(pod));
    }
    NodeRules rules;
    rules.Open(given.cluster);
    given.cluster.tasks().ForEach([&](const Task& task) {
      for (const NodeId id : given.cluster.nodes()) {
        const Node& node = given.cluster.node(id);
        EXPECT_EQ(rules.Matches(task, node), MatchesNodeRules(*task.pod, *node.object))
            << task.name() << " on " << node.name;
      }
    });
  });
}

// Seen on a node that the rules do not know of: it would match.
TEST(NodeRulesTest, WhatNoNodeOfTheClusterHasIsLookedForOnNone) {
  struct Row {
    const char* name;
    void (*ask)(kube::PodSpec& spec);
  };
  static constexpr auto require = [](kube::PodSpec& spec, kube::NodeSelectorTerm term) {
    spec.affinity.emplace().node.emplace().required.emplace().terms = {std::move(term)};
  };
  const Row rows[] = {
      {"selector", [](kube::PodSpec& spec) { spec.node_selector.Set("k", "1"); }},
      {"in",
       [](kube::PodSpec& spec) {
         require(spec, {.match_expressions = {{.key = "k", .op = Operator::kIn, .values = {"1"}}}});
       }},
      {"exists",
       [](kube::PodSpec& spec) {
         require(spec, {.match_expressions = {{.key = "k", .op = Operator::kExists}}});
       }},
      {"field",
       [](kube::PodSpec& spec) {
         require(
             spec,
             {.match_fields = {{.key = "metadata.name", .op = Operator::kIn, .values = {"n"}}}});
       }},
  };
  const testutil::TestCluster without;
  for (const Row& row : rows) {
    testutil::TestCluster given;
    kube::Node node = testutil::MakeNode("n", {{"cpu", "8"}});
    node.meta.labels.Set("k", "1");
    kube::Pod pod = testutil::MakePod("p", "", {{"cpu", "1"}});
    row.ask(pod.spec);
    given.Add(std::move(node)).Add(std::move(pod));
    NodeRules rules;
    rules.Open(given.cluster);
    EXPECT_TRUE(rules.Matches(given.task("p"), given.node("n"))) << row.name;
    rules.Open(without.cluster);
    EXPECT_FALSE(rules.Matches(given.task("p"), given.node("n"))) << row.name;
  }
}

TEST(NodeRulesTest, AFieldWithoutAValueMatchesNoNode) {
  testutil::TestCluster given;
  given.Add(testutil::MakeNode("n", {{"cpu", "8"}}));
  kube::Pod pod = testutil::MakePod("p", "", {{"cpu", "1"}});
  pod.spec.affinity.emplace().node.emplace().required.emplace().terms = {
      {.match_fields = {{.key = "metadata.name", .op = Operator::kIn, .values = {}}}}};
  given.Add(std::move(pod));
  NodeRules rules;
  rules.Open(given.cluster);
  EXPECT_FALSE(rules.Matches(given.task("p"), given.node("n")));
}

}  // namespace
}  // namespace basalt::scheduler::plugins
