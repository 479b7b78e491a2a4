#include "model/group_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"

namespace basalt::model {
namespace {

using testing::HasSubstr;
using Kind = GroupChoice::Kind;

TEST(GroupOf, GoesByNameThenByTheAskingThenAlone) {
  struct Case {
    const char* what;
    kube::StringMap annotations;
    std::vector<kube::OwnerReference> owners;
    Kind kind;
    const char* name;
  };
  const kube::OwnerReference set{.kind = "ReplicaSet", .uid = "rs", .controller = true};
  const kube::OwnerReference plain{.kind = "ConfigMap", .uid = "cm"};
  const Case cases[] = {
      {"plain", {}, {}, Kind::kShadow, "podgroup-pod"},
      {"plain with a controller", {}, {set}, Kind::kShadow, "podgroup-pod"},
      {"named", {{annotations::kGroupName, "g"}}, {set}, Kind::kNamed, "g"},
      {"named as Volcano does", {{annotations::kVolcanoGroupName, "g"}}, {}, Kind::kNamed, "g"},
      {"of a reservation, whose pods are made here",
       {{annotations::kGroupName, "reservation:r"}},
       {},
       Kind::kNamed,
       R"("reservation:r")"},
      {"an empty name is none", {{annotations::kGroupName, ""}}, {}, Kind::kShadow, "podgroup-pod"},
      {"named and asked",
       {{annotations::kGroupName, "g"}, {annotations::kGroupMinMember, "2"}},
       {set},
       Kind::kNamed,
       "g"},
      {"asked", {{annotations::kGroupMinMember, "2"}}, {set}, Kind::kAsked, "podgroup-rs"},
      {"asked with nonsense",
       {{annotations::kGroupMinMember, "x"}},
       {},
       Kind::kAsked,
       "podgroup-pod"},
      {"asked by resources",
       {{annotations::kGroupMinResources, "{}"}},
       {set},
       Kind::kAsked,
       "podgroup-rs"},
      {"the controller goes first",
       {{annotations::kGroupMinMember, "2"}},
       {plain, set},
       Kind::kAsked,
       "podgroup-rs"},
      {"a shared owner",
       {{annotations::kGroupMinMember, "2"}},
       {plain},
       Kind::kAsked,
       "podgroup-cm"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    kube::Pod pod;
    pod.meta.uid = "pod";
    pod.meta.annotations = c.annotations;
    pod.meta.owner_references = c.owners;
    const GroupChoice group = GroupOf(pod);
    EXPECT_EQ(group.kind, c.kind);
    EXPECT_EQ(group.name, c.name);
  }
}

TEST(ParseMinMember, TakesPositiveIntegersAlone) {
  EXPECT_EQ(ParseMinMember("1"), 1);
  EXPECT_EQ(ParseMinMember("2147483647"), 2147483647);
  for (const char* bad : {"", "0", "-1", "1.5", "x", "1x", " 1", "2147483648", "+1"}) {
    EXPECT_EQ(ParseMinMember(bad), std::nullopt) << bad;
  }
}

TEST(ParseMinResources, TakesAnObjectOfAmountsAlone) {
  const auto list = ParseMinResources(R"({"memory":"8Gi","gpu":2})");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->Get("memory").ToString(), "8Gi");
  EXPECT_EQ(list->Get("gpu").ToString(), "2");
  EXPECT_TRUE(ParseMinResources("{}"));
  for (const char* bad : {"", "4", "[1]", R"({"cpu":"x"})", R"({"cpu":-1})", R"({"cpu":[]})"}) {
    const Result<kube::ResourceList> refused = ParseMinResources(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_THAT(refused.error().message, HasSubstr("group-min-resources"));
  }
}

TEST(WhyGroupIsMissing, NamesTheGroupAndTheRemedy) {
  kube::Pod pod;
  pod.meta.ns = "ns";
  pod.meta.uid = "pod";
  pod.meta.annotations.Set(annotations::kGroupName, "g");
  EXPECT_EQ(WhyGroupIsMissing(pod), "waits for PodGroup ns/g, which does not exist");
  pod.meta.annotations = {{annotations::kGroupMinMember, "2"}};
  EXPECT_EQ(WhyGroupIsMissing(pod),
            "waits for PodGroup ns/podgroup-pod, which the controller makes for the annotation "
            "scheduling.volcano.sh/group-min-member and which does not exist yet");
  pod.meta.annotations = {{annotations::kGroupMinMember, "two"}};
  EXPECT_EQ(WhyGroupIsMissing(pod),
            "waits for PodGroup ns/podgroup-pod, which cannot be made: the annotation "
            "scheduling.volcano.sh/group-min-member is \"two\" and must be a positive integer");
  pod.meta.annotations = {{annotations::kGroupMinMember, "2"},
                          {annotations::kGroupMinResources, "plenty"}};
  EXPECT_EQ(WhyGroupIsMissing(pod),
            "waits for PodGroup ns/podgroup-pod, which cannot be made: the annotation "
            "scheduling.volcano.sh/group-min-resources is \"plenty\": it is no JSON; it must be an "
            R"(object of amounts such as {"cpu":"4","memory":"8Gi"})");
  pod.meta.annotations = {{annotations::kGroupMinResources, "{}"}};
  EXPECT_EQ(WhyGroupIsMissing(pod),
            "waits for PodGroup ns/podgroup-pod, which the controller makes for the annotation "
            "scheduling.volcano.sh/group-min-resources and which does not exist yet");
}

}  // namespace
}  // namespace basalt::model
