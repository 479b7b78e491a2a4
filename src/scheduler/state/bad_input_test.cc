#include "scheduler/state/bad_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

std::vector<model::Intent> Warnings(const kube::Pod& pod, bool queue_gates = true) {
  return WarningsAbout(std::make_shared<const kube::Pod>(pod), queue_gates);
}

TEST(BadInputTest, APodThatTwoGroupsClaimIsToldOnceWhileItHasNoNode) {
  kube::Pod pod = testutil::MakePod("p", "a", {});
  EXPECT_THAT(Warnings(pod), testing::IsEmpty());
  pod.meta.annotations.Set("scheduling.volcano.sh/group-name", "b");
  pod.meta.annotations.Set("scheduling.k8s.io/group-name", "a");
  const auto warnings = Warnings(pod);
  ASSERT_THAT(warnings, testing::SizeIs(1));
  const auto& event = std::get<model::PodEvent>(warnings[0]);
  EXPECT_EQ(event.reason, "PodGroupConflict");
  EXPECT_THAT(event.message, testing::HasSubstr("says a, which counts"));
  pod.spec.node_name = "n1";
  EXPECT_THAT(Warnings(pod), testing::IsEmpty());
}

TEST(BadInputTest, AGateWithoutItsAnnotationIsToldWhereGatesAreWaitedFor) {
  constexpr std::string_view kGate = "scheduling.volcano.sh/queue-allocation-gate";
  kube::Pod pod = testutil::MakePod("p", "a", {});
  pod.spec.scheduling_gates.emplace_back(kGate);
  EXPECT_THAT(Warnings(pod), testing::SizeIs(1));
  EXPECT_THAT(Warnings(pod, false), testing::IsEmpty());
  pod.meta.annotations.Set(kGate, "true");
  EXPECT_THAT(Warnings(pod), testing::IsEmpty());
}

}  // namespace
}  // namespace basalt::scheduler
