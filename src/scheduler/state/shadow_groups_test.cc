#include "scheduler/state/shadow_groups.h"

#include <gtest/gtest.h>

#include <vector>

namespace basalt::scheduler {
namespace {

kube::Pod PodWithLabel(int value) {
  kube::Pod pod;
  pod.meta.labels.Set("index", std::to_string(value));
  return pod;
}

TEST(ShadowGroups, LooksThatNobodyUsesAnyMoreAreForgotten) {
  ShadowGroups groups;
  for (int i = 0; i < 100'000; ++i) groups.LookOf(PodWithLabel(i), "default");
  EXPECT_LE(groups.size(), 64u);
}

TEST(ShadowGroups, LooksInUseAreFoundAgain) {
  ShadowGroups groups;
  std::vector<std::shared_ptr<const kube::PodGroup>> used;
  for (int i = 0; i < 1000; ++i) used.push_back(groups.LookOf(PodWithLabel(i), "default"));
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(groups.LookOf(PodWithLabel(i), "default"), used[i]);
    EXPECT_NE(groups.LookOf(PodWithLabel(i), "other"), used[i]);
  }
}

}  // namespace
}  // namespace basalt::scheduler
