#include "scheduler/explain/bad_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler::explain {
namespace {

TEST(BadInputTest, APodThatTwoGroupsClaimIsTold) {
  kube::Pod pod = testutil::MakePod("p", "a", {});
  EXPECT_THAT(WarningsAbout(std::make_shared<const kube::Pod>(pod)), testing::IsEmpty());
  pod.meta.annotations.Set("scheduling.volcano.sh/group-name", "b");
  pod.meta.annotations.Set("scheduling.k8s.io/group-name", "a");
  const auto warnings = WarningsAbout(std::make_shared<const kube::Pod>(pod));
  ASSERT_THAT(warnings, testing::SizeIs(1));
  const auto& event = std::get<model::PodEvent>(warnings[0]);
  EXPECT_EQ(event.reason, "PodGroupConflict");
  EXPECT_THAT(event.message, testing::HasSubstr("says a, which counts"));
}

}  // namespace
}  // namespace basalt::scheduler::explain
