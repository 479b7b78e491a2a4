// deps: basalt_testing basalt_kube_client
// The examples of docs/examples/jobs, on a whole cluster in one process.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "testing/builders.h"
#include "tests/system/up_fixture.h"

namespace basalt::systemtest {
namespace {

constexpr const char* kFrameworks[] = {"mpi", "pytorch", "tensorflow", "ray", "spark"};

class JobExamplesTest : public UpTest {
 protected:
  static std::string TextOf(std::string_view example) {
    std::ifstream file(std::string(BASALT_SOURCE_DIR) + "/docs/examples/jobs/" +
                       std::string(example) + ".yaml");
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

// All at once: most of them wait for the grace period of pods that end with their job.
TEST_F(JobExamplesTest, AreTakenAsTheyAreFilledInAndRunToTheirEnd) {
  std::string all;
  for (const char* name : kFrameworks) all += "---\n" + TextOf(name);
  all += "---\n" + TextOf("flow");
  ChildProcess up =
      Up({"--nodes", "10", "--listen", "127.0.0.1:0", "--apply", WriteFile("all.yaml", all)});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  const std::string jobs = "/apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/";
  for (const char* name : kFrameworks) {
    const auto job = Send({.path = jobs + name});
    ASSERT_TRUE(job) << name << ": " << job.error().message;
    EXPECT_EQ(testutil::TextAt(*job, "spec.queue"), "default") << name;
    EXPECT_NE(testutil::FindPath(*job, "spec.plugins.svc"), nullptr) << name;
    EXPECT_NE(testutil::FindPath(*job, "spec.tasks.0.minAvailable"), nullptr) << name;
  }
  for (const char* name : kFrameworks) {
    EXPECT_TRUE(Eventually(jobs + name, [](const json::value& now) {
      return testutil::TextAt(now, "status.state.phase") == "Completed";
    })) << name;
  }
  EXPECT_TRUE(Eventually(
      "/apis/flow.volcano.sh/v1alpha1/namespaces/default/jobflows", [](const json::value& flows) {
        const auto& items = flows.at("items").as_array();
        return !items.empty() && testutil::TextAt(items[0], "status.state.phase") == "Succeed";
      }));
}

}  // namespace
}  // namespace basalt::systemtest
