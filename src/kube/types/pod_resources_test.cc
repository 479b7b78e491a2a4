#include "kube/types/pod_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kube/types/codec.h"

namespace basalt::kube {
namespace {

Pod PodOf(std::string_view json) {
  Result<Pod> pod = Decode<Pod>(json);
  EXPECT_TRUE(pod) << pod.error().message;
  return pod ? *pod : Pod();
}

// "cpu=1,memory=2Gi", sorted by name.
std::string Text(const ResourceList& list) {
  std::string text;
  for (const ResourceList::Entry& entry : list) {
    text += (text.empty() ? "" : ",") + entry.name + "=" + entry.quantity.ToString();
  }
  return text;
}

struct PodCase {
  std::string name;
  std::string pod;
  std::string want;
  PodRequestOptions options = {};
};

class PodRequestsTest : public testing::TestWithParam<PodCase> {};

TEST_P(PodRequestsTest, CountsAsKubernetesDoes) {
  EXPECT_EQ(Text(PodRequests(PodOf(GetParam().pod), GetParam().options)), GetParam().want);
}

constexpr const char* kResized =
    R"({"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"2"}}}]},
        "status":{"containerStatuses":[{"name":"a","resources":{"requests":{"cpu":"1"}},
                                        "allocatedResources":{"cpu":"3"}}]}})";
constexpr const char* kInfeasible =
    R"({"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"8"}}}]},
        "status":{"conditions":[{"type":"PodResizePending","status":"True","reason":"Infeasible"}],
        "containerStatuses":[{"name":"a","resources":{"requests":{"cpu":"1"}},
                              "allocatedResources":{"cpu":"1"}}]}})";
constexpr const char* kPodLevel =
    R"({"spec":{"resources":{"requests":{"cpu":"5","nvidia.com/gpu":"9"}},
        "overhead":{"cpu":"100m"},
        "containers":[{"name":"a","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]}})";

INSTANTIATE_TEST_SUITE_P(
    Table, PodRequestsTest,
    testing::ValuesIn<PodCase>({
        {"NoContainers", R"({"spec":{}})", ""},
        {"ContainersAddUp",
         R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"1","memory":"1Gi"}}},
             {"resources":{"requests":{"cpu":"500m"}}}]}})",
         "cpu=1500m,memory=1Gi"},
        {"TheLargestInitContainerCounts",
         R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}],
             "initContainers":[{"resources":{"requests":{"cpu":"3"}}},
                               {"resources":{"requests":{"cpu":"2","memory":"1Gi"}}}]}})",
         "cpu=3,memory=1Gi"},
        {"ASidecarRunsBesideTheOthers",
         R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}],
             "initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"2"}}}]}})",
         "cpu=3"},
        {"ALaterInitContainerRunsBesideTheSidecar",
         R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}],
             "initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"2"}}},
                               {"resources":{"requests":{"cpu":"5"}}}]}})",
         "cpu=7"},
        {"AnEarlierInitContainerDoesNot",
         R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}],
             "initContainers":[{"resources":{"requests":{"cpu":"5"}}},
                         {"restartPolicy":"Always","resources":{"requests":{"cpu":"2"}}}]}})",
         "cpu=5"},
        {"InitContainersCanBeLeftOut",
         R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}],
             "initContainers":[{"resources":{"requests":{"cpu":"5"}}}]}})",
         "cpu=1",
         {.skip_init_containers = true}},
        {"OverheadIsAdded",
         R"({"spec":{"overhead":{"cpu":"250m","memory":"10Mi"},
             "containers":[{"resources":{"requests":{"cpu":"1"}}}]}})",
         "cpu=1250m,memory=10Mi"},
        {"OverheadCanBeLeftOut",
         R"({"spec":{"overhead":{"cpu":"250m"},
             "containers":[{"resources":{"requests":{"cpu":"1"}}}]}})",
         "cpu=1",
         {.exclude_overhead = true}},
        {"PodLevelRequestsReplaceThoseOfContainers", kPodLevel, "cpu=5100m,memory=1Gi"},
        {"PodLevelRequestsCanBeLeftOut",
         kPodLevel,
         "cpu=1100m,memory=1Gi",
         {.skip_pod_level_resources = true}},
        {"AResizeCountsTheMostOfAskedGrantedAndInForce", kResized, "cpu=3"},
        {"TheStatusCanBeLeftOut", kResized, "cpu=2", {.use_status = false}},
        {"AnInfeasibleResizeIsNotCounted", kInfeasible, "cpu=1"},
        {"AllocatedAloneIsNotLookedAt",
         R"({"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"2"}}}]},
             "status":{"containerStatuses":[{"name":"a","allocatedResources":{"cpu":"9"}}]}})",
         "cpu=2"},
        {"APodLevelResizeCountsTheMost",
         R"({"spec":{"resources":{"requests":{"cpu":"2"}},"containers":[]},
             "status":{"resources":{"requests":{"cpu":"3"}},"allocatedResources":{"cpu":"4"}}})",
         "cpu=4"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(PodLimits, AddOverheadOnlyWhereThereIsALimit) {
  const Pod pod = PodOf(R"({"spec":{"overhead":{"cpu":"1","memory":"1Gi"},
      "containers":[{"resources":{"limits":{"cpu":"2"}}}]}})");
  EXPECT_EQ(Text(PodLimits(pod.spec)), "cpu=3");
}

TEST(ComputeQosClass, FollowsRequestsAndLimits) {
  const auto qos = [](std::string_view resources) {
    return ComputeQosClass(
        PodOf(R"({"spec":{"containers":[{"resources":)" + std::string(resources) + "}]}}").spec);
  };
  EXPECT_EQ(qos("{}"), QosClass::kBestEffort);
  EXPECT_EQ(qos(R"({"requests":{"nvidia.com/gpu":"1"}})"), QosClass::kBestEffort);
  EXPECT_EQ(qos(R"({"requests":{"cpu":"1"}})"), QosClass::kBurstable);
  EXPECT_EQ(qos(R"({"requests":{"cpu":"1"},"limits":{"cpu":"1"}})"), QosClass::kBurstable);
  EXPECT_EQ(qos(R"({"requests":{"cpu":"1","memory":"1"},"limits":{"cpu":"1","memory":"1"}})"),
            QosClass::kGuaranteed);
  EXPECT_EQ(qos(R"({"requests":{"cpu":"1","memory":"1"},"limits":{"cpu":"2","memory":"1"}})"),
            QosClass::kBurstable);
}

// Volcano's own table rows, where they are at hand.
class VolcanoRows : public testing::TestWithParam<std::string> {};

TEST_P(VolcanoRows, GiveTheSameRequest) {
  const char* const elsewhere = std::getenv("BASALT_CONFORMANCE");
  const std::filesystem::path folder =
      (elsewhere ? std::filesystem::path(elsewhere)
                 : std::filesystem::path(BASALT_SOURCE_DIR) / "../shared/conformance") /
      "api" / GetParam();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no conformance rows at " << folder;
  int rows = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::stringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const boost::json::value document = boost::json::parse(text.str());
    const boost::json::object& row = document.at("unit").at("row").as_object();
    const Pod pod = PodOf(boost::json::serialize(row.at("pod")));
    const boost::json::value* gate = row.if_contains("podLevelResourcesEnabled");
    const bool whole = GetParam() == "TestGetPodResourceRequest";
    const PodRequestOptions options{.skip_init_containers = !whole,
                                    .skip_pod_level_resources = gate && !gate->as_bool()};
    const ResourceList got = PodRequests(pod, options);
    const boost::json::object& want =
        (row.contains("expected") ? row.at("expected") : row.at("expectedResource")).as_object();
    const auto number = [&](std::string_view name) -> std::int64_t {
      const boost::json::value* value = want.if_contains(name);
      return value ? value->to_number<std::int64_t>() : 0;
    };
    EXPECT_EQ(got.Get("cpu").MilliValue(), number("MilliCPU")) << file.path();
    EXPECT_EQ(got.Get("memory").Value(), number("Memory")) << file.path();
    ++rows;
  }
  EXPECT_GE(rows, 5);
}

INSTANTIATE_TEST_SUITE_P(Table, VolcanoRows,
                         testing::Values("TestGetPodResourceRequest",
                                         "TestGetPodResourceWithResize",
                                         "TestGetPodResourceWithoutInitContainers"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace basalt::kube
