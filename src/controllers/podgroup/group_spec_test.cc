#include "controllers/podgroup/group_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::controllers {
namespace {

using testing::HasSubstr;

TEST(GroupSpec, TakesTheTemplatesWordOverTheWorkloads) {
  const kube::StringMap own{{"scheduling.volcano.sh/group-min-member", "5"},
                            {"scheduling.volcano.sh/queue-name", "own"},
                            {"deployment.kubernetes.io/revision", "1"},
                            {"kubectl.kubernetes.io/last-applied-configuration", "{}"},
                            {"team", "a"}};
  const kube::StringMap of_template{{"scheduling.volcano.sh/group-min-member", "2"},
                                    {"volcano.sh/preemptable", "true"}};
  kube::PodSpec pod;
  pod.priority_class_name = "high";
  pod.containers.emplace_back().resources.requests.Set("cpu", kube::Quantity::OfMilli(1500));
  const Result<GroupSpec> spec = MakeGroupSpec(
      {.own_annotations = &own, .annotations = &of_template, .labels = &own, .pod = &pod},
      "default");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->min_member, 2);
  EXPECT_EQ(spec->min_resources.Get("cpu").ToString(), "3");
  EXPECT_EQ(spec->min_resources.Get("pods").ToString(), "2");
  EXPECT_EQ(spec->queue, "own");
  EXPECT_TRUE(spec->queue_is_named);
  EXPECT_EQ(spec->priority_class, "high");
  EXPECT_EQ(spec->annotations, (kube::StringMap{{"scheduling.volcano.sh/queue-name", "own"},
                                                {"team", "a"},
                                                {"volcano.sh/preemptable", "true"}}));
}

TEST(GroupSpec, MinResourcesAreTakenAsTheyAreGiven) {
  const kube::StringMap annotations{
      {"scheduling.volcano.sh/group-min-resources", R"({"cpu":"4","memory":"8Gi","gpu":2})"}};
  kube::PodSpec pod;
  const Result<GroupSpec> spec =
      MakeGroupSpec({.annotations = &annotations, .labels = &annotations, .pod = &pod}, "default");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->min_member, 1);
  EXPECT_EQ(spec->min_resources.Get("memory").ToString(), "8Gi");
  EXPECT_EQ(spec->min_resources.Get("gpu").ToString(), "2");
  EXPECT_EQ(spec->queue, "default");
  EXPECT_FALSE(spec->queue_is_named);
  for (const char* bad : {"", "4", "[1]", R"({"cpu":"x"})", R"({"cpu":-1})", R"({"cpu":[]})"}) {
    const Result<kube::ResourceList> refused = ParseMinResources(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_THAT(refused.error().message, HasSubstr("group-min-resources"));
  }
}

TEST(GroupSpec, ManyPodsAreMultipliedAtOnce) {
  const kube::StringMap annotations{{"scheduling.volcano.sh/group-min-member", "2147483647"}};
  kube::PodSpec pod;
  pod.containers.emplace_back().resources.requests.Set("cpu", kube::Quantity::Of(1));
  const Result<GroupSpec> spec =
      MakeGroupSpec({.annotations = &annotations, .labels = &annotations, .pod = &pod}, "default");
  EXPECT_EQ(spec->min_resources.Get("cpu").Value(), 2147483647);
}

}  // namespace
}  // namespace basalt::controllers
