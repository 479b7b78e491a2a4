// Rules about what is elsewhere (pod affinity, topology spread, soft taints) are followed move by
// move. Random clusters, placements, evictions, undone statements, and nodes and pods that change
// between sessions, compared with counting everything anew for every node.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/random.h"
#include "scheduler/framework/pod_matchers.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/predicates/static_rules.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using Spread = kube::TopologySpreadConstraint;
using When = Spread::WhenUnsatisfiable;

constexpr int kTemplates = 6;

std::string Pick(Random& random, std::initializer_list<const char*> items) {
  return *(items.begin() + random.Below(items.size()));
}

// ---- the cluster

kube::Node RandomZoneNode(Random& random, const std::string& name) {
  kube::Node node =
      testutil::MakeNode(name, {{"cpu", random.Chance(0.5) ? "8" : "4"}, {"memory", "16Gi"}});
  if (random.Chance(0.9)) node.meta.labels.Set("kubernetes.io/hostname", name);
  if (random.Chance(0.9)) node.meta.labels.Set("zone", Pick(random, {"z1", "z2", "z3"}));
  if (random.Chance(0.15)) {
    node.spec.taints.push_back({.key = "old", .effect = kube::TaintEffect::kPreferNoSchedule});
  }
  if (random.Chance(0.05)) {
    node.spec.taints.push_back({.key = "odd", .effect = kube::TaintEffect::kPreferNoSchedule});
  }
  if (random.Chance(0.1)) {
    node.spec.taints.push_back({.key = "full", .effect = kube::TaintEffect::kNoSchedule});
  }
  return node;
}

kube::LabelSelector RandomSelector(Random& random) {
  using Operator = kube::LabelRequirement::Operator;
  const std::string app = Pick(random, {"a", "b", "c"});
  switch (random.Below(5)) {
    case 0: return kube::LabelSelector({{.key = "app", .op = Operator::kIn, .values = {app, "d"}}});
    case 1: return kube::LabelSelector({{.key = "tier", .op = Operator::kExists}});
    case 2: return kube::LabelSelector({{.key = "app", .op = Operator::kNotIn, .values = {app}}});
    default: return kube::LabelSelector::OfLabels({{"app", app}});
  }
}

kube::PodAffinityTerm RandomTerm(Random& random) {
  kube::PodAffinityTerm term;
  term.label_selector = RandomSelector(random);
  term.topology_key = random.Chance(0.6) ? "kubernetes.io/hostname" : "zone";
  if (random.Chance(0.1)) term.namespaces = {"elsewhere"};
  if (random.Chance(0.1)) term.namespace_selector.emplace();
  return term;
}

kube::Pod RandomRulePod(Random& random, const std::string& name) {
  kube::Pod pod = testutil::MakePod(name, "g", {{"cpu", random.Chance(0.5) ? "1" : "500m"}});
  pod.meta.labels.Set("app", Pick(random, {"a", "b", "c", "d"}));
  if (random.Chance(0.3)) pod.meta.labels.Set("tier", "front");
  const auto affinity = [&]() -> kube::Affinity& {
    return pod.spec.affinity ? *pod.spec.affinity : pod.spec.affinity.emplace();
  };
  const auto weight = [&] { return static_cast<std::int32_t>(1 + random.Below(100)); };
  if (random.Chance(0.15)) affinity().pod.required.push_back(RandomTerm(random));
  if (random.Chance(0.1)) affinity().pod.required.push_back(RandomTerm(random));
  while (random.Chance(0.35)) affinity().pod_anti.required.push_back(RandomTerm(random));
  if (random.Chance(0.2)) {
    affinity().pod.preferred.push_back({.weight = weight(), .term = RandomTerm(random)});
  }
  while (random.Chance(0.25)) {
    affinity().pod_anti.preferred.push_back({.weight = weight(), .term = RandomTerm(random)});
  }
  while (random.Chance(0.3)) {
    Spread spread{
        .max_skew = static_cast<std::int32_t>(1 + random.Below(2)),
        .topology_key = random.Chance(0.5) ? "kubernetes.io/hostname" : "zone",
        .when_unsatisfiable = random.Chance(0.7) ? When::kDoNotSchedule : When::kScheduleAnyway,
        .label_selector = RandomSelector(random)};
    if (random.Chance(0.2)) spread.min_domains = 3;
    if (random.Chance(0.3)) spread.node_taints_policy = Spread::NodePolicy::kHonor;
    if (random.Chance(0.2)) spread.match_label_keys = {"tier"};
    pod.spec.topology_spread_constraints.push_back(spread);
  }
  if (random.Chance(0.2))
    pod.spec.tolerations.push_back({.key = "old", .op = kube::Toleration::Operator::kExists});
  if (random.Chance(0.15)) pod.spec.node_selector.Set("zone", "z1");
  return pod;
}

// ---- everything counted anew

class ByHand {
 public:
  // `plain`: a session of the same cluster whose plugins know nothing of what is elsewhere.
  ByHand(const model::Cluster& cluster, const Session& plain) : cluster_(cluster), plain_(plain) {}

  bool Fits(const Task& task, const Node& node) const {
    const auto holds = [&](bool promised) {
      return AffinityHolds(task, node, promised) && SpreadHolds(task, node, promised);
    };
    return plain_.Filter(task, node).ok() && AntiAffinityHolds(task, node) &&
           holds(/*promised=*/true) && (CountsOnPromises(task) || holds(/*promised=*/false));
  }

  std::optional<NodeFinder::Found> Best(const Task& task) const {
    for (const bool now : {true, false}) {
      std::vector<NodeId> nodes;
      for (const NodeId id : cluster_.nodes()) {
        if (!cluster_.ledger().FitsFuture(task.request(), id)) continue;
        if (cluster_.ledger().FitsIdle(task.request(), id) != now) continue;
        if (Fits(task, cluster_.node(id))) nodes.push_back(id);
      }
      if (nodes.empty()) continue;
      const std::vector<double> scores = Scores(task, nodes);
      const auto best = std::ranges::max_element(scores) - scores.begin();
      return NodeFinder::Found{.node = nodes[static_cast<std::size_t>(best)], .now = now};
    }
    return std::nullopt;
  }

 private:
  using Domain = std::optional<std::string_view>;
  Domain DomainOf(const Node& node, const std::string& key) const {
    return node.exists() ? node.object->meta.labels.Find(key) : Domain{};
  }
  template <class Fn>
  void ForEachPlaced(Fn fn) const {
    cluster_.tasks().ForEach([&](const Task& task) {
      if (model::OccupiesNode(task.holding)) fn(task, cluster_.node(task.node()));
    });
  }
  PodMatcher MatcherOf(const kube::PodAffinityTerm& term, const Task& owner) const {
    return PodMatcher::Of(term, *owner.pod, cluster_.objects());
  }
  double CountIn(const Domain& domain, const std::string& key, const PodMatcher& matcher) const {
    double count = 0;
    ForEachPlaced([&](const Task& other, const Node& where) {
      count += domain && DomainOf(where, key) == domain && matcher.Matches(*other.pod);
    });
    return count;
  }

  // Rules hold whether or not promises are kept; those of the job itself are, where it waits for
  // them.
  bool CountsOnPromises(const Task& task) const {
    const model::Job* job = cluster_.FindJob(task.job);
    const int promised = job ? static_cast<int>(job->pipelined.size()) : 0;
    return promised > 0 && job->valid_tasks() - promised < job->min_available;
  }

  bool AffinityHolds(const Task& task, const Node& node, bool promised) const {
    if (!task.pod->spec.affinity) return true;
    const auto& terms = task.pod->spec.affinity->pod.required;
    const auto all_match = [&](const kube::Pod& pod) {
      return std::ranges::all_of(
          terms, [&](const auto& term) { return MatcherOf(term, task).Matches(pod); });
    };
    bool all_there = true, any_anywhere = false;
    for (const auto& term : terms) {
      const Domain domain = DomainOf(node, term.topology_key);
      if (!domain) return false;
      bool there = false;
      ForEachPlaced([&](const Task& other, const Node& where) {
        const Domain theirs = DomainOf(where, term.topology_key);
        if (!promised && other.status() == model::TaskStatus::kPipelined) return;
        if (!theirs || !all_match(*other.pod)) return;
        any_anywhere = true;
        there = there || theirs == domain;
      });
      all_there = all_there && there;
    }
    return all_there || (!any_anywhere && all_match(*task.pod));
  }

  bool AntiAffinityHolds(const Task& task, const Node& node) const {
    bool holds = true;
    const auto check = [&](const Task& owner, const Task& other, const Node& a, const Node& b) {
      if (!owner.pod->spec.affinity) return;
      for (const auto& term : owner.pod->spec.affinity->pod_anti.required) {
        const Domain domain = DomainOf(a, term.topology_key);
        if (domain && DomainOf(b, term.topology_key) == domain &&
            MatcherOf(term, owner).Matches(*other.pod)) {
          holds = false;
        }
      }
    };
    ForEachPlaced([&](const Task& other, const Node& where) {
      check(task, other, node, where);
      check(other, task, where, node);
    });
    return holds;
  }

  bool SpreadHolds(const Task& task, const Node& node, bool promised) const {
    std::vector<const Spread*> hard;
    for (const Spread& spread : task.pod->spec.topology_spread_constraints) {
      if (spread.when_unsatisfiable == When::kDoNotSchedule) hard.push_back(&spread);
    }
    for (const Spread* spread : hard) {
      if (!DomainOf(node, spread->topology_key)) return false;
      const PodMatcher matcher = PodMatcher::Of(*spread, *task.pod);
      std::map<std::string, std::int64_t> counts;
      std::set<NodeId> counted;
      for (const NodeId id : cluster_.nodes()) {
        const Node& other = cluster_.node(id);
        const bool labels = std::ranges::all_of(
            hard, [&](const Spread* s) { return DomainOf(other, s->topology_key).has_value(); });
        if (!labels || !MatchesNodeRules(*task.pod, *other.object)) continue;
        if (spread->node_taints_policy == Spread::NodePolicy::kHonor &&
            FindUntolerated(*task.pod, *other.object)) {
          continue;
        }
        counted.insert(id);
        counts[std::string(*DomainOf(other, spread->topology_key))];
      }
      ForEachPlaced([&](const Task& other, const Node& where) {
        if (!counted.contains(where.id) || other.status() == model::TaskStatus::kReleasing) return;
        if (!promised && other.status() == model::TaskStatus::kPipelined) return;
        if (matcher.Matches(*other.pod)) {
          ++counts[std::string(*DomainOf(where, spread->topology_key))];
        }
      });
      std::int64_t least = counts.empty() ? 0 : std::numeric_limits<std::int64_t>::max();
      for (const auto& [domain, count] : counts) least = std::min(least, count);
      if (static_cast<int>(counts.size()) < spread->min_domains.value_or(1)) least = 0;
      const std::int64_t here = counted.contains(node.id)
                                    ? counts[std::string(*DomainOf(node, spread->topology_key))]
                                    : 0;
      if (here + (matcher.Matches(*task.pod) ? 1 : 0) - least > spread->max_skew) return false;
    }
    return true;
  }

  // Weights are nodeorder's own: taints 3, pod affinity 2, spread 2.
  std::vector<double> Scores(const Task& task, const std::vector<NodeId>& nodes) const {
    std::vector<double> scores;
    for (const NodeId id : nodes) scores.push_back(plain_.Score(task, cluster_.node(id)));
    AddTaints(task, nodes, scores);
    AddWishes(task, nodes, scores);
    AddSpread(task, nodes, scores);
    return scores;
  }

  void AddTaints(const Task& task, const std::vector<NodeId>& nodes,
                 std::vector<double>& scores) const {
    const bool any = std::ranges::any_of(cluster_.nodes(), [&](NodeId id) {
      return std::ranges::any_of(cluster_.node(id).object->spec.taints, [](const kube::Taint& t) {
        return t.effect == kube::TaintEffect::kPreferNoSchedule;
      });
    });
    if (!any) return;
    std::vector<double> disliked;
    for (const NodeId id : nodes) {
      double count = 0;
      for (const kube::Taint& taint : cluster_.node(id).object->spec.taints) {
        if (taint.effect != kube::TaintEffect::kPreferNoSchedule) continue;
        count += std::ranges::none_of(task.pod->spec.tolerations,
                                      [&](const auto& t) { return t.Tolerates(taint); });
      }
      disliked.push_back(count);
    }
    const double most = std::ranges::max(disliked);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] += 3 * (100 - (most == 0 ? 0 : std::trunc(100 * disliked[i] / most)));
    }
  }

  void AddWishes(const Task& task, const std::vector<NodeId>& nodes,
                 std::vector<double>& scores) const {
    std::vector<double> raw(nodes.size(), 0.0);
    const auto for_each_wish = [](const Task& owner, auto fn) {
      if (!owner.pod->spec.affinity) return;
      for (const auto& wish : owner.pod->spec.affinity->pod.preferred) fn(wish, +1);
      for (const auto& wish : owner.pod->spec.affinity->pod_anti.preferred) fn(wish, -1);
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = cluster_.node(nodes[i]);
      for_each_wish(task, [&](const auto& wish, int sign) {
        const std::string& key = wish.term.topology_key;
        raw[i] +=
            sign * wish.weight * CountIn(DomainOf(node, key), key, MatcherOf(wish.term, task));
      });
      ForEachPlaced([&](const Task& other, const Node& where) {
        for_each_wish(other, [&](const auto& wish, int sign) {
          const Domain domain = DomainOf(node, wish.term.topology_key);
          if (domain && DomainOf(where, wish.term.topology_key) == domain &&
              MatcherOf(wish.term, other).Matches(*task.pod)) {
            raw[i] += sign * wish.weight;
          }
        });
      });
    }
    const auto [least, most] = std::ranges::minmax(raw);
    if (most <= least) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] += 2 * std::trunc(100 * ((raw[i] - least) / (most - least)));
    }
  }

  void AddSpread(const Task& task, const std::vector<NodeId>& nodes,
                 std::vector<double>& scores) const {
    std::vector<const Spread*> soft;
    for (const Spread& spread : task.pod->spec.topology_spread_constraints) {
      if (spread.when_unsatisfiable == When::kScheduleAnyway) soft.push_back(&spread);
    }
    if (soft.empty()) return;
    std::vector<std::size_t> counted;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (std::ranges::all_of(soft, [&](const Spread* spread) {
            return DomainOf(cluster_.node(nodes[i]), spread->topology_key).has_value();
          })) {
        counted.push_back(i);
      }
    }
    std::map<std::size_t, double> raw;
    for (const Spread* spread : soft) {
      const PodMatcher matcher = PodMatcher::Of(*spread, *task.pod);
      std::set<std::string_view> domains;
      for (const std::size_t i : counted) {
        domains.insert(*DomainOf(cluster_.node(nodes[i]), spread->topology_key));
      }
      const bool by_host = spread->topology_key == "kubernetes.io/hostname";
      const double weight =
          std::log(static_cast<double>(by_host ? counted.size() : domains.size()) + 2);
      for (const std::size_t i : counted) {
        const Domain domain = DomainOf(cluster_.node(nodes[i]), spread->topology_key);
        double count = 0;
        ForEachPlaced([&](const Task& other, const Node& where) {
          count += other.status() != model::TaskStatus::kReleasing &&
                   DomainOf(where, spread->topology_key) == domain && matcher.Matches(*other.pod);
        });
        raw[i] += count * weight + (spread->max_skew - 1);
      }
    }
    double least = std::numeric_limits<double>::max(), most = 0;
    for (auto& [i, value] : raw) {
      value = std::round(value);
      least = std::min(least, value);
      most = std::max(most, value);
    }
    for (const auto& [i, value] : raw) {
      scores[i] += 2 * (most == 0 ? 100 : std::trunc(100 * (most + least - value) / most));
    }
  }

  const model::Cluster& cluster_;
  const Session& plain_;
};

// ---- both side by side

std::unique_ptr<PluginSet> Plugins(bool plain) {
  Config config = testutil::OneTier({"predicates", "nodeorder"});
  if (plain) {
    config.tiers[0].plugins[0].arguments = Arguments(
        {{"predicate.PodAffinityEnable", false}, {"predicate.PodTopologySpreadEnable", false}});
    config.tiers[0].plugins[1].arguments = Arguments({{"tainttoleration.weight", 0},
                                                      {"podaffinity.weight", 0},
                                                      {"podtopologyspread.weight", 0}});
  }
  return testutil::MakePlugins(std::move(config), BuiltinPlugins());
}

// What the finder says of nodes that have room and refuse, by reason, and what the filters say.
void CompareReasons(Session& session, const Task& task, const std::string& where) {
  std::map<std::string, int> want;
  const model::Cluster& cluster = session.cluster();
  for (const NodeId id : cluster.nodes()) {
    if (!cluster.ledger().FitsFuture(task.request(), id)) continue;
    const Verdict verdict = session.Filter(task, cluster.node(id));
    if (!verdict.ok()) ++want[std::string(verdict.reason)];
  }
  std::map<std::string, int> got;
  for (const auto& [reason, count] :
       session.finder().Explain(task, Room::kChecked).nodes_by_reason) {
    if (!reason.starts_with("Insufficient") && reason != "Too many pods") got[reason] = count;
  }
  EXPECT_EQ(want, got) << where;
}

class PodRulesEverywhereTest : public testing::TestWithParam<int> {};

TEST_P(PodRulesEverywhereTest, AnAnswerIsThatOfCountingEverythingAnew) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  testutil::TestCluster given;
  given.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup("g", "q", 1));
  const int nodes = 2 + static_cast<int>(random.Below(24));
  const auto name_of = [](std::uint64_t number) { return "n" + std::to_string(number); };
  for (int i = 0; i < nodes; ++i) given.Add(RandomZoneNode(random, name_of(i)));
  const auto plugins = Plugins(false);
  const auto plain_plugins = Plugins(true);
  for (int cycle = 0; cycle < 4; ++cycle) {
    const std::string where =
        "seed " + std::to_string(GetParam()) + " cycle " + std::to_string(cycle);
    // Labels and taints change, nodes come and go, pods end.
    for (std::uint64_t i = random.Below(3); i > 0; --i) {
      given.Add(
          RandomZoneNode(random, name_of(random.Below(static_cast<std::uint64_t>(nodes + 2)))));
    }
    if (random.Chance(0.3) && given.cluster.nodes().size() > 2) {
      given.cluster.RemoveNode(name_of(random.Below(static_cast<std::uint64_t>(nodes))));
    }
    std::vector<std::string> ended;
    given.cluster.tasks().ForEach([&](const Task& task) {
      if (random.Chance(0.2)) ended.push_back(task.name());
    });
    for (const std::string& name : ended) given.cluster.RemovePod("ns", name);

    Session plain(given.cluster, *plain_plugins, testutil::kTestNow);
    Session session(given.cluster, *plugins, testutil::kTestNow);
    const ByHand by_hand(given.cluster, plain);
    Statement statement(session);
    const std::uint64_t seed = random.Below(1u << 30);
    for (int i = 0; i < 60; ++i) {
      const std::string name = "p-" + std::to_string(cycle) + "-" + std::to_string(i);
      // Mostly the same few, so that their classes get tables.
      Random pod_random(random.Chance(0.85) ? seed + random.Below(kTemplates)
                                            : random.Below(1u << 30));
      given.Add(RandomRulePod(pod_random, name));
      const Task& task = given.task(name);
      const auto want = by_hand.Best(task);
      const auto got = session.finder().Best(task, Room::kChecked);
      ASSERT_EQ(want.has_value(), got.has_value()) << where << " " << name;
      if (!want) {
        CompareReasons(session, task, where + " " + name);
      } else {
        ASSERT_EQ(given.cluster.node(want->node).name, given.cluster.node(got->node).name)
            << where << " " << name;
        ASSERT_EQ(want->now, got->now);
        if (got->now) {
          statement.Allocate(task.id, got->node);
        } else {
          statement.Pipeline(task.id, got->node, false);
        }
      }
      std::vector<model::TaskId> placed;
      given.cluster.tasks().ForEach([&](const Task& other) {
        if (other.status() == model::TaskStatus::kAllocated) placed.push_back(other.id);
      });
      if (!placed.empty() && random.Chance(0.2)) {
        statement.Evict(placed[random.Below(placed.size())], "test");
      } else if (!placed.empty() && random.Chance(0.1)) {
        statement.Unallocate(placed[random.Below(placed.size())]);
      }
      if (random.Chance(0.08)) statement.RollbackTo(random.Below(statement.Mark() + 1));
    }
    random.Chance(0.3) ? statement.Discard() : statement.Commit();
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PodRulesEverywhereTest, testing::Range(1, 41));

}  // namespace
}  // namespace basalt::scheduler::plugins
