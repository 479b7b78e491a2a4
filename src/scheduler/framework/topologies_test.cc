#include "scheduler/framework/topologies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::TestCluster;

kube::Node ZonedNode(std::string name, std::string_view zone, std::string_view other = "") {
  kube::Node node = MakeNode(std::move(name), {{"cpu", "1"}});
  if (!zone.empty()) node.meta.labels.Set("zone", zone);
  if (!other.empty()) node.meta.labels.Set("rack", other);
  return node;
}

TEST(TopologyTest, NodesOfOneValueAreADomainAndThoseWithoutTheLabelAreInNone) {
  TestCluster given;
  given.Add(ZonedNode("a", "east")).Add(ZonedNode("b", "west")).Add(ZonedNode("c", "east"));
  given.Add(ZonedNode("d", ""));
  const Topology topology(given.cluster, "zone");
  EXPECT_EQ(topology.domains(), 2);
  EXPECT_EQ(topology.DomainOf(given.node("a").id), topology.DomainOf(given.node("c").id));
  EXPECT_NE(topology.DomainOf(given.node("a").id), topology.DomainOf(given.node("b").id));
  EXPECT_EQ(topology.DomainOf(given.node("d").id), Topology::kNoDomain);
  EXPECT_EQ(topology.DomainOf(model::NodeId{1000}), Topology::kNoDomain);
  EXPECT_EQ(topology.NodesOf(topology.DomainOf(given.node("a").id)),
            (std::vector<model::NodeId>{given.node("a").id, given.node("c").id}));
}

TEST(TopologyTest, NodesThatDoNotCountAreInNoDomain) {
  TestCluster given;
  given.Add(ZonedNode("a", "east")).Add(ZonedNode("b", "west"));
  const Topology topology(given.cluster, "zone",
                          [](const model::Node& node) { return node.name == "b"; });
  EXPECT_EQ(topology.domains(), 1);
  EXPECT_EQ(topology.DomainOf(given.node("a").id), Topology::kNoDomain);
  EXPECT_EQ(topology.DomainOf(given.node("b").id), 0);
}

// What changes between two sessions, and whether domains are found anew. A topology that was kept
// is the same object.
struct Between {
  const char* what;
  void (*change)(TestCluster& given);
  bool kept;
};

class TopologiesTest : public testing::TestWithParam<Between> {};

TEST_P(TopologiesTest, AreKeptUntilALabelOfANodeChanges) {
  TestCluster given;
  given.Add(ZonedNode("a", "east", "1")).Add(ZonedNode("b", "west", "1"));
  Topologies topologies;
  topologies.Open(given.cluster);
  const auto zone = topologies.NumberOf("zone");
  EXPECT_EQ(topologies.NumberOf("rack"), zone + 1);
  EXPECT_EQ(topologies.NumberOf("zone"), zone);
  const Topology* before = &topologies[zone];
  // Takes the place of what is dropped, so that a new one has another address.
  topologies[topologies.NumberOf("rack")];
  GetParam().change(given);
  topologies.Open(given.cluster);
  const Topology* after = &topologies[zone];
  if (GetParam().kept) {
    EXPECT_EQ(after, before);
  }
  const Topology anew(given.cluster, "zone");
  ASSERT_EQ(after->domains(), anew.domains());
  for (const model::NodeId node : given.cluster.nodes()) {
    EXPECT_EQ(after->DomainOf(node), anew.DomainOf(node));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Changes, TopologiesTest,
    testing::Values(
        Between{"Nothing", [](TestCluster&) {}, true},
        Between{"AHeartbeat",
                [](TestCluster& given) {
                  kube::Node node = ZonedNode("a", "east", "1");
                  node.status.conditions.push_back({.type = "Ready"});
                  given.Add(std::move(node));
                },
                true},
        Between{"AnotherZone", [](TestCluster& given) { given.Add(ZonedNode("a", "west", "1")); },
                false},
        Between{"ANodeMore", [](TestCluster& given) { given.Add(ZonedNode("c", "north")); }, false},
        Between{"ANodeLess", [](TestCluster& given) { given.cluster.RemoveNode("a"); }, false},
        Between{"AnotherNodeInThePlaceOfOne",
                [](TestCluster& given) {
                  given.cluster.RemoveNode("b");
                  given.Add(ZonedNode("c", "west", "1"));
                },
                false}),
    [](const auto& row) { return std::string(row.param.what); });

TEST(TopologiesTest, OfAnotherClusterAreFoundAnew) {
  TestCluster one, other;
  one.Add(ZonedNode("a", "east"));
  other.Add(ZonedNode("a", "east")).Add(ZonedNode("b", "west"));
  Topologies topologies;
  topologies.Open(one.cluster);
  const auto zone = topologies.NumberOf("zone");
  EXPECT_EQ(topologies[zone].domains(), 1);
  topologies.Open(other.cluster);
  EXPECT_EQ(topologies[zone].domains(), 2);
}

// ---- DomainCounts

// A cluster of that many domains, one node each.
struct Domains {
  explicit Domains(int count) {
    for (int i = 0; i < count; ++i) {
      given.Add(ZonedNode("n" + std::to_string(i), "z" + std::to_string(i)));
    }
    given.Add(ZonedNode("outside", ""));
    topology.emplace(given.cluster, "zone");
  }
  TestCluster given;
  std::optional<Topology> topology;
};

TEST(DomainCountsTest, CountWhatIsAddedByDomainAndNothingOutside) {
  Domains domains(3);
  DomainCounts counts(*domains.topology);
  EXPECT_TRUE(counts.empty());
  counts.Change(domains.given.node("n1").id, 2);
  counts.Change(domains.given.node("outside").id, 5);
  counts.Change(domains.given.node("n2").id, 0);
  EXPECT_FALSE(counts.empty());
  EXPECT_EQ(counts.total(), 2);
  EXPECT_EQ(counts.On(domains.given.node("n1").id), 2);
  EXPECT_EQ(counts.On(domains.given.node("n0").id), 0);
  EXPECT_EQ(counts.On(domains.given.node("outside").id), 0);
  EXPECT_EQ(counts.steps_end(), 1u) << "what changes nothing is no step";
  counts.Change(domains.given.node("n1").id, -2);
  EXPECT_TRUE(counts.empty());
}

TEST(DomainCountsTest, StepsTellWhatWasBeforeUntilTheyAreForgotten) {
  Domains domains(2);
  DomainCounts counts(*domains.topology);
  counts.ChangeDomain(0, 1);
  const std::uint64_t position = counts.steps_end();
  counts.ChangeDomain(1, 3);
  counts.ChangeDomain(0, 1);
  const auto steps = counts.StepsSince(position);
  ASSERT_TRUE(steps.has_value());
  ASSERT_EQ(steps->size(), 2u);
  EXPECT_EQ((*steps)[0].domain, 1);
  EXPECT_EQ((*steps)[0].before, 0);
  EXPECT_EQ((*steps)[1].before, 1);
  ASSERT_TRUE(counts.StepsSince(counts.steps_end())) << "nothing has happened, and that is known";
  EXPECT_EQ(counts.StepsSince(counts.steps_end())->size(), 0u);
  EXPECT_EQ(counts.StepsSince(0)->size(), 3u);
  EXPECT_FALSE(counts.StepsSince(counts.steps_end() + 1));
  for (int i = 3; i < (1 << 16); ++i) counts.ChangeDomain(0, i % 2 == 0 ? 1 : -1);
  EXPECT_TRUE(counts.StepsSince(0));
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t last = counts.steps_end();
    counts.ChangeDomain(1, 1);
    EXPECT_FALSE(counts.StepsSince(position)) << "forgotten";
    ASSERT_TRUE(counts.StepsSince(last));
    EXPECT_EQ(counts.StepsSince(last)->size(), 1u);
  }
}

TEST(DomainCountsTest, AreWhatCountingByHandGivesWhateverComesAndGoes) {
  for (const int size : {1, 3, 40, 200}) {
    Domains domains(size);
    DomainCounts counts(*domains.topology, DomainCounts::Keep::kLeast);
    std::vector<std::int64_t> by_hand(static_cast<std::size_t>(size));
    Random random(static_cast<std::uint64_t>(size));
    for (int step = 0; step < 3000; ++step) {
      const auto domain = static_cast<std::int32_t>(random.Below(by_hand.size()));
      // First it grows, so that every domain has some, then it shrinks.
      const bool add = by_hand[domain] == 0 || random.Chance(step < 2000 ? 0.7 : 0.3);
      counts.ChangeDomain(domain, add ? 1 : -1);
      by_hand[domain] += add ? 1 : -1;
      ASSERT_EQ(counts.Least(), *std::ranges::min_element(by_hand)) << size << " step " << step;
      ASSERT_EQ(counts.Count(domain), by_hand[domain]);
      ASSERT_EQ(counts.empty(), std::ranges::all_of(by_hand, [](auto n) { return n == 0; }));
    }
    std::vector<std::int64_t> told(by_hand.size());
    counts.ForEachDomain([&](std::int32_t domain, std::int64_t count) { told[domain] = count; });
    EXPECT_EQ(told, by_hand);
  }
}

}  // namespace
}  // namespace basalt::scheduler
