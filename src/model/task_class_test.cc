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
template <auto set>
void Tolerating(kube::Pod& pod) {
  kube::Toleration one{.key = "a"};
  set(one);
  pod.spec.tolerations.push_back(one);
}
template <auto set>
void WithPort(kube::Pod& pod) {
  kube::ContainerPort port;
  port.host_port = 80;
  set(port);
  pod.spec.containers[0].ports = {port};
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
        RuleDifference{"TheLabelsThatOthersShare",
                       &InTerm<[](PodTerm& term) { term.match_label_keys = {"a"}; }>,
                       &InTerm<[](PodTerm& term) { term.match_label_keys = {"b"}; }>},
        RuleDifference{"TheLabelsThatOthersDoNotShare",
                       &InTerm<[](PodTerm& term) { term.mismatch_label_keys = {"a"}; }>,
                       &InTerm<[](PodTerm& term) { term.mismatch_label_keys = {"b"}; }>},
        RuleDifference{"WhereItPrefersOthers",
                       [](kube::Pod& pod) {
                         AffinityOf(pod).pod.preferred.emplace_back().term.topology_key = "zone";
                       },
                       [](kube::Pod& pod) {
                         AffinityOf(pod).pod.preferred.emplace_back().term.topology_key = "host";
                       }},
        RuleDifference{"WhereOthersMustNotBe",
                       [](kube::Pod& pod) {
                         AffinityOf(pod).pod_anti.required.emplace_back().topology_key = "zone";
                       },
                       [](kube::Pod& pod) {
                         AffinityOf(pod).pod_anti.required.emplace_back().topology_key = "host";
                       }},
        RuleDifference{"TheLabelThatAPreferenceIsAbout",
                       [](kube::Pod& pod) {
                         AffinityOf(pod).pod.preferred.emplace_back().term.match_label_keys = {"a"};
                         pod.meta.labels.Set("a", "x");
                       },
                       [](kube::Pod& pod) {
                         AffinityOf(pod).pod.preferred.emplace_back().term.match_label_keys = {"a"};
                         pod.meta.labels.Set("a", "y");
                       }},
        RuleDifference{"TheValueOfANodesLabel",
                       [](kube::Pod& pod) { pod.spec.node_selector.Set("zone", "a"); },
                       [](kube::Pod& pod) { pod.spec.node_selector.Set("zone", "b"); }},
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
        RuleDifference{
            "TheNameOfAResourceClaim",
            [](kube::Pod& pod) {
              pod.spec.resource_claims.push_back({.name = "a", .resource_claim_name = "c"});
            },
            [](kube::Pod& pod) {
              pod.spec.resource_claims.push_back({.name = "b", .resource_claim_name = "c"});
            }},
        RuleDifference{"TheKeyOfALabelThatARuleIsAbout",
                       [](kube::Pod& pod) {
                         TermOf(pod).match_label_keys = {"a", "b"};
                         pod.meta.labels.Set("a", "x");
                       },
                       [](kube::Pod& pod) {
                         TermOf(pod).match_label_keys = {"a", "b"};
                         pod.meta.labels.Set("b", "x");
                       }},
        RuleDifference{"TheLabelThatOthersMustNotShare",
                       [](kube::Pod& pod) {
                         TermOf(pod).mismatch_label_keys = {"a"};
                         pod.meta.labels.Set("a", "x");
                       },
                       [](kube::Pod& pod) {
                         TermOf(pod).mismatch_label_keys = {"a"};
                         pod.meta.labels.Set("a", "y");
                       }},
        RuleDifference{"TheLabelThatASpreadCountsBy",
                       [](kube::Pod& pod) {
                         SpreadOf(pod).match_label_keys = {"a"};
                         pod.meta.labels.Set("a", "x");
                       },
                       [](kube::Pod& pod) {
                         SpreadOf(pod).match_label_keys = {"a"};
                         pod.meta.labels.Set("a", "y");
                       }},
        RuleDifference{"WhetherAVolumeIsOnlyRead",
                       [](kube::Pod& pod) {
                         pod.spec.volumes.push_back({.name = "v",
                                                     .kind = kube::Volume::Kind::kLegacyDisk,
                                                     .read_only = true,
                                                     .source = "gce:d"});
                       },
                       [](kube::Pod& pod) {
                         pod.spec.volumes.push_back({.name = "v",
                                                     .kind = kube::Volume::Kind::kLegacyDisk,
                                                     .source = "gce:d"});
                       }},
        RuleDifference{"TheValueThatItTolerates",
                       &Tolerating<[](kube::Toleration& one) { one.value = "x"; }>,
                       &Tolerating<[](kube::Toleration& one) { one.value = "y"; }>},
        RuleDifference{"HowItTolerates", &Tolerating<[](kube::Toleration&) {}>,
                       &Tolerating<[](kube::Toleration& one) {
                         one.op = kube::Toleration::Operator::kExists;
                       }>},
        RuleDifference{
            "WhichEffectItTolerates",
            &Tolerating<[](kube::Toleration& one) { one.effect = kube::TaintEffect::kNoSchedule; }>,
            &Tolerating<[](kube::Toleration& one) { one.effect = kube::TaintEffect::kNoExecute; }>},
        RuleDifference{"TheAddressOfAHostPort",
                       &WithPort<[](kube::ContainerPort& port) { port.host_ip = "10.0.0.1"; }>,
                       &WithPort<[](kube::ContainerPort& port) { port.host_ip = "10.0.0.2"; }>},
        RuleDifference{
            "TheProtocolOfAHostPort", &WithPort<[](kube::ContainerPort&) {}>,
            &WithPort<[](kube::ContainerPort& port) { port.protocol = kube::Protocol::kUdp; }>},
        RuleDifference{"TheNumberOfAHostPort", &WithPort<[](kube::ContainerPort&) {}>,
                       &WithPort<[](kube::ContainerPort& port) { port.host_port = 81; }>},
        RuleDifference{"RequiredOrPreferredNodes",
                       [](kube::Pod& pod) {
                         AffinityOf(pod).node.emplace().required.emplace().terms = {ZoneTerm("a")};
                       },
                       [](kube::Pod& pod) {
                         AffinityOf(pod).node.emplace().preferred.push_back(
                             {.weight = 1, .preference = ZoneTerm("a")});
                       }},
        RuleDifference{"TheWeightOfANode",
                       [](kube::Pod& pod) {
                         AffinityOf(pod).node.emplace().preferred.push_back(
                             {.weight = 1, .preference = ZoneTerm("a")});
                       },
                       [](kube::Pod& pod) {
                         AffinityOf(pod).node.emplace().preferred.push_back(
                             {.weight = 2, .preference = ZoneTerm("a")});
                       }},
        RuleDifference{"ALabelOrAFieldOfANode",
                       [](kube::Pod& pod) {
                         AffinityOf(pod).node.emplace().required.emplace().terms = {ZoneTerm("a")};
                       },
                       [](kube::Pod& pod) {
                         kube::NodeSelectorTerm term;
                         term.match_fields = ZoneTerm("a").match_expressions;
                         AffinityOf(pod).node.emplace().required.emplace().terms = {term};
                       }},
        RuleDifference{"TheImageOfAnInitContainer",
                       [](kube::Pod& pod) { pod.spec.init_containers.emplace_back().image = "a"; },
                       [](kube::Pod& pod) { pod.spec.init_containers.emplace_back().image = "b"; }},
        RuleDifference{"TheKindOfAVolume",
                       [](kube::Pod& pod) {
                         pod.spec.volumes.push_back(
                             {.name = "v", .kind = kube::Volume::Kind::kCsi, .source = "s"});
                       },
                       [](kube::Pod& pod) {
                         pod.spec.volumes.push_back(
                             {.name = "v", .kind = kube::Volume::Kind::kLegacyDisk, .source = "s"});
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

// What a class knows of its pods, so that nobody asks each rule of each pod.
TEST(TaskClassesTest, AClassKnowsWhichKindsOfRulesItsPodsHave) {
  struct Row {
    const char* name;
    void (*make)(kube::Pod& pod);
    bool TaskClass::*flag;
  };
  static constexpr auto kWish = [](kube::PodAffinity& affinity) {
    affinity.preferred.emplace_back().weight = 1;
  };
  const std::vector<Row> rows = {
      {"a node selector", [](kube::Pod& pod) { pod.spec.node_selector.Set("zone", "a"); },
       &TaskClass::has_node_rules},
      {"required nodes",
       [](kube::Pod& pod) {
         AffinityOf(pod).node.emplace().required.emplace().terms = {ZoneTerm("a")};
       },
       &TaskClass::has_node_rules},
      {"preferred nodes",
       [](kube::Pod& pod) {
         AffinityOf(pod).node.emplace().preferred.push_back(
             {.weight = 1, .preference = ZoneTerm("a")});
       },
       &TaskClass::has_node_wishes},
      {"pods that it needs", [](kube::Pod& pod) { TermOf(pod); }, &TaskClass::needs_other_pods},
      {"pods that it needs are a rule", [](kube::Pod& pod) { TermOf(pod); },
       &TaskClass::has_pod_rules},
      {"pods that it avoids",
       [](kube::Pod& pod) { AffinityOf(pod).pod_anti.required.emplace_back(); },
       &TaskClass::has_pod_rules},
      {"pods that it likes", [](kube::Pod& pod) { kWish(AffinityOf(pod).pod); },
       &TaskClass::has_pod_wishes},
      {"pods that it dislikes", [](kube::Pod& pod) { kWish(AffinityOf(pod).pod_anti); },
       &TaskClass::has_pod_wishes},
      {"a spread", [](kube::Pod& pod) { SpreadOf(pod); }, &TaskClass::has_spread_rules},
      {"a spread that is a wish",
       [](kube::Pod& pod) {
         SpreadOf(pod).when_unsatisfiable = Spread::WhenUnsatisfiable::kScheduleAnyway;
       },
       &TaskClass::has_spread_wishes},
      {"a host port",
       [](kube::Pod& pod) {
         kube::ContainerPort port;
         port.host_port = 80;
         pod.spec.containers[0].ports = {port};
       },
       &TaskClass::has_host_ports},
      {"a host port of an init container",
       [](kube::Pod& pod) {
         kube::ContainerPort port;
         port.host_port = 80;
         pod.spec.init_containers.emplace_back();
         pod.spec.init_containers[0].ports = {port};
       },
       &TaskClass::has_host_ports},
      {"a claim",
       [](kube::Pod& pod) {
         pod.spec.volumes.push_back({.name = "a", .kind = kube::Volume::Kind::kEmptyDir});
         pod.spec.volumes.push_back(
             {.name = "v", .kind = kube::Volume::Kind::kPersistentVolumeClaim, .source = "c"});
       },
       &TaskClass::has_volumes},
      {"a device", [](kube::Pod& pod) { pod.spec.resource_claims.push_back({.name = "c"}); },
       &TaskClass::has_resource_claims}};
  for (const Row& row : rows) {
    TestCluster given;
    kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
    row.make(pod);
    given.Add(std::move(pod)).Add(MakePod("plain", "", {{"cpu", "1"}}));
    const TaskClass& of = *given.task("p").task_class;
    EXPECT_TRUE(of.*row.flag) << row.name;
    EXPECT_FALSE(given.task("plain").task_class->*row.flag) << row.name;
    // A wish is no rule, and a rule about nodes none about pods.
    int flags = 0;
    for (bool TaskClass::*flag :
         {&TaskClass::has_node_rules, &TaskClass::has_node_wishes, &TaskClass::has_pod_rules,
          &TaskClass::has_pod_wishes, &TaskClass::has_spread_rules, &TaskClass::has_spread_wishes,
          &TaskClass::has_host_ports, &TaskClass::has_volumes, &TaskClass::has_resource_claims}) {
      flags += of.*flag;
    }
    EXPECT_EQ(flags, 1) << row.name;
  }
}

TEST(TaskClassesTest, NothingOfAResourceThatNobodyOffersIsNothing) {
  TestCluster given;
  given.Add(MakePod("none", "", {{"example.com/x", "0"}}));
  given.Add(MakePod("some", "", {{"example.com/x", "1"}}));
  EXPECT_FALSE(given.task("none").task_class->unknown_resource);
  EXPECT_TRUE(given.task("none").best_effort());
  EXPECT_TRUE(given.task("some").task_class->unknown_resource);
  EXPECT_FALSE(given.task("some").best_effort()) << "it must wait for a node that has it";
  EXPECT_EQ(UnknownNames(*given.task("some").task_class, given.cluster.dimensions()),
            std::vector<std::string>{"example.com/x"});
  EXPECT_TRUE(UnknownNames(*given.task("none").task_class, given.cluster.dimensions()).empty());
}

TEST(TaskClassesTest, NumbersOfClassesThatAreGoneAreGivenAgainAndNoTwoShareOne) {
  const auto with_image = [](const std::string& name, const std::string& image) {
    kube::Pod pod = MakePod(name, "", {{"cpu", "1"}});
    pod.spec.containers[0].image = image;
    return pod;
  };
  TestCluster given;
  given.Add(with_image("a", "one"));
  const std::uint32_t id = given.task("a").task_class->id;
  const std::uint32_t number = given.task("a").task_class->static_class;
  given.cluster.RemovePod("ns", "a");
  EXPECT_EQ(given.cluster.task_classes().size(), 0u);
  given.Add(with_image("b", "other"));
  EXPECT_EQ(given.task("b").task_class->id, id);
  EXPECT_EQ(given.task("b").task_class->static_class, number);
  given.Add(with_image("a", "one"));
  EXPECT_NE(given.task("a").task_class->id, id);
  EXPECT_NE(given.task("a").task_class->static_class, number);
  given.Add(with_image("a", "two"));
  EXPECT_EQ(given.cluster.task_classes().size(), 2u) << "it has left its old class";
}

// However often a resource comes and goes, only what pods are of is kept.
TEST(TaskClassesTest, ClassesThatAreOutdatedGoWithTheirLastPod) {
  TestCluster given;
  for (const char* name : {"a", "b"}) given.Add(MakePod(name, "", {{"example.com/x", "1"}}));
  for (int i = 0; i < 3; ++i) {
    given.Add(MakeNode("n", {{"cpu", "1"}, {"example.com/x", "4"}}));
    EXPECT_EQ(given.cluster.task_classes().size(), 1u);
    EXPECT_EQ(given.task("a").task_class, given.task("b").task_class);
    given.cluster.RemoveNode("n");
    EXPECT_EQ(given.cluster.task_classes().size(), 1u);
  }
}

}  // namespace
}  // namespace basalt::model
