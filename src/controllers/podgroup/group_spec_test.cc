#include "controllers/podgroup/group_spec.h"

#include <gtest/gtest.h>

namespace basalt::controllers {
namespace {

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
}

std::string TextOf(const kube::ResourceList& list) {
  std::string text;
  for (const kube::ResourceList::Entry& entry : list) {
    text += (text.empty() ? "" : " ") + entry.name + "=" + entry.quantity.ToString();
  }
  return text;
}

// Pods of one CPU and 1Gi each.
TEST(GroupSpec, InARolloutAMinimumIsNoMoreThanThePodsThatThereIsRoomFor) {
  struct Case {
    const char* what;
    const char* least;  // "": not given
    const char* resources;
    std::optional<std::int32_t> at_once;
    std::int32_t min_member;
    const char* min_resources;
  };
  const Case cases[] = {
      {"no rollout", "4", R"({"cpu":"4"})", std::nullopt, 4, "cpu=4"},
      {"one of four", "4", R"({"cpu":"4"})", 1, 1, "cpu=1"},
      {"three of four", "4", R"({"cpu":"4"})", 3, 3, "cpu=3"},
      {"as many as are asked for", "4", R"({"cpu":"4"})", 4, 4, "cpu=4"},
      {"thousandths of a CPU, upwards", "3", R"({"cpu":"1"})", 1, 1, "cpu=334m"},
      {"whole bytes, upwards", "3", R"({"memory":"1Mi"})", 1, 1, "memory=349526"},
      {"whole devices, upwards", "4", R"({"gpu":"2","pods":"4"})", 1, 1, "gpu=1 pods=1"},
      {"a part of a device stays what it is", "4", R"({"gpu":"500m"})", 1, 1, "gpu=500m"},
      {"nothing stays nothing", "4", R"({"cpu":"0"})", 1, 1, "cpu=0"},
      {"far above the requests", "4", R"({"cpu":"90","memory":"8E"})", 1, 1, "cpu=1 memory=1Gi"},
      {"a gang of a part of the pods", "2", R"({"cpu":"4"})", 2, 2, "cpu=2"},
      {"a minimum alone", "", R"({"cpu":"4"})", 1, 1, "cpu=1"},
  };
  kube::PodSpec pod;
  pod.containers.emplace_back().resources.requests = {
      {"cpu", kube::Quantity::Of(1)},
      {"memory", kube::Quantity::Of(1 << 30, kube::Quantity::Format::kBinarySI)}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    kube::StringMap annotations{{"scheduling.volcano.sh/group-min-resources", c.resources}};
    if (*c.least) annotations.Set("scheduling.volcano.sh/group-min-member", c.least);
    const Result<GroupSpec> spec = MakeGroupSpec({.annotations = &annotations,
                                                  .labels = &annotations,
                                                  .pod = &pod,
                                                  .pods_at_once = c.at_once},
                                                 "default");
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->min_member, c.min_member);
    EXPECT_EQ(TextOf(spec->min_resources), c.min_resources);
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
