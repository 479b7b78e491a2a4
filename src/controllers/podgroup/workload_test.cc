#include "controllers/podgroup/workload.h"

#include <gtest/gtest.h>

namespace basalt::controllers {
namespace {

std::shared_ptr<const kube::ReplicaSet> MakeSet(int revision, int replicas, int desired) {
  auto set = std::make_shared<kube::ReplicaSet>();
  set->meta.ns = "ns";
  set->meta.name = set->meta.uid = "w-" + std::to_string(revision);
  set->meta.annotations.Set("deployment.kubernetes.io/revision", std::to_string(revision));
  set->meta.annotations.Set("deployment.kubernetes.io/desired-replicas", std::to_string(desired));
  set->meta.owner_references.push_back({.api_version = "apps/v1",
                                        .kind = "Deployment",
                                        .name = "w",
                                        .uid = "d",
                                        .controller = true});
  set->replicas = replicas;
  return set;
}

// A Deployment of four; the sets by revision.
TEST(WorkloadTest, ARolloutIsSureOfWhatOlderSetsHaveGivenUp) {
  struct Case {
    const char* what;
    int oldest;
    int old;
    int now;
    std::optional<std::int32_t> at_once;
  };
  const Case cases[] = {
      {"no rollout", 0, 0, 4, std::nullopt},
      {"it begins", 0, 4, 1, 1},
      {"one has been given up, one more is asked for", 0, 3, 2, 1},
      {"all are asked for at once", 0, 3, 4, 1},
      {"two have been given up", 0, 2, 3, 2},
      {"two have been given up, one is asked for", 0, 2, 1, 1},
      {"several sets are on their way out", 1, 2, 3, 1},
      {"more are there than should be", 4, 4, 1, 1},
      {"the last one of the old goes", 0, 0, 4, std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto oldest = MakeSet(1, c.oldest, 4), old = MakeSet(2, c.old, 4),
               now = MakeSet(3, c.now, 4);
    EXPECT_EQ(PodsAtOnce(*now, {oldest, old, now}), c.at_once);
  }
}

TEST(WorkloadTest, TheOldSetNeedsWhatItStillHas) {
  const auto old = MakeSet(2, 3, 4), now = MakeSet(3, 2, 4);
  EXPECT_EQ(PodsAtOnce(*old, {old, now}), 3);
}

TEST(WorkloadTest, ASetOfNoDeploymentIsNeverRolledOut) {
  kube::ReplicaSet set = *MakeSet(1, 2, 4);
  set.meta.owner_references.clear();
  EXPECT_EQ(PodsAtOnce(set, {}), std::nullopt);
}

}  // namespace
}  // namespace basalt::controllers
