// deps: basalt_testing basalt_kube_client
// The examples of docs/examples/jobs, on a whole cluster in one process.
#include <gtest/gtest.h>

#include "testing/builders.h"
#include "tests/system/up_fixture.h"

namespace basalt::systemtest {
namespace {

class JobExamplesTest : public UpTest, public testing::WithParamInterface<const char*> {};

TEST_P(JobExamplesTest, IsTakenAsItIsAndFilledIn) {
  const std::string name = GetParam();
  const std::string file = std::string(BASALT_SOURCE_DIR) + "/docs/examples/jobs/" + name + ".yaml";
  ChildProcess up = Up({"--nodes", "3", "--listen", "127.0.0.1:0", "--apply", file});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  const auto job =
      Send({.path = "/apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/" + name});
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(testutil::TextAt(*job, "spec.queue"), "default");
  EXPECT_NE(testutil::FindPath(*job, "spec.plugins.svc"), nullptr);
  EXPECT_NE(testutil::FindPath(*job, "spec.tasks.0.minAvailable"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Frameworks, JobExamplesTest,
                         testing::Values("mpi", "pytorch", "tensorflow", "ray", "spark"),
                         [](const auto& example) { return std::string(example.param); });

}  // namespace
}  // namespace basalt::systemtest
