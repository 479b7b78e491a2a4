#include "model/task_class.h"

#include <gtest/gtest.h>

#include <string>

#include "kube/types/quantity.h"
#include "testing/model/test_cluster.h"

namespace basalt::model {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::TestCluster;

// What is different about a pod, and whether it is another class and another static one then.
struct PodDifference {
  const char* name;
  void (*make)(kube::Pod& pod);
  bool same_class;
  bool same_static;
};

class TaskClassTest : public testing::TestWithParam<PodDifference> {};

TEST_P(TaskClassTest, PodsAreOfOneClassUnlessARuleTellsThemApart) {
  TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "8"}}));
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  given.Add(MakePod("same", "", {{"cpu", "1"}}));
  GetParam().make(pod);
  given.Add(pod);
  pod.meta.name = pod.meta.uid = "twin";
  given.Add(pod);
  const TaskClass* plain = given.task("same").task_class;
  const TaskClass* other = (*given.cluster.FindTask(pod.meta.ns, "p")).task_class;
  EXPECT_EQ(plain == other, GetParam().same_class);
  EXPECT_EQ(plain->static_class == other->static_class, GetParam().same_static);
  EXPECT_EQ((*given.cluster.FindTask(pod.meta.ns, "twin")).task_class, other)
      << "two that are different in the same way";
}

kube::Affinity& AffinityOf(kube::Pod& pod) {
  if (!pod.spec.affinity) pod.spec.affinity.emplace();
  return *pod.spec.affinity;
}
kube::PodAffinityTerm& TermOf(kube::Pod& pod) {
  return AffinityOf(pod).pod.required.emplace_back();
}
kube::TopologySpreadConstraint& SpreadOf(kube::Pod& pod) {
  pod.spec.topology_spread_constraints.push_back({});
  return pod.spec.topology_spread_constraints[0];
}
kube::NodeSelectorTerm ZoneTerm(std::string value) {
  kube::NodeSelectorTerm term;
  term.match_expressions.push_back({.key = "zone", .values = {std::move(value)}});
  return term;
}

INSTANTIATE_TEST_SUITE_P(
    Differences, TaskClassTest,
    testing::Values(
        PodDifference{"InNothing", [](kube::Pod&) {}, true, true},
        PodDifference{"InALabelThatNoRuleIsAbout",
                      [](kube::Pod& pod) { pod.meta.labels.Set("app", "web"); }, true, true},
        PodDifference{"InNamespace", [](kube::Pod& pod) { pod.meta.ns = "other"; }, false, true},
        PodDifference{"InItsRequest",
                      [](kube::Pod& pod) {
                        pod = MakePod("p", "", {{"cpu", "1"}, {"memory", "1"}});
                      },
                      false, true},
        PodDifference{"InTheNodeItSelects",
                      [](kube::Pod& pod) { pod.spec.node_selector.Set("zone", "a"); }, false,
                      false},
        PodDifference{"InWhatItTolerates",
                      [](kube::Pod& pod) { pod.spec.tolerations.push_back({.key = "a"}); }, false,
                      false},
        PodDifference{"InItsImage", [](kube::Pod& pod) { pod.spec.containers[0].image = "web"; },
                      false, false},
        PodDifference{"InTheNetworkOfItsHost", [](kube::Pod& pod) { pod.spec.host_network = true; },
                      false, true},
        PodDifference{"InThePodsThatItWantsBesideIt",
                      [](kube::Pod& pod) { TermOf(pod).topology_key = "zone"; }, false, true},
        PodDifference{"InThePodsThatItWantsElsewhere",
                      [](kube::Pod& pod) {
                        AffinityOf(pod).pod_anti.required.emplace_back().topology_key = "zone";
                      },
                      false, true},
        PodDifference{"InHowItSpreads", [](kube::Pod& pod) { SpreadOf(pod).topology_key = "zone"; },
                      false, true},
        PodDifference{
            "InAVolumeThatRestrictsIt",
            [](kube::Pod& pod) {
              pod.spec.volumes.push_back(
                  {.name = "v", .kind = kube::Volume::Kind::kPersistentVolumeClaim, .source = "c"});
            },
            false, true},
        PodDifference{"InAVolumeThatDoesNot",
                      [](kube::Pod& pod) {
                        pod.spec.volumes.push_back(
                            {.name = "v", .kind = kube::Volume::Kind::kEmptyDir});
                      },
                      true, true}),
    [](const auto& row) { return std::string(row.param.name); });

// Two pods with the same rule but for one thing in it.
struct RuleDifference {
  const char* name;
  void (*one)(kube::Pod& pod);
  void (*other)(kube::Pod& pod);
};

class TaskRuleTest : public testing::TestWithParam<RuleDifference> {};

TEST_P(TaskRuleTest, ARuleThatDiffersInOneThingIsAnother) {
  TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "8"}}));
  kube::Pod one = MakePod("one", "", {{"cpu", "1"}}), other = MakePod("other", "", {{"cpu", "1"}});
  GetParam().one(one);
  GetParam().other(other);
  given.Add(one).Add(other);
  EXPECT_NE(given.task("one").task_class, given.task("other").task_class);
}

template <auto set>
void InTerm(kube::Pod& pod) {
  set(TermOf(pod));
}
template <auto set>
void InSpread(kube::Pod& pod) {
  set(SpreadOf(pod));
}
using PodTerm = kube::PodAffinityTerm;
using Spread = kube::TopologySpreadConstraint;

INSTANTIATE_TEST_SUITE_P(
    Rules, TaskRuleTest,
    testing::Values(
        RuleDifference{"TheTopology", &InTerm<[](PodTerm& term) { term.topology_key = "zone"; }>,
                       &InTerm<[](PodTerm& term) { term.topology_key = "host"; }>},
        RuleDifference{"TheNamespaces", &InTerm<[](PodTerm& term) { term.namespaces = {"a"}; }>,
                       &InTerm<[](PodTerm& term) { term.namespaces = {"b"}; }>},
        RuleDifference{"NoSelectorOrAnEmptyOne", &InTerm<[](PodTerm&) {}>,
                       &InTerm<[](PodTerm& term) { term.label_selector = kube::LabelSelector(); }>},
        RuleDifference{"TheSelectorsKey", &InTerm<[](PodTerm& term) {
                         term.label_selector = kube::LabelSelector::Parse("a=x").value();
                       }>,
                       &InTerm<[](PodTerm& term) {
                         term.label_selector = kube::LabelSelector::Parse("b=x").value();
                       }>},
        RuleDifference{"TheSelectorsValue", &InTerm<[](PodTerm& term) {
                         term.label_selector = kube::LabelSelector::Parse("a=x").value();
                       }>,
                       &InTerm<[](PodTerm& term) {
                         term.label_selector = kube::LabelSelector::Parse("a=y").value();
                       }>},
        RuleDifference{"TheSelectorsOperator", &InTerm<[](PodTerm& term) {
                         term.label_selector = kube::LabelSelector::Parse("a=x").value();
                       }>,
                       &InTerm<[](PodTerm& term) {
                         term.label_selector = kube::LabelSelector::Parse("a!=x").value();
                       }>},
        RuleDifference{
            "TheNamespaceSelector",
            &InTerm<[](PodTerm& term) { term.namespace_selector = kube::LabelSelector(); }>,
            &InTerm<[](PodTerm& term) {
              term.namespace_selector = kube::LabelSelector::Parse("a=x").value();
            }>},
        RuleDifference{"RequiredOrPreferred", &InTerm<[](PodTerm&) {}>,
                       [](kube::Pod& pod) { AffinityOf(pod).pod.preferred.emplace_back(); }},
        RuleDifference{
            "TheWeight",
            [](kube::Pod& pod) { AffinityOf(pod).pod.preferred.emplace_back().weight = 1; },
            [](kube::Pod& pod) { AffinityOf(pod).pod.preferred.emplace_back().weight = 2; }},
        RuleDifference{"TheSkew", &InSpread<[](Spread& rule) { rule.max_skew = 1; }>,
                       &InSpread<[](Spread& rule) { rule.max_skew = 2; }>},
        RuleDifference{"TheSpreadsTopology",
                       &InSpread<[](Spread& rule) { rule.topology_key = "a"; }>,
                       &InSpread<[](Spread& rule) { rule.topology_key = "b"; }>},
        RuleDifference{"WhetherItMust", &InSpread<[](Spread&) {}>, &InSpread<[](Spread& rule) {
                         rule.when_unsatisfiable = Spread::WhenUnsatisfiable::kScheduleAnyway;
                       }>},
        RuleDifference{"TheLeastDomains", &InSpread<[](Spread& rule) { rule.min_domains = 2; }>,
                       &InSpread<[](Spread& rule) { rule.min_domains = 3; }>},
        RuleDifference{
            "TheSpreadsSelector", &InSpread<[](Spread&) {}>,
            &InSpread<[](Spread& rule) { rule.label_selector = kube::LabelSelector(); }>},
        RuleDifference{
            "WhetherTaintsCount", &InSpread<[](Spread&) {}>,
            &InSpread<[](Spread& rule) { rule.node_taints_policy = Spread::NodePolicy::kHonor; }>},
        RuleDifference{"WhetherAffinityCounts", &InSpread<[](Spread&) {}>,
                       &InSpread<[](Spread& rule) {
                         rule.node_affinity_policy = Spread::NodePolicy::kIgnore;
                       }>},
        RuleDifference{"TheKeysOfItsOwnLabels", &InSpread<[](Spread&) {}>,
                       &InSpread<[](Spread& rule) { rule.match_label_keys = {"a"}; }>},
        RuleDifference{"ThePreferredNodes",
                       [](kube::Pod& pod) {
                         AffinityOf(pod).node.emplace().preferred.push_back(
                             {.weight = 1, .preference = ZoneTerm("a")});
                       },
                       [](kube::Pod& pod) {
                         AffinityOf(pod).node.emplace().preferred.push_back(
                             {.weight = 1, .preference = ZoneTerm("b")});
                       }},
        RuleDifference{"TheKeyOfANodesLabel",
                       [](kube::Pod& pod) {
                         AffinityOf(pod).node.emplace().preferred.push_back(
                             {.weight = 1, .preference = ZoneTerm("a")});
                       },
                       [](kube::Pod& pod) {
                         kube::NodeSelectorTerm term = ZoneTerm("a");
                         term.match_expressions[0].key = "rack";
                         AffinityOf(pod).node.emplace().preferred.push_back(
                             {.weight = 1, .preference = std::move(term)});
                       }},
        RuleDifference{
            "TheResourceClaim",
            [](kube::Pod& pod) {
              pod.spec.resource_claims.push_back({.name = "c", .resource_claim_name = "one"});
            },
            [](kube::Pod& pod) {
              pod.spec.resource_claims.push_back({.name = "c", .resource_claim_name = "other"});
            }},
        RuleDifference{"AResourceClaimOfItsOwn",
                       [](kube::Pod& pod) {
                         pod.spec.resource_claims.push_back(
                             {.name = "c", .resource_claim_template_name = "t"});
                       },
                       [](kube::Pod& pod) {
                         pod.spec.resource_claims.push_back(
                             {.name = "c", .resource_claim_template_name = "t"});
                       }},
        RuleDifference{"ARequestThatIsLargerThanThousandthsCount",
                       [](kube::Pod& pod) {
                         pod.spec.containers[0].resources.requests.Set(
                             "memory", *kube::Quantity::Parse("9223372036854775806"));
                       },
                       [](kube::Pod& pod) {
                         pod.spec.containers[0].resources.requests.Set(
                             "memory", *kube::Quantity::Parse("9223372036854775807"));
                       }},
        RuleDifference{
            "AnEphemeralVolumeOfItsOwn",
            [](kube::Pod& pod) {
              pod.spec.volumes.push_back({.name = "v", .kind = kube::Volume::Kind::kEphemeral});
            },
            [](kube::Pod& pod) {
              pod.spec.volumes.push_back({.name = "v", .kind = kube::Volume::Kind::kEphemeral});
            }}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(TaskClassesTest, ALabelTellsPodsApartOnceARuleIsAboutItAndNoLongerWhenTheRuleIsGone) {
  TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "8"}}));
  for (const char* app : {"web", "db"}) {
    kube::Pod pod = MakePod(app, "", {{"cpu", "1"}});
    pod.meta.labels.Set("app", app);
    given.Add(std::move(pod));
  }
  EXPECT_EQ(given.task("web").task_class, given.task("db").task_class);
  kube::Pod rule = MakePod("rule", "", {{"cpu", "1"}});
  TermOf(rule).label_selector = kube::LabelSelector::Parse("app=web").value();
  given.Add(rule);
  given.cluster.SplitClasses();
  EXPECT_NE(given.task("web").task_class, given.task("db").task_class);
  given.cluster.RemovePod("ns", "rule");
  for (const char* app : {"web2", "db2"}) {
    kube::Pod pod = MakePod(app, "", {{"cpu", "3"}});
    pod.meta.labels.Set("app", app);
    given.Add(std::move(pod));
  }
  EXPECT_EQ(given.task("web2").task_class, given.task("db2").task_class);
}

TEST(TaskClassesTest, AClaimThatPodsShareDoesNotTellThemApart) {
  TestCluster given;
  for (const char* name : {"a", "b"}) {
    kube::Pod pod = MakePod(name, "", {{"cpu", "1"}});
    pod.spec.resource_claims.push_back({.name = "c", .resource_claim_name = "shared"});
    given.Add(std::move(pod));
  }
  EXPECT_EQ(given.task("a").task_class, given.task("b").task_class);
}

TEST(TaskClassesTest, WhatContainersDoNotAskForIsAssumedForEachOfThem) {
  struct Row {
    const char* name;
    std::vector<std::string> resources;  // that each of two containers asks for
    double milli_cpu;
    double mebibytes;
  };
  for (const Row& row : {Row{"both", {"cpu", "memory"}, 0, 0}, Row{"cpu", {"cpu"}, 0, 400},
                         Row{"memory", {"memory"}, 200, 0}, Row{"none", {}, 200, 400}}) {
    kube::Pod pod = MakePod(row.name, "", {});
    pod.spec.containers.emplace_back();
    for (std::size_t i = 0; i < 2; ++i) {
      for (const std::string& resource : row.resources) {
        pod.spec.containers[i].resources.requests.Set(resource, kube::Quantity::Of(1));
      }
    }
    TestCluster given;
    given.Add(std::move(pod));
    const TaskClass& of = *given.task(row.name).task_class;
    EXPECT_EQ(of.assumed_milli_cpu, row.milli_cpu) << row.name;
    EXPECT_EQ(of.assumed_memory, row.mebibytes * 1024 * 1024) << row.name;
  }
}

TEST(TaskClassesTest, WhatPoliciesReadFromAPodTellsPodsApart) {
  TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "8"}}));
  kube::Pod pod = MakePod("a", "", {{"cpu", "1"}});
  pod.meta.annotations.Set("policy/zone", "x");
  given.Add(std::move(pod)).Add(MakePod("b", "", {{"cpu", "1"}}));
  EXPECT_EQ(given.task("a").task_class, given.task("b").task_class);
  given.cluster.SetPodKeys({"policy/zone"});
  EXPECT_NE(given.task("a").task_class->static_class, given.task("b").task_class->static_class);
  EXPECT_EQ(given.cluster.task_classes().size(), 2u);
}

}  // namespace
}  // namespace basalt::model
