#include <gtest/gtest.h>

#include "testing/cluster.h"

namespace basalt::apiserver {
namespace {

using testutil::AnyBuilder;
using testutil::MakePod;
namespace resources = kube::resources;

class VolumeProtectionTest : public testing::Test {
 protected:
  void CreateClaim() {
    AnyBuilder claim(resources::kPersistentVolumeClaims, "data");
    claim.Set("spec", {{"accessModes", {"ReadWriteOnce"}},
                       {"resources", {{"requests", {{"storage", "1Gi"}}}}}});
    cluster_.Create(claim);
  }
  void DeleteClaim() {
    ASSERT_TRUE(cluster_.Delete({resources::kPersistentVolumeClaims, "default", "data"}));
    cluster_.loop().RunFor(1s);
  }
  bool ClaimIsThere() {
    return !cluster_.Get(resources::kPersistentVolumeClaims, "default", "data").is_null();
  }

  testutil::SimCluster cluster_;
};

TEST_F(VolumeProtectionTest, AClaimThatNobodyUsesGoesAtOnce) {
  CreateClaim();
  DeleteClaim();
  EXPECT_FALSE(ClaimIsThere());
}

TEST_F(VolumeProtectionTest, AClaimThatAPodUsesGoesWithThePod) {
  CreateClaim();
  testutil::PodBuilder pod = MakePod("user");
  pod.Set("spec.volumes", boost::json::array{boost::json::object{
                              {"name", "v"}, {"persistentVolumeClaim", {{"claimName", "data"}}}}});
  cluster_.Create(pod);
  DeleteClaim();
  EXPECT_TRUE(ClaimIsThere());
  ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", "user"}, {.grace_period_seconds = 0}));
  cluster_.loop().RunFor(1s);
  EXPECT_FALSE(ClaimIsThere());
}

}  // namespace
}  // namespace basalt::apiserver
