// What makes pods one class: all that counts, and nothing else.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kube/types/codec.h"
#include "model/task_class.h"

namespace basalt::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TaskClassKeyTest : public testing::Test {
 protected:
  // The class of a pod with these fields.
  const TaskClass* ClassOf(const std::string& metadata, const std::string& spec) {
    const auto pod = kube::Decode<kube::Pod>(
        fmt::format(R"({{"metadata":{{"name":"p","namespace":"ns"{}}},"spec":{{{}}}}})",
                    metadata.empty() ? "" : "," + metadata, spec));
    EXPECT_TRUE(pod) << pod.error().message;
    return classes_.Acquire(std::make_shared<const kube::Pod>(pod.value_or(kube::Pod{})),
                            dimensions_);
  }
  const TaskClass* Labelled(const std::string& labels, const std::string& spec = "") {
    return ClassOf(fmt::format(R"("labels":{})", labels), spec);
  }
  const TaskClass* Asking(const std::string& requests) {
    return ClassOf("", fmt::format(R"("containers":[{{"name":"c","resources":{{"requests":{}}}}}])",
                                   requests));
  }

  Dimensions dimensions_;
  TaskClasses classes_;
};

TEST_F(TaskClassKeyTest, PodsThatDifferInOneThingAreOfTwoClasses) {
  struct Row {
    const char* what;
    const char* one;
    const char* other;
  };
  for (
      const Row& row : {
          Row{"the key of a toleration", R"("tolerations":[{"key":"a","operator":"Exists"}])",
              R"("tolerations":[{"key":"b","operator":"Exists"}])"},
          Row{"the key of a node's label", R"("nodeSelector":{"zone":"a"})",
              R"("nodeSelector":{"rack":"a"})"},
          Row{"where a key ends", R"("nodeSelector":{"a":"bc"})", R"("nodeSelector":{"ab":"c"})"},
          Row{"how nodes are selected",
              R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
                   {"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}]}}})",
              R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
                   {"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"NotIn","values":["b"]}]}]}}})"},
          Row{"the name of a resource",
              R"("containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}])",
              R"("containers":[{"name":"c","resources":{"requests":{"memory":"1"}}}])"},
          Row{"nothing, and less than can be said",
              R"("containers":[{"name":"c","resources":{"requests":{"cpu":"0"}}}])",
              R"("containers":[{"name":"c","resources":{"requests":{"cpu":"-9223372036854775808"}}}])"},
          Row{"the template of a claim",
              R"("resourceClaims":[{"name":"c","resourceClaimTemplateName":"t"}])",
              R"("resourceClaims":[{"name":"c","resourceClaimTemplateName":"u"}])"},
          // 24575 is 8191 and 2 in the bytes of a number.
          Row{"where a number ends",
              R"("containers":[{"name":"c","ports":[{"hostPort":8191,"hostIP":"\u0000"}]}])",
              R"("containers":[{"name":"c","ports":[{"hostPort":24575}]}])"},
      }) {
    EXPECT_NE(ClassOf("", row.one), ClassOf("", row.other)) << row.what;
  }
}

// Texts may be empty and numbers zero: what stands where another pod has something else is still
// not the same.
TEST_F(TaskClassKeyTest, NoTwoPodsOfTheSmallestPartsAreOfOneClass) {
  using Part = void (*)(kube::Pod&);
  constexpr Part kNone = [](kube::Pod&) {};
  static constexpr auto kAffinity = [](kube::Pod& pod) -> kube::Affinity& {
    return pod.spec.affinity ? *pod.spec.affinity : pod.spec.affinity.emplace();
  };
  const std::vector<std::vector<Part>> choices = {
      {kNone, [](kube::Pod& pod) { pod.spec.node_selector.Set("", ""); },
       [](kube::Pod& pod) { pod.spec.node_selector.Set("\2", ""); }},
      {kNone, [](kube::Pod& pod) { kAffinity(pod).node.emplace().required.emplace(); },
       [](kube::Pod& pod) {
         kAffinity(pod).node.emplace().required.emplace().terms.emplace_back();
       },
       [](kube::Pod& pod) {
         kAffinity(pod).node.emplace().preferred.push_back({.weight = 0, .preference = {}});
       }},
      {kNone, [](kube::Pod& pod) { pod.spec.tolerations.emplace_back(); }},
      {kNone, [](kube::Pod& pod) { pod.spec.containers.emplace_back(); }},
      {kNone, [](kube::Pod& pod) { pod.spec.init_containers.emplace_back(); }},
      {kNone, [](kube::Pod& pod) { kAffinity(pod).pod.required.emplace_back(); },
       [](kube::Pod& pod) { kAffinity(pod).pod.required.emplace_back().label_selector.emplace(); },
       [](kube::Pod& pod) {
         kAffinity(pod).pod.required.resize(2);
         kAffinity(pod).pod.required[0].label_selector.emplace();
       },
       [](kube::Pod& pod) {
         kAffinity(pod).pod.required.resize(2);
         kAffinity(pod).pod.required[1].label_selector.emplace();
       },
       [](kube::Pod& pod) { kAffinity(pod).pod_anti.preferred.emplace_back(); }},
      {kNone,
       [](kube::Pod& pod) {
         pod.spec.topology_spread_constraints.emplace_back().match_label_keys = {"a"};
       },
       [](kube::Pod& pod) {
         pod.spec.topology_spread_constraints.emplace_back().match_label_keys = {"a"};
         pod.meta.labels.Set("a", "");
       }},
      {kNone,
       [](kube::Pod& pod) { pod.spec.volumes.emplace_back().kind = kube::Volume::Kind::kCsi; },
       [](kube::Pod& pod) {
         pod.spec.volumes.emplace_back().kind = kube::Volume::Kind::kPersistentVolumeClaim;
       }},
      {kNone, [](kube::Pod& pod) { pod.spec.resource_claims.emplace_back(); }}};
  std::vector<kube::Pod> pods(1);
  for (const std::vector<Part>& parts : choices) {
    std::vector<kube::Pod> with;
    for (const kube::Pod& pod : pods) {
      for (const Part part : parts) part(with.emplace_back(pod));
    }
    pods = std::move(with);
  }
  for (kube::Pod& pod : pods) {
    classes_.Acquire(std::make_shared<const kube::Pod>(std::move(pod)), dimensions_);
  }
  EXPECT_EQ(classes_.size(), pods.size());
}

TEST_F(TaskClassKeyTest, AnAffinityThatSaysNothingIsNone) {
  EXPECT_EQ(ClassOf("", R"("affinity":{"nodeAffinity":{},"podAffinity":{}})"), ClassOf("", ""));
}

TEST_F(TaskClassKeyTest, LabelsCountWhileAnyPodHasARuleAboutThem) {
  const std::string rule =
      R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",
          "labelSelector":{"matchLabels":{"app":"web"}}}])";
  EXPECT_NE(Labelled(R"({"app":"web"})", rule), Labelled(R"({"app":"db"})", rule));
  EXPECT_NE(Labelled(R"({"app":"web"})"), Labelled(R"({"app":"db"})"));
  EXPECT_EQ(Labelled(R"({"app":"web","run":"1"})"), Labelled(R"({"app":"web","run":"2"})"));
}

TEST_F(TaskClassKeyTest, ARuleThatManyPodsHadIsForgottenWithTheLast) {
  const std::string rule = R"("affinity":{"podAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone",
          "labelSelector":{"matchLabels":{"app":"web"}}}]}})";
  const TaskClass* of_three = ClassOf("", rule);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(ClassOf("", rule), of_three);
  for (int i = 0; i < 3; ++i) classes_.Release(of_three);
  EXPECT_EQ(Labelled(R"({"app":"web"})"), Labelled(R"({"app":"db"})"));
}

TEST_F(TaskClassKeyTest, WhatPoliciesReadMayBeEmptyOrNotThere) {
  classes_.SetPodKeys({"policy"});
  EXPECT_NE(ClassOf(R"("annotations":{"policy":""})", ""), ClassOf("", ""));
  EXPECT_NE(ClassOf(R"("annotations":{"policy":""})", ""), Labelled(R"({"policy":""})"));
}

TEST_F(TaskClassKeyTest, OneIsOutdatedOnceSomeOfWhatNobodyOfferedIsOffered) {
  const TaskClass* of = Asking(R"({"x.io/a":"1","x.io/b":"1"})");
  EXPECT_THAT(UnknownNames(*of, dimensions_), ElementsAre("x.io/a", "x.io/b"));
  EXPECT_THAT(classes_.RetireOutdated(dimensions_, 0), IsEmpty());
  dimensions_.Offer("x.io/a");
  EXPECT_THAT(classes_.RetireOutdated(dimensions_, 0), ElementsAre(of));
  const TaskClass* now = Asking(R"({"x.io/a":"1","x.io/b":"1"})");
  EXPECT_NE(now, of);
  EXPECT_THAT(UnknownNames(*now, dimensions_), ElementsAre("x.io/b"));
}

TEST_F(TaskClassKeyTest, UnknownIsOfWhatThereIsAnAmountAndNobodyHasIt) {
  const auto amount = [](const char* text) { return *kube::Quantity::Parse(text); };
  const kube::ResourceList list{{"count/pods", amount("1")},
                                {"cpu", amount("1")},
                                {"x.io/none", amount("0")},
                                {"x.io/some", amount("1")}};
  EXPECT_THAT(UnknownNames(list, dimensions_), ElementsAre("x.io/some"));
}

}  // namespace
}  // namespace basalt::model
