#include "controllers/job/gc_controller.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::controllers {
namespace {

namespace resources = kube::resources;

class GcControllerTest : public testing::Test {
 protected:
  void Add(std::string_view phase, std::string_view ttl) {
    cluster_.Create(testutil::MakeObject(resources::kVcJobs, "train")
                        .Set("spec", boost::json::parse(R"({"tasks": [{"name": "w"}])" +
                                                        std::string(ttl) + "}")));
    ASSERT_TRUE(cluster_.Patch({resources::kVcJobs, "default", "train", "status"},
                               kube::PatchKind::kMerge,
                               R"({"status": {"state": {"phase": ")" + std::string(phase) +
                                   R"(", "lastTransitionTime": "2026-01-01T00:00:00Z"}}})"));
  }
  bool Exists() { return !cluster_.Get(resources::kVcJobs, "default", "train").is_null(); }

  testutil::SchedulingCluster cluster_;
  GcController gc_{cluster_.client()};
};

TEST_F(GcControllerTest, AJobThatHasEndedGoesWhenItsTimeIsOver) {
  gc_.Start();
  Add("Completed", R"(, "ttlSecondsAfterFinished": 60)");
  cluster_.loop().RunFor(50s);
  EXPECT_TRUE(Exists());
  cluster_.loop().RunFor(15s);
  EXPECT_FALSE(Exists());
}

TEST_F(GcControllerTest, WithZeroAtOnce) {
  Add("Failed", R"(, "ttlSecondsAfterFinished": 0)");
  gc_.Start();
  cluster_.loop().RunFor(1s);
  EXPECT_FALSE(Exists());
}

TEST_F(GcControllerTest, AnAbortedJobStaysAndSoDoesOneWithoutATime) {
  gc_.Start();
  Add("Aborted", R"(, "ttlSecondsAfterFinished": 0)");
  cluster_.loop().RunFor(1h);
  EXPECT_TRUE(Exists());
  ASSERT_TRUE(cluster_.Delete({resources::kVcJobs, "default", "train"}));
  Add("Completed", "");
  cluster_.loop().RunFor(1h);
  EXPECT_TRUE(Exists());
}

}  // namespace
}  // namespace basalt::controllers
